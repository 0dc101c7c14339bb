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
        for index in 0..<frames {
            zip.add("rgbd/\(index).depth", uncompressedLZFSE(littleEndian([1])))
            zip.add("rgbd/\(index).conf", [])
            zip.add("rgbd/\(index).jpg", [])
        }
        return zip
    }

    @Test("A minute of Record3D, of more than 10,000 members, is read", arguments: ["info", "cloud"])
    func manyMembers(command: String) throws {
        let folder = TemporaryFolder()
        let path = try folder.write(Self.archive(frames: 3400).finished, to: "57s.r3d")
        if command == "info" {
            let run = try Tool.run("info --json \(path)")
            #expect(try run.objects().first?.integer("frames") == 3400)
        } else {
            let run = try folder.run("cloud \(path) --voxel 1 -o a.ply", status: nil)
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
        let (folder, output) = (TemporaryFolder(), TemporaryFolder())
        try Self.damaged(folder)
        let run = try output.run("extract \(folder.path) -o f-%d.png --json \(flags)", status: 1)
        #expect(output.contents.count == 3, "\(run.messages)")
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
        let cloud = try output.run(
            "cloud \(folder.path) --voxel 0.05 -o a.ply --json \(flags)", status: 1,
            says: "frame 2 cannot be decoded", "points of 3 frames, 1 damaged (frame 2), ")
        let cloudRecord = try #require(try cloud.objects().first)
        #expect(cloudRecord.numbers("damagedFrames") == [2] && cloudRecord.objects("errors").count == 1)
    }

    @Test("Missing frames are counted, and make the exit status 1")
    func missingFrames() throws {
        let (folder, output) = (TemporaryFolder(), TemporaryFolder())
        try RecordingTests.write(folder)
        try folder.remove("frame-000001.depth.png")
        let run = try output.run(
            "extract \(folder.path) -o f-%d.png --json --quiet", status: 1,
            says: "3 frames, 1 missing, normalized")
        #expect(try run.objects().first?.integer("missing") == 1)
    }

    @Test(
        "A damaged frame of a Record3D archive is named",
        .needsAttacks)
    func damagedArchive() throws {
        let output = TemporaryFolder()
        let run = try output.run(
            "extract \(SampleFolder.attacks.path("F16-quiet/dmg.r3d")) --quiet --json -o f-%d.png", status: 1,
            says: "4 frames, 1 damaged (frame 2), normalized")
        #expect(try run.objects().first?.objects("errors").count == 1)
    }

    @Test(
        "Frames that are listed and missing, or there and not listed, are counted",
        .needsAttacks)
    func lists() throws {
        // ls counts 20 depth maps for 3 lines, 3 for 2 cameras, and no folder of depth for 3 frames.
        for (name, skipped, unlisted, status) in [
            ("stray", 2, 19, 1), ("polycam", 0, 1, 0), ("nerf", 0, 0, 1),
        ] {
            let run = try Tool.run(["info", "--json", SampleFolder.attacks.path("F17-lists/" + name)])
            let record = try #require(try run.objects().first)
            #expect(record.integer("skipped") == skipped && record.integer("unlisted") == unlisted, "\(name)")
            #expect(Int(run.status) == status, "\(name): \(run.messages)")
        }
        try Tool.run(
            "info --quiet \(SampleFolder.attacks.path("F17-lists/nerf"))", status: 1,
            says: "3 of 3 listed depth maps are missing")
    }

    @Test(
        "A bag that is cut off behind a chunk is said to be",
        .needsAttacks)
    func cutBag() throws {
        let full = try Tool.run("info \(SampleFolder.attacks.path("F24-bag/full.bag"))")
        #expect(full.messages.isEmpty, "\(full.messages)")
        try Tool.run(
            "info --quiet \(SampleFolder.attacks.path("F24-bag/cut1.bag"))", status: 1,
            says: "the bag is cut off")
    }
}
