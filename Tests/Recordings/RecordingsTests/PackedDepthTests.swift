import Bytes
internal import DepthMaps
import DepthTypes
import RecordingWriting
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

/// ScanNet's `.sens` with depth in zlib streams.
@Suite("Depth in zlib streams")
struct PackedDepthTests {
    private static let (width, height) = (6, 4)

    /// A zlib stream (RFC 1950) of one stored block of samples of 1,300 mm.
    private static func stream(samples: Int = width * height, checksumOff: UInt8 = 0) -> [UInt8] {
        let bytes = (0..<samples).flatMap { _ in littleEndian(1300, 2) }
        var stream = HandMadePNG.stored(bytes)
        stream[stream.count - 1] ^= checksumOff
        return stream
    }

    private static func recording(
        _ frames: [[UInt8]], _ limits: DecodingLimits = DecodingLimits()
    ) throws -> Recording {
        var file = SensFile(size: PixelSize(width: width, height: height))
        file.isPacked = true
        file.frames = frames.enumerated().map { (SensFile.identity, $0 * 100_000, [], $1) }
        let draft = try ScanNetReader.read(MemorySource(file.bytes), limits)
        var finisher = RecordingFinisher(draft: draft, reading: ReadingOptions(), limits: limits)
        return try finisher.recording(at: "a.sens")
    }

    @Test("A frame whose checksum or length is wrong is damaged, and the others are read")
    func damaged() throws {
        let recording = try Self.recording([
            Self.stream(), Self.stream(checksumOff: 1), Self.stream(samples: 25), Self.stream(samples: 23),
            Array(Self.stream().dropLast()), Self.stream(),
        ])
        for index in [0, 5] {
            let frame = try recording.decodedFrame(at: index, [.depth])
            #expect(Array(frame.depth.samples) == [Float](repeating: 1.3, count: 24))
        }
        let codes = (1...4).map { index in
            (#expect(throws: ContainerError.self) {
                try recording.decodedFrame(at: index, [.depth])
            })?
            .code
        }
        #expect(codes == ["damaged", "damaged", "truncated", "damaged"])
    }

    @Test("Frames of a file have one limit of unpacked bytes, and each counts once")
    func unpackedBytes() throws {
        var limits = DecodingLimits()
        limits[.unpackedBytes] = 3 * 48
        let recording = try Self.recording([[UInt8]](repeating: Self.stream(), count: 4), limits)
        let decoders = [RecordingReader(recording), RecordingReader(recording)]
        var frame = TestFrame()
        for index in [0, 1, 2, 0, 1, 2] {
            for place in decoders.indices {
                try decoders[place].read([.depth], ofFrameAt: index, into: &frame)
            }
        }
        let error = #expect(throws: ContainerError.self) {
            try decoders[0].read([.depth], ofFrameAt: 3, into: &frame)
        }
        #expect(error?.reason == .limitExceeded(.unpackedBytes, limit: 144, requested: 192))
    }

    @Test("A deflate stream that ends early gives the records before its end")
    func endedStream() throws {
        let bytes = (0..<20).map { UInt8($0) }
        // A stored block that is not the last one: its length, the complement, and its bytes (RFC 1951, 3.2.4).
        let stream: [UInt8] = [0, 20, 0, 0xEB, 0xFF] + bytes
        let unpacked = UnpackedBytes(ofFile: stream.count, DecodingLimits())
        let records = DeflatedRecords(MemorySource(stream), size: 8, unpacked)
        var record: [UInt8] = []
        for index in [0, 1, 0] {
            try records.read(index, into: &record)
            #expect(record == Array(bytes[8 * index..<8 * index + 8]))
        }
        let error = #expect(throws: ContainerError.self) { try records.read(2, into: &record) }
        #expect(error?.reason == .truncated(needed: 24, available: 20))
    }
}
