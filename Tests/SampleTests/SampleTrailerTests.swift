import Foundation
import Isobath
import TestSupport
import Testing

@Suite(
    "Trailers and pairs of real photos", .needsSamples)
struct SampleTrailerTests {
    private func record(_ file: String) throws -> [String: Any] {
        let run = try Tool.run(["info", "--json", SampleFolder.photos.path(file)])
        // The images of one file were cut off.
        #expect(run.status == (file.contains("seft-mpf") ? 1 : 0))
        return try #require(try run.objects().first)
    }

    private func truth(_ file: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: SampleFolder.photos.path("truth.json")))
        let all = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        return all.object(file)
    }

    @Test("Samsung's blocks are listed by type and name", arguments: SampleFolder.photos.files(in: "samsung"))
    func samsung(file: String) throws {
        let blocks = try truth(file).object("samsung_sef").objects("blocks")
        let found = try record(file).objects("trailers").filter { $0.text("source") == "samsung-sef" }
        #expect(found.map { $0.text("type") } == blocks.map { $0.text("type") })
        #expect(found.map { $0.text("name") } == blocks.map { $0.text("name") })
        for (trailer, block) in zipEqual(found, blocks) {
            let header = 8 + (block.text("name")?.utf8.count ?? 0)
            #expect(trailer.integer("length") == block.integer("size").map { $0 + header })
        }
    }

    @Test("Data after Samsung's trailer is listed")
    func behind() throws {
        let last = try #require(try record("samsung/exiftool-seft-mpf.jpg").objects("trailers").last)
        #expect(last.text("type") == "QDIO")
        #expect(last.integer("length") == 370)
    }

    @Test(
        "Both views of an MPO are found",
        arguments: SampleFolder.photos.files(in: "mpo").filter { $0.hasSuffix(".mpo") })
    func views(file: String) throws {
        let record = try record(file)
        #expect(record.objects("planes").isEmpty)
        let second = try #require(try truth(file).objects("aux").first)
        let pair = record.object("stereo")
        #expect(pair.text("source") == "mpo")
        #expect(pair.object("left").integer("offset") == 0)
        #expect(pair.object("right").integer("offset") == second.integer("offset"))
        #expect(pair.object("right").integer("length") == second.integer("length"))
        // exiftool -BaselineLength: 0.01, 0.077, and 1 for a Nintendo, where all bits are set, which means unknown.
        let baselines = ["mpo/abbeystones.mpo": 0.01, "mpo/php-written-out.mpo": 0.077]
        #expect(pair.number("baseline") == baselines[file])
        try expectPictures(file, second.object("decoded").numbers("size").map { Int($0) })
    }

    @Test("A JPS without a descriptor is cross-eyed")
    func crossEyed() throws {
        let pair = try record("mpo/super-mario.jps").object("stereo")
        #expect(pair.object("left").integer("x") == 522)
        #expect(pair.object("right").integer("x") == 0)
        try expectPictures("mpo/super-mario.jps", [522, 720])
    }

    /// Nokia's example of a stereo pair has its sky nearest if the first picture is taken for the left one. The other files
    /// have their sky and their walls farthest.
    @Test(
        "Exchanged eyes are doubted, and others are not",
        arguments: [
            ("apple-spatial/nokia-stereo-1200x800.heic", true), ("mpo/fuji-frozenpond.mpo", false),
            ("mpo/sugarshack.mpo", false), ("mpo/super-mario.jps", false),
        ])
    func eyes(file: String, areExchanged: Bool) throws {
        let folder = TemporaryFolder()
        let run = try folder.run("extract \(SampleFolder.photos.path(file)) --depth-from stereo -o d.npy")
        #expect(run.messages.contains("may have the left eye for the right one") == areExchanged)
    }

    @Test(
        "Views and disparity maps of a Leia photo are found",
        arguments: SampleFolder.photos.files(in: "leia-lif"))
    func leia(file: String) throws {
        let (record, lif) = (try record(file), try truth(file).object("leia_lif"))
        let views = try #require(lif.objects("jsons").first?.objects("views"))
        let images = lif.objects("jpegs_in_trailer")
        let disparities = views.compactMap { $0.integer("disparityId") }.filter { $0 > 0 }
        #expect(record.objects("planes").map { $0.text("type") } == disparities.map { "\($0)" })
        #expect(record.objects("planes").allSatisfy { $0.text("kind") == "disparity" && $0.isNull("unit") })
        let picture = try #require(views.last?.integer("albedoId"))
        let image = try #require(
            images.first { $0.numbers("u32_x2_before").first == Double(picture) || images.count == 1 }
                ?? images.first { $0.integer("u32_before_soi") == 587_985 })
        #expect(record.object("stereo").object("right").integer("offset") == image.integer("offset"))
        try expectPictures(file, image.object("decoded").numbers("size").map { Int($0) })
    }

    /// Microns of `cmex`, and the focal length of `cmin`, read off the bytes by hand: 63 807 and
    /// 0x2622d86e / 2³⁰; 19 275 and 0x2e492d86 / 2³⁰. The angle is 2 · atan(1 / 2f).
    @Test(
        "Baseline and field of view of a spatial photo are read",
        arguments: [
            ("visionpro-spatial-photo", 0.063807, 80.0),
            ("iphone15promax-spatial-depth-gainmap", 0.019275, 69.32),
        ])
    func spatial(name: String, baseline: Double, angle: Double) throws {
        let pair = try record("apple-spatial/\(name).heic").object("stereo")
        #expect(abs((pair.number("baseline") ?? 0) - baseline) < 1e-9)
        #expect(abs((pair.number("horizontalFieldOfView") ?? 0) - angle) < 0.01)
        let left = pair.object("left").object("calibration").object("intrinsics")
        #expect(left.number("cx") == (left.number("width") ?? 0) / 2 - 0.5)
    }

    private func expectPictures(_ file: String, _ size: [Int]) throws {
        let folder = TemporaryFolder()
        for eye in ["left", "right"] {
            let output = folder.file("\(eye).png")
            try Tool.run("extract \(SampleFolder.photos.path(file)) --plane \(eye) -o \(output)")
            let written = try RasterFile(output, headerOnly: true)
            #expect([written.width, written.height] == size)
        }
        #expect(try folder.bytes(of: "left.png") != folder.bytes(of: "right.png"))
    }
}
