import Foundation
import TestSupport
import Testing

@Suite("Cloud formats and meshes")
struct CloudMeshTests {
    private let folder = TemporaryFolder()

    /// The arguments for a small map, 2 m away, with a photo. It is decoded faster than a portrait.
    private func smallMap(in folder: TemporaryFolder) throws -> [String] {
        let map = Array("P5 4 3 255\n".utf8) + [UInt8](repeating: 100, count: 12)
        let source = try folder.write(map, to: "d.pgm")
        return ["cloud", source, "--scale", "50", "--color", TestImages.path("plain.jpg")]
    }

    @Test(
        "cloud writes every format by its extension", arguments: ["ply", "PCD", "obj", "glb", "las"])
    func formats(name: String) throws {
        let run = try folder.run("\(smallMap(in: folder)) -o c.\(name) --json")
        let record = try #require(try run.objects().first)
        #expect(record.text("format") == name.lowercased())
        #expect(record.isNull("triangles"))
        #expect(folder.contents == ["c.\(name)", "d.pgm"])
        #expect(record.integer("points") == 12)
        let start = try folder.bytes(of: "c.\(name)").prefix(4)
        let magic = ["ply": "ply\n", "PCD": "# .P", "glb": "glTF", "las": "LASF", "obj": "# ma"]
        if let magic = magic[name] { #expect(String(decoding: start, as: UTF8.self) == magic) }
    }

    @Test("A mesh as OBJ comes with its material and the photo, under plain names")
    func obj() throws {
        let run = try folder.run("cloud {portrait.heic} -o \("my é.obj") --mesh --json")
        #expect(folder.contents == ["my é.obj", "my___-texture.jpg", "my___.mtl"])
        let text = try folder.text(of: "my é.obj")
        let lines = text.split(separator: "\n")
        #expect(lines.contains("mtllib my___.mtl"))
        let record = try #require(try run.objects().first)
        #expect(record.integer("triangles") == lines.count { $0.hasPrefix("f ") })
        #expect(record.integer("points") == lines.count { $0.hasPrefix("v ") })
        #expect(record["colors"] as? Bool == true)
        let material = try folder.text(of: "my___.mtl")
        #expect(material.hasSuffix("\nmap_Kd my___-texture.jpg\n"))
        #expect(try folder.bytes(of: "my___-texture.jpg").starts(with: [0xFF, 0xD8, 0xFF]))
    }

    @Test("The mesh of a stereo pair is filled, smoothed and without specks, unless flags keep the matches")
    func stereo() throws {
        func mesh(_ flags: [String]) throws -> (triangles: Int, messages: String) {
            let run = try folder.run("cloud {spatial.heic} --mesh --json -f \(flags) -o m.ply")
            return (try run.objects().first?.integer("triangles") ?? 0, run.messages)
        }
        let usual = try mesh([])
        for message in ["filled from behind; --no-fill-holes", "smoothed; --no-smooth", "specks of surface"] {
            #expect(usual.messages.contains(message), "\(usual.messages)")
        }
        let raw = try mesh(["--no-fill-holes", "--no-smooth"])
        #expect(!raw.messages.contains("filled") && !raw.messages.contains("smooth"))
        #expect(raw.messages.contains("specks of surface are omitted"))
        // An eighth of the samples has no match.
        #expect(usual.triangles * 10 > raw.triangles * 11)
        #expect(try mesh(["--no-smooth"]).triangles != usual.triangles)
        // Other meshes are not treated.
        let photo = ["cloud", TestImages.path("portrait.heic"), "--mesh", "-f", "-o"]
        try folder.run("\(photo) a.ply")
        try folder.run("\(photo) b.ply --no-fill-holes --no-smooth")
        #expect(try folder.bytes(of: "a.ply") == folder.bytes(of: "b.ply"))
    }

    @Test("Two inputs whose textures would have one name do not share it")
    func textureClash() throws {
        let bytes = try TestImages.bytes("portrait.heic")
        let inputs = [try folder.write(bytes, to: "a b.heic"), try folder.write(bytes, to: "a_b.heic")]
        let flags = ["--mesh", "--format", "obj", "-o", folder.file("out/"), "--force"]
        let run = try Tool.run("cloud \(inputs) \(flags)")
        let parent = folder.path.split(separator: "/").last ?? ""
        #expect(run.messages.contains("its outputs are named '\(parent)-a_b…'"), "\(run.messages)")
        #expect(FileManager.default.fileExists(atPath: folder.file("out/a b.obj")))
        #expect(FileManager.default.fileExists(atPath: folder.file("out/\(parent)-a_b.obj")))
        #expect(!FileManager.default.fileExists(atPath: folder.file("out/a_b.obj")))
    }

    @Test("A mesh as USDZ is an archive of stored files at multiples of 64 bytes")
    func usdz() throws {
        try folder.run("cloud {portrait.heic} -o m.usdz --mesh --json")
        let bytes = try folder.bytes(of: "m.usdz")
        // Local headers: 26 bytes on, the lengths of name and extra field; 18 on, the size.
        var place = 0
        var names: [String] = []
        while bytes.littleEndian(at: place) == 0x0403_4B50 {
            let nameSize = bytes.littleEndian(at: place + 26, 2)
            names.append(String(decoding: bytes[place + 30..<place + 30 + nameSize], as: UTF8.self))
            #expect(bytes.littleEndian(at: place + 8, 2) == 0)
            let start = place + 30 + nameSize + bytes.littleEndian(at: place + 28, 2)
            #expect(start % 64 == 0)
            let magic = Array(bytes[start..<start + 3])
            #expect(magic == (names.count == 1 ? Array("PXR".utf8) : [0xFF, 0xD8, 0xFF]))
            place = start + bytes.littleEndian(at: place + 18)
        }
        #expect(names == ["scene.usdc", "photo.jpg"])
        try folder.run(
            "cloud {portrait.heic} -o p.usdz", status: 64, says: ".usdz holds meshes only; --mesh makes one")
    }

    @Test("A back layer is behind the surface, beside the photo in the texture", arguments: ["ply", "glb"])
    func backLayer(format: String) throws {
        // A square at 1 m before a wall at 3 m.
        let samples = (0..<64 * 48).map { index -> UInt8 in
            (20..<44).contains(index % 64) && (12..<36).contains(index / 64) ? 50 : 150
        }
        let source = try folder.write(Array("P5 64 48 255\n".utf8) + samples, to: "d.pgm")
        let color = try folder.write(
            Array("P6 64 48 255\n".utf8) + samples.flatMap { [$0, 40, 90] }, to: "c.ppm")
        let command = ["cloud", source, "--scale", "50", "--color", color, "--mesh", "--json", "-o"]
        let plain = try folder.run("\(command) plain.\(format)")
        let run = try folder.run("\(command) m.\(format) --back-layer")
        let (alone, joined) = (try #require(plain.objects().first), try #require(run.objects().first))
        // Some 26 × 26 samples, on one plane.
        let more = (joined.integer("triangles") ?? 0) - (alone.integer("triangles") ?? 0)
        #expect(more >= 2 && more < 2 * 26 * 26)
        #expect(
            joined.object("bounds").numbers("maximum")[2] == alone.object("bounds").numbers("maximum")[2])
        let flat = try folder.write(
            Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 100, count: 64 * 48), to: "flat.pgm")
        try folder.run(
            "cloud \(flat) --scale 50 --mesh --back-layer -o f.\(format)", says: "no edge hides anything")
    }

    @Test("A texture never replaces the input photo")
    func input() throws {
        let photo = try TestImages.bytes("portrait.jpg")
        let source = try folder.write(photo, to: "m-texture.jpg")
        try folder.run(
            "cloud \(source) -o m.obj --mesh --force", status: 1, says: "the output would replace an input")
        #expect(try folder.bytes(of: "m-texture.jpg") == photo)
        #expect(folder.contents == ["m-texture.jpg"])
    }

    @Test("A map whose samples have no neighbors gives an error instead of a mesh")
    func lonely() throws {
        let source = try folder.write(Array("P5 3 1 255\n".utf8) + [9, 9, 9], to: "d.pgm")
        try folder.run("cloud \(source) -o m.ply --mesh", status: 1, says: "triangle")
        #expect(folder.contents == ["d.pgm"])
    }
}
