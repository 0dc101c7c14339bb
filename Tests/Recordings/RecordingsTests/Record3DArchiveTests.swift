import Bytes
internal import DepthMaps
import DepthTypes
import Embedded
import Foundation
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

@Suite("Archives of Record3D")
struct Record3DArchiveTests {
    private let folder = TemporaryFolder()
    private static let size = (width: 192, height: 256)

    /// Record3D's archive of frames at 1, 2, 3 … meters: members are stored, depth is in uncompressed LZFSE blocks.
    static func archive(
        frames: Int, hasDescriptors: Bool = false, statesSize: Bool = true
    ) -> ZIPWriter {
        var fields: [(String, JSONValue)] = [
            ("w", .integer(size.width)), ("h", .integer(size.height)), ("fps", .integer(30)),
            ("K", .numbers([200, 0, 0, 0, 200, 0, 96, 128, 1])),
            ("poses", .array((0..<frames).map { .numbers([0, 0, 0, 1, Double($0), 0, 0]) })),
        ]
        if statesSize { fields += [("dw", .integer(size.width)), ("dh", .integer(size.height))] }
        let metadata = Array(JSONValue.object(fields).serialized.utf8)
        var zip = ZIPWriter(hasDescriptors: hasDescriptors)
        zip.add("metadata", metadata)
        for index in 0..<frames {
            let meters = [Float](repeating: Float(index + 1), count: size.width * size.height)
            zip.add("rgbd/\(index).depth", uncompressedLZFSE(littleEndian(meters)))
        }
        return zip
    }

    private func depths(_ recording: Recording) throws -> [Float] {
        let source = RecordingReader(recording)
        var frame = TestFrame()
        var found: [Float] = []
        while try source.advance() != nil {
            try source.read([.depth], into: &frame)
            found.append(frame.depth.samples[1000])
        }
        return found
    }

    @Test("Sizes may follow the data of members", arguments: [false, true])
    func descriptors(hasDescriptors: Bool) throws {
        let zip = Self.archive(frames: 5, hasDescriptors: hasDescriptors)
        let recording = try Recording(contentsOf: try folder.write(zip.finished, to: "a.r3d"))
        #expect(try depths(recording) == [1, 2, 3, 4, 5] && recording.diagnostics.isEmpty)
    }

    @Test("Depth whose size is not stated has that of the camera that its bytes fit")
    func unstatedSize() throws {
        let zip = Self.archive(frames: 2, statesSize: false)
        let recording = try Recording(contentsOf: try folder.write(zip.finished, to: "old.r3d"))
        #expect(RecordingReader(recording).description.depth?.size == PixelSize(width: 192, height: 256))
    }

    @Test("An archive that is cut off is an error, and so is one of something else")
    func nothing() throws {
        let zip = Self.archive(frames: 3)
        let path = try folder.write(Array(zip.finished.prefix(zip.ends[1])), to: "cut.r3d")
        let error = try #require(throws: ContainerError.self) { try Recording(contentsOf: path) }
        #expect(error.message.contains("no directory at its end; it may be cut off"))
        var other = ZIPWriter(hasDescriptors: false)
        other.add("a.txt", Array("hello".utf8))
        let foreign = try folder.write(other.finished, to: "other.r3d")
        #expect(throws: ContainerError.self) { try Recording(contentsOf: foreign) }
    }
}
