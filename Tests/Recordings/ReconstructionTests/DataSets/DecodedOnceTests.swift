import Bytes
import Reconstruction
import RecordingWriting
import Scenes
import Synchronization
import TestSupport
import Testing

@testable import Recordings

@Suite("How often frames are decoded")
struct DecodedOnceTests {
    /// How often each frame's depth was read.
    private final class Counts: Sendable {
        let reads = Mutex<[Int: Int]>([:])
    }

    /// A part that counts how often it is read.
    private struct CountedPart: FramePart {
        let part: any FramePart
        let index: Int
        let counts: Counts

        func read(
            into bytes: inout [UInt8], _ memory: inout StoreMemory, _ limits: DecodingLimits
        ) throws(ContainerError) {
            counts.reads.withLock { $0[index, default: 0] += 1 }
            try part.read(into: &bytes, &memory, limits)
        }

        func source(_ limits: DecodingLimits) -> (any ByteSource)? { part.source(limits) }
    }

    private static func recording(
        _ folder: borrowing TemporaryFolder, counting counts: Counts
    ) throws -> Recording {
        let path = try RecordingWriter().write(.nerfstudio, into: folder)
        let (reading, limits) = (ReadingOptions(), DecodingLimits())
        var draft = try TransformsReader.read(RecordingFolder(path), reading, limits)
        for index in draft.frames.indices {
            draft.frames[index].depth = draft.frames[index].depth.map {
                CountedPart(part: $0, index: index, counts: counts)
            }
        }
        var finisher = RecordingFinisher(draft: draft, reading: reading, limits: limits)
        return try finisher.recording(at: path)
    }

    @Test("A data set decodes each frame twice, and a cloud once")
    func dataSet() throws {
        let folder = TemporaryFolder()
        let counts = Counts()
        let recording = try Self.recording(folder, counting: counts)
        #expect(recording.frameCount == 6 && counts.reads.withLock(\.isEmpty))
        _ = try recording.fused(voxel: 0.02)
        #expect(counts.reads.withLock(\.self) == [0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1])
        counts.reads.withLock { $0 = [:] }
        let set = try recording.writeDataSet(.nerfstudio, to: folder.file("set"))
        #expect(set.pointCount ?? 0 > 1000)
        #expect(counts.reads.withLock(\.self) == [0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2])
    }
}
