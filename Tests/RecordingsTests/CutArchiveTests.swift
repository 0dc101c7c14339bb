import ByteParsing
import DepthModel
import EmbeddedFormats
import Foundation
import Sequences
import TestSupport
import Testing

@testable import Recordings

/// Archives of Record3D that were not written to their end.
@Suite("Archives that are cut off")
struct CutArchiveTests {
    private static let size = (width: 192, height: 256)

    /// Record3D's archive of frames at 1, 2, 3 … meters: members are stored, depth is in uncompressed LZFSE blocks.
    private static func archive(
        frames: Int, isDescribedFirst: Bool, hasDescriptors: Bool = false, statesSize: Bool = true
    ) -> ZIPWriter {
        var fields: [(String, JSONValue)] = [
            ("w", .integer(size.width)), ("h", .integer(size.height)), ("fps", .integer(30)),
            ("K", .numbers([200, 0, 0, 0, 200, 0, 96, 128, 1])),
            ("poses", .array((0..<frames).map { .numbers([0, 0, 0, 1, Double($0), 0, 0]) })),
        ]
        if statesSize { fields += [("dw", .integer(size.width)), ("dh", .integer(size.height))] }
        let metadata = Array(JSONValue.object(fields).serialized.utf8)
        var zip = ZIPWriter(hasDescriptors: hasDescriptors)
        if isDescribedFirst { zip.add("metadata", metadata) }
        for index in 0..<frames {
            let bits = Float(index + 1).bitPattern
            let sample = (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
            let map = [UInt8]((0..<size.width * size.height).map { _ in sample }.joined())
            let count = UInt32(map.count)
            let block =
                Array("bvx-".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * UInt32($0))) }
            zip.add("rgbd/\(index).depth", block + map + Array("bvx$".utf8))
        }
        if !isDescribedFirst { zip.add("metadata", metadata) }
        return zip
    }

    private func depths(_ recording: ListedRecording) throws -> [Float] {
        let source = RecordingFrames(recording)
        var frame = SequenceFrame()
        var found: [Float] = []
        while try source.advance() != nil {
            try source.read(.depth, into: &frame)
            found.append(frame.depth.samples[1000])
        }
        return found
    }

    @Test("The frames before the cut are there, with poses, and a warning", arguments: [false, true])
    func cut(hasDescriptors: Bool) throws {
        let folder = try TemporaryFolder()
        let zip = Self.archive(frames: 5, isDescribedFirst: true, hasDescriptors: hasDescriptors)
        let whole = try ListedRecording(contentsOf: try folder.write(zip.finished, to: "whole.r3d"))
        #expect(try depths(whole) == [1, 2, 3, 4, 5] && whole.diagnostics.isEmpty)
        // In the middle of the fourth frame.
        let bytes = Array(zip.finished.prefix(zip.ends[3] + 1000))
        let recording = try ListedRecording(contentsOf: try folder.write(bytes, to: "cut.r3d"))
        #expect(recording.poseCount == 3)
        #expect(try depths(recording) == [1, 2, 3])
        #expect(recording.diagnostics.map(\.code) == [.cutOff])
        #expect(recording.diagnostics[0].description.contains("3 of 5 frames"))
    }

    @Test("Where the description comes last, frames are there without poses and camera")
    func undescribed() throws {
        let folder = try TemporaryFolder()
        let zip = Self.archive(frames: 3, isDescribedFirst: false)
        let recording = try ListedRecording(
            contentsOf: try folder.write(Array(zip.finished.prefix(zip.ends[2] - 10)), to: "cut.r3d"))
        #expect(recording.poseCount == 0 && recording.intrinsics == nil)
        #expect(recording.depthSize == PixelSize(width: 192, height: 256))
        #expect(try depths(recording) == [1, 2])
        #expect(recording.diagnostics.contains { $0.code == .cutOff })
    }

    @Test("Depth whose size is not stated has that of the camera that its bytes fit")
    func unstatedSize() throws {
        let folder = try TemporaryFolder()
        let zip = Self.archive(frames: 2, isDescribedFirst: true, statesSize: false)
        let recording = try ListedRecording(contentsOf: try folder.write(zip.finished, to: "old.r3d"))
        #expect(RecordingFrames(recording).description.depth?.size == PixelSize(width: 192, height: 256))
    }

    @Test("A cut before the first frame, and an archive of something else, are errors")
    func nothing() throws {
        let folder = try TemporaryFolder()
        let zip = Self.archive(frames: 3, isDescribedFirst: false)
        let path = try folder.write(Array(zip.finished.prefix(5000)), to: "cut.r3d")
        #expect(throws: ContainerError.self) { try ListedRecording(contentsOf: path) }
        var other = ZIPWriter(hasDescriptors: false)
        other.add("a.txt", Array("hello".utf8))
        other.add("b.txt", Array("hello".utf8))
        let foreign = try folder.write(Array(other.finished.prefix(other.ends[1] - 2)), to: "other.r3d")
        #expect(throws: ContainerError.self) { try ListedRecording(contentsOf: foreign) }
    }

    @Test(
        "A real archive's frames, cut after two",
        .enabled(if: RecordingSamples.isAvailable, "ISOBATH_SEQUENCES names no folder"))
    func real() throws {
        let bytes = try RecordingSamples.bytes("constructed/record3d-5frames.r3d")
        let folder = try TemporaryFolder()
        let recording = try ListedRecording(
            contentsOf: try folder.write(Array(bytes.prefix(bytes.count * 45 / 100)), to: "cut.r3d"))
        #expect(recording.frames.count == 2)
        #expect(recording.colorSize == PixelSize(width: 1440, height: 1920))
    }
}
