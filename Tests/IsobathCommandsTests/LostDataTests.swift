import EmbeddedFormats
import Foundation
import TestSupport
import Testing

/// Data that a recording should have and does not: it is said, also by quiet runs, and the exit status is 1.
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

    @Test("A recording that is cut off makes the exit status 1", arguments: [[], ["--quiet"], ["--json"]])
    func cutOff(flags: [String]) throws {
        let folder = try TemporaryFolder()
        let zip = Self.archive(frames: 5)
        let path = try folder.write(zip.finished.prefix(zip.ends[9] + 10), to: "cut.r3d")
        let run = try Tool.run(["info", path] + flags)
        #expect(run.status == 1)
        #expect(run.messages.contains("the archive is cut off: 3 of 5 frames are there"), "\(run.messages)")
        #expect(run.text.contains("cut off"))
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
