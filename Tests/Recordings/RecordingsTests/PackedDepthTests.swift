import Bytes
internal import DepthMaps
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
        let bytes = (0..<samples).flatMap { _ in BagWriter.number(1300, bytes: 2) }
        let length = BagWriter.number(bytes.count, bytes: 2)
        var (a, b) = (1, 0)
        for byte in bytes { (a, b) = ((a + Int(byte)) % 65521, (b + a + Int(byte)) % 65521) }
        let checksum = Array(BagWriter.number(b << 16 | a).reversed())
        return [0x78, 0x01, 0x01] + length + length.map { ~$0 } + bytes + checksum.dropLast()
            + [checksum[3] ^ checksumOff]
    }

    private static func recording(
        _ frames: [[UInt8]], _ limits: DecodingLimits = DecodingLimits()
    ) throws -> Recording {
        func floats(_ values: [Float]) -> [UInt8] { values.flatMap { BagWriter.number(Int($0.bitPattern)) } }
        let identity: [Float] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        var bytes = BagWriter.number(4) + BagWriter.number(4, bytes: 8) + Array("test".utf8)
        for _ in 0..<4 { bytes += floats(identity) }
        for number in [1, 1, width, height, width, height] { bytes += BagWriter.number(number) }
        bytes += floats([1000]) + BagWriter.number(frames.count, bytes: 8)
        for (index, frame) in frames.enumerated() {
            bytes += floats(identity)
            for number in [index * 100_000, index * 100_000, 0, frame.count] {
                bytes += BagWriter.number(number, bytes: 8)
            }
            bytes += frame
        }
        let draft = try ScanNetReader.read(MemorySource(bytes), limits)
        var finisher = RecordingFinisher(draft: draft, reading: ReadingOptions(), limits: limits)
        return try finisher.recording(at: "a.sens")
    }

    @Test("A frame whose checksum or length is wrong is damaged, and the others are read")
    func damaged() throws {
        let recording = try Self.recording([
            Self.stream(), Self.stream(checksumOff: 1), Self.stream(samples: 25), Self.stream(samples: 23),
            Array(Self.stream().dropLast()), Self.stream(),
        ])
        let decoder = RecordingReader(recording)
        var frame = TestFrame()
        for index in [0, 5] {
            try decoder.read([.depth], ofFrameAt: index, into: &frame)
            #expect(Array(frame.depth.samples) == [Float](repeating: 1.3, count: 24))
        }
        let codes = (1...4).map { index in
            (#expect(throws: ContainerError.self) {
                try decoder.read([.depth], ofFrameAt: index, into: &frame)
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
}
