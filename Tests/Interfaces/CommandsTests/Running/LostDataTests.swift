import Embedded
import Foundation
import TestSupport
import Testing

/// Data that a recording lacks is reported, even by quiet runs, and the exit status is 1.
@Suite("Data that recordings have lost")
struct LostDataTests {
    /// Record3D's archive, whose depth has one sample: an LZFSE block that is stored.
    private static func archive(frames: Int) -> ZIPWriter {
        let fields: [(String, JSONValue)] = [
            ("w", .integer(1)), ("h", .integer(1)), ("dw", .integer(1)), ("dh", .integer(1)),
            ("fps", .integer(60)), ("K", .numbers([1, 0, 0, 0, 1, 0, 0, 0, 1])),
            ("poses", .array((0..<frames).map { .numbers([0, 0, 0, 1, Double($0), 0, 0]) })),
        ]
        var zip = ZIPWriter()
        zip.add("metadata", Array(JSONValue.object(fields).serialized.utf8))
        // 1 as Float32.
        let depth = Array("bvx-".utf8) + [4, 0, 0, 0, 0, 0, 0x80, 0x3F] + Array("bvx$".utf8)
        for index in 0..<frames {
            zip.add("rgbd/\(index).depth", depth)
            zip.add("rgbd/\(index).conf", [])
            zip.add("rgbd/\(index).jpg", [])
        }
        return zip
    }

    @Test("A minute of Record3D, of more than 10,000 members, is read", arguments: ["info", "cloud"])
    func manyMembers(command: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.archive(frames: 3400).finished, to: "57s.r3d")
        if command == "info" {
            let run = try Tool.run(["info", "--json", path])
            #expect(run.status == 0, "\(run.messages)")
            #expect(try run.objects().first?.integer("frames") == 3400)
        } else {
            let run = try Tool.run(["cloud", path, "--voxel", "1", "-o", folder.file("a.ply")])
            #expect(!run.messages.contains("limit"), "\(run.messages)")
        }
    }

    /// Four frames, whose third depth map is not an image.
    private static func damaged(_ folder: borrowing TemporaryFolder) throws {
        try RecordingTests.write(folder)
        try folder.write([1, 2, 3, 4], to: "frame-000002.depth.png")
    }

    @Test("Damaged frames are counted, named, and make the exit status 1", arguments: [[], ["--quiet"]])
    func damagedFrames(flags: [String]) throws {
        let (folder, output) = (try TemporaryFolder(), try TemporaryFolder())
        try Self.damaged(folder)
        let run = try Tool.run(
            ["extract", folder.path, "-o", output.file("f-%d.png"), "--json"] + flags)
        #expect(run.status == 1 && output.contents.count == 3)
        let lines = run.messages.split(separator: "\n")
        #expect(lines.contains { $0.contains("frame 2: ") }, "\(run.messages)")
        #expect(
            lines.last?.contains(
                "warning: written, but with losses: 3 frames, 1 damaged (frame 2), normalized")
                == true, "\(run.messages)")
        let record = try #require(try run.objects().first)
        #expect(record.integer("frames") == 3 && record.integer("failed") == 1)
        #expect(record.numbers("damagedFrames") == [2] && record.integer("missing") == 0)
        let errors = record.objects("errors")
        #expect(errors.count == 1 && errors.first?.text("code") == "damaged-frames")
        let cloud = try Tool.run(
            ["cloud", folder.path, "--voxel", "0.05", "-o", output.file("a.ply"), "--json"] + flags)
        #expect(
            cloud.status == 1 && cloud.messages.contains("frame 2 cannot be decoded"), "\(cloud.messages)")
        #expect(cloud.messages.contains("points of 3 frames, 1 damaged (frame 2), "))
        let cloudRecord = try #require(try cloud.objects().first)
        #expect(cloudRecord.numbers("damagedFrames") == [2] && cloudRecord.objects("errors").count == 1)
    }

    @Test("Missing frames are counted, and make the exit status 1")
    func missingFrames() throws {
        let (folder, output) = (try TemporaryFolder(), try TemporaryFolder())
        try RecordingTests.write(folder)
        try FileManager.default.removeItem(atPath: folder.file("frame-000001.depth.png"))
        let run = try Tool.run(["extract", folder.path, "-o", output.file("f-%d.png"), "--json", "--quiet"])
        #expect(
            run.status == 1 && run.messages.contains("3 frames, 1 missing, normalized"), "\(run.messages)")
        #expect(try run.objects().first?.integer("missing") == 1)
    }

    @Test(
        "A damaged frame of a Record3D archive is named",
        .enabled(if: AttackSamples.isAvailable, "ISOBATH_ATTACKS names no folder"))
    func damagedArchive() throws {
        let output = try TemporaryFolder()
        let run = try Tool.run([
            "extract", AttackSamples.path("F16-quiet/dmg.r3d"), "--quiet", "--json", "-o",
            output.file("f-%d.png"),
        ])
        #expect(
            run.status == 1 && run.messages.contains("4 frames, 1 damaged (frame 2), normalized"),
            "\(run.messages)")
        #expect(try run.objects().first?.objects("errors").count == 1)
    }

    @Test(
        "Frames that are listed and missing, or there and not listed, are counted",
        .enabled(if: AttackSamples.isAvailable, "ISOBATH_ATTACKS names no folder"))
    func lists() throws {
        // ls counts 20 depth maps for 3 lines, 3 for 2 cameras, and no folder of depth for 3 frames.
        for (name, skipped, unlisted, status) in [
            ("stray", 2, 19, 1), ("polycam", 0, 1, 0), ("nerf", 0, 0, 1),
        ] {
            let run = try Tool.run(["info", "--json", AttackSamples.path("F17-lists/" + name)])
            let record = try #require(try run.objects().first)
            #expect(record.integer("skipped") == skipped && record.integer("unlisted") == unlisted, "\(name)")
            #expect(Int(run.status) == status, "\(name): \(run.messages)")
        }
        let nerf = try Tool.run(["info", "--quiet", AttackSamples.path("F17-lists/nerf")])
        #expect(nerf.messages.contains("3 of 3 listed depth maps are missing"))
    }

    @Test(
        "A bag that is cut off behind a chunk is said to be",
        .enabled(if: AttackSamples.isAvailable, "ISOBATH_ATTACKS names no folder"))
    func cutBag() throws {
        let full = try Tool.run(["info", AttackSamples.path("F24-bag/full.bag")])
        #expect(full.status == 0 && full.messages.isEmpty, "\(full.messages)")
        let cut = try Tool.run(["info", "--quiet", AttackSamples.path("F24-bag/cut1.bag")])
        #expect(cut.status == 1 && cut.messages.contains("the bag is cut off"), "\(cut.messages)")
    }
}
