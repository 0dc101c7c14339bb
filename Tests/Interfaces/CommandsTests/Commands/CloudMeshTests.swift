import Foundation
import TestSupport
import Testing

@Suite("Cloud formats and meshes")
struct CloudMeshTests {
    /// The arguments for a small map, 2 m away, with a photo. It is decoded faster than a portrait.
    private func smallMap(in folder: TemporaryFolder) throws -> [String] {
        let map = Array("P5 4 3 255\n".utf8) + [UInt8](repeating: 100, count: 12)
        let source = try folder.write(map, to: "d.pgm")
        return ["cloud", source, "--scale", "50", "--color", TestImages.path("plain.jpg")]
    }

    @Test(
        "cloud writes every format by its extension", arguments: ["ply", "PCD", "obj", "glb", "las"])
    func formats(name: String) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            smallMap(in: folder) + ["-o", folder.file("c.\(name)"), "--json"])
        #expect(run.status == 0)
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
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            ["cloud", TestImages.path("portrait.heic"), "-o", folder.file("my é.obj"), "--mesh", "--json"])
        #expect(run.status == 0)
        #expect(folder.contents == ["my é.obj", "my___-texture.jpg", "my___.mtl"])
        let text = String(decoding: try folder.bytes(of: "my é.obj"), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.contains("mtllib my___.mtl"))
        let record = try #require(try run.objects().first)
        #expect(record.integer("triangles") == lines.count { $0.hasPrefix("f ") })
        #expect(record.integer("points") == lines.count { $0.hasPrefix("v ") })
        #expect(record["colors"] as? Bool == true)
        let material = String(decoding: try folder.bytes(of: "my___.mtl"), as: UTF8.self)
        #expect(material.hasSuffix("\nmap_Kd my___-texture.jpg\n"))
        #expect(try folder.bytes(of: "my___-texture.jpg").starts(with: [0xFF, 0xD8, 0xFF]))
    }

    @Test("The mesh of a stereo pair is filled, smoothed and without specks, unless flags keep the matches")
    func stereo() throws {
        let folder = try TemporaryFolder()
        func mesh(_ flags: [String]) throws -> (triangles: Int, messages: String) {
            let run = try Tool.run(
                ["cloud", TestImages.path("spatial.heic"), "--mesh", "--json", "-f"] + flags + [
                    "-o", folder.file("m.ply"),
                ])
            #expect(run.status == 0, "\(run.messages)")
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
        _ = try Tool.run(photo + [folder.file("a.ply")])
        _ = try Tool.run(photo + [folder.file("b.ply"), "--no-fill-holes", "--no-smooth"])
        #expect(try folder.bytes(of: "a.ply") == folder.bytes(of: "b.ply"))
    }

    @Test("Two inputs whose textures would have one name do not share it")
    func textureClash() throws {
        let folder = try TemporaryFolder()
        let bytes = try TestImages.bytes("portrait.heic")
        let inputs = [try folder.write(bytes, to: "a b.heic"), try folder.write(bytes, to: "a_b.heic")]
        let flags = ["--mesh", "--format", "obj", "-o", folder.file("out/"), "--force"]
        let run = try Tool.run(["cloud"] + inputs + flags)
        #expect(run.status == 0)
        let parent = folder.path.split(separator: "/").last ?? ""
        #expect(run.messages.contains("its outputs are named '\(parent)-a_b…'"), "\(run.messages)")
        #expect(FileManager.default.fileExists(atPath: folder.file("out/a b.obj")))
        #expect(FileManager.default.fileExists(atPath: folder.file("out/\(parent)-a_b.obj")))
        #expect(!FileManager.default.fileExists(atPath: folder.file("out/a_b.obj")))
    }

    @Test("A mesh of a raster without a photo has no texture", arguments: ["m.obj", "m.glb", "m.ply"])
    func uncolored(name: String) throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(
            Array("P5 4 3 255\n".utf8) + [UInt8](repeating: 100, count: 12), to: "d.pgm")
        let run = try Tool.run(
            [
                "cloud", source, "-o", folder.file(name), "--mesh", "--scale", "50", "--max-error", "0",
                "--json",
            ])
        #expect(run.status == 0)
        #expect(folder.contents == ["d.pgm", name])
        #expect(try run.objects().first?.integer("triangles") == 12)
    }

    @Test("A mesh as USDZ is an archive of stored files at multiples of 64 bytes")
    func usdz() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            ["cloud", TestImages.path("portrait.heic"), "-o", folder.file("m.usdz"), "--mesh", "--json"])
        #expect(run.status == 0)
        let bytes = try folder.bytes(of: "m.usdz")
        // Local headers: 26 bytes on, the lengths of name and extra field; 18 on, the size.
        func number(_ place: Int, _ size: Int) -> Int {
            (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        var place = 0
        var names: [String] = []
        while number(place, 4) == 0x0403_4B50 {
            let nameSize = number(place + 26, 2)
            names.append(String(decoding: bytes[place + 30..<place + 30 + nameSize], as: UTF8.self))
            #expect(number(place + 8, 2) == 0)
            let start = place + 30 + nameSize + number(place + 28, 2)
            #expect(start % 64 == 0)
            let magic = Array(bytes[start..<start + 3])
            #expect(magic == (names.count == 1 ? Array("PXR".utf8) : [0xFF, 0xD8, 0xFF]))
            place = start + number(place + 18, 4)
        }
        #expect(names == ["scene.usdc", "photo.jpg"])
        let points = try Tool.run(["cloud", TestImages.path("portrait.heic"), "-o", folder.file("p.usdz")])
        #expect(points.status == 64)
        #expect(points.messages.contains(".usdz holds meshes only; --mesh makes one"))
    }

    @Test("A mesh is as coarse as was asked for, and says how coarse it is")
    func coarse() throws {
        let folder = try TemporaryFolder()
        func record(_ flags: [String]) throws -> (Int, Double?, String) {
            let run = try Tool.run(
                [
                    "cloud", TestImages.path("portrait.heic"), "-o", folder.file("m.glb"), "--mesh", "-f",
                    "--json",
                ]
                    + flags)
            #expect(run.status == 0, "\(run.messages)")
            let record = try #require(try run.objects().first)
            return (record.integer("triangles") ?? 0, record.number("meshError"), run.messages)
        }
        let whole = try record(["--max-error", "0"])
        #expect(whole.1 == nil)
        let plane = try #require(try TestImages.expected("portrait.heic").objects("planes").first)
        let step = ((plane.number("maximum") ?? 0) - (plane.number("minimum") ?? 0)) / 255
        let usual = try record([])
        #expect(usual.0 < whole.0 / 2)
        #expect(abs((usual.1 ?? 0) - step / 2) < step * 1e-6)
        let wide = try record(["--max-error", "0.05"])
        #expect(abs((wide.1 ?? 0) - 0.05) < 1e-6)
        let limit = usual.0 * 4 / 5
        let few = try record(["--max-triangles", "\(limit)"])
        #expect(few.0 <= limit)
        #expect((few.1 ?? 0) > step / 2)
        #expect(few.2.contains(" of \(whole.0) triangles: up to "))
        // Its edges alone are cut into more.
        let fewest = try record(["--max-triangles", "1000"])
        #expect((100...1000).contains(fewest.0))
        #expect(
            fewest.2.contains("1000 triangles hold only one of every "),
            "\(fewest.2)")
    }

    @Test("A back layer is behind the surface, beside the photo in the texture", arguments: ["ply", "glb"])
    func backLayer(format: String) throws {
        let folder = try TemporaryFolder()
        // A square at 1 m before a wall at 3 m.
        let samples = (0..<64 * 48).map { index -> UInt8 in
            (20..<44).contains(index % 64) && (12..<36).contains(index / 64) ? 50 : 150
        }
        let source = try folder.write(Array("P5 64 48 255\n".utf8) + samples, to: "d.pgm")
        let color = try folder.write(
            Array("P6 64 48 255\n".utf8) + samples.flatMap { [$0, 40, 90] }, to: "c.ppm")
        let command = ["cloud", source, "--scale", "50", "--color", color, "--mesh", "--json", "-o"]
        let plain = try Tool.run(command + [folder.file("plain.\(format)")])
        let run = try Tool.run(command + [folder.file("m.\(format)"), "--back-layer"])
        #expect(run.status == 0, "\(run.messages)")
        let (alone, joined) = (try #require(plain.objects().first), try #require(run.objects().first))
        // Some 26 × 26 samples, on one plane.
        let more = (joined.integer("triangles") ?? 0) - (alone.integer("triangles") ?? 0)
        #expect(more >= 2 && more < 2 * 26 * 26)
        #expect(
            joined.object("bounds").numbers("maximum")[2] == alone.object("bounds").numbers("maximum")[2])
        let flat = try folder.write(
            Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 100, count: 64 * 48), to: "flat.pgm")
        let none = try Tool.run([
            "cloud", flat, "--scale", "50", "--mesh", "--back-layer", "-o", folder.file("f.\(format)"),
        ])
        #expect(none.status == 0 && none.messages.contains("no edge hides anything"))
    }

    @Test(
        "The files of a mesh are all written, or none of them",
        arguments: ["m.mtl", "m-texture.jpg", "m.obj"])
    func existing(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write([1], to: name)
        let arguments = try smallMap(in: folder) + ["-o", folder.file("m.obj"), "--mesh"]
        let refused = try Tool.run(arguments)
        #expect(refused.status == 1)
        #expect(refused.messages.contains("the file exists; --force replaces it"))
        #expect(folder.contents == ["d.pgm", name])
        #expect(try folder.bytes(of: name) == [1])
        #expect(try Tool.run(arguments + ["--force"]).status == 0)
        #expect(folder.contents == ["d.pgm", "m-texture.jpg", "m.mtl", "m.obj"])
    }

    @Test("A texture never replaces the input photo")
    func input() throws {
        let folder = try TemporaryFolder()
        let photo = try TestImages.bytes("portrait.jpg")
        let source = try folder.write(photo, to: "m-texture.jpg")
        let run = try Tool.run(["cloud", source, "-o", folder.file("m.obj"), "--mesh", "--force"])
        #expect(run.status == 1)
        #expect(run.messages.contains("the output would replace an input"))
        #expect(try folder.bytes(of: "m-texture.jpg") == photo)
        #expect(folder.contents == ["m-texture.jpg"])
    }

    @Test("A map whose samples have no neighbors gives an error instead of a mesh")
    func lonely() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(Array("P5 3 1 255\n".utf8) + [9, 9, 9], to: "d.pgm")
        let run = try Tool.run(["cloud", source, "-o", folder.file("m.ply"), "--mesh"])
        #expect(run.status == 1)
        #expect(run.messages.contains("triangle"))
        #expect(folder.contents == ["d.pgm"])
    }

    @Test(
        "Flags that exclude each other are wrong usage",
        arguments: [
            ["-o", "c.pcd", "--mesh"], ["-o", "c.las", "--mesh"],
            ["-o", "c.ply", "--mesh", "--voxel", "0.1"], ["-o", "c.ply", "--mesh", "--remove-outliers"],
            ["-o", "c.ply", "--mesh", "--max-points", "5"], ["-o", "c.glb", "--axes", "opencv"],
            ["-o", "c.las", "--ascii"], ["-o", "c.e57"], ["-o", "c.xyz"], ["-o", "c.ply", "--back-layer"],
        ])
    func usage(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            ["cloud", TestImages.path("portrait.heic")] + arguments, folder: folder.path)
        #expect(run.status == 64)
        #expect(folder.contents == [])
    }
}
