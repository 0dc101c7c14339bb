import Bytes
import Scenes
import TestSupport
import Testing

/// Samples of 16 bits that are packed millimeters: a ramp from 0.5 to 4 m, and the bit operations of the formats.
@Suite struct PackedSampleTests {
    private func code(of reading: ReadingOptions = ReadingOptions(), _ pack: (Int, Int) -> Int) throws
        -> [String]
    {
        let codes = (0..<32 * 24).map { pack(500 + 3500 * ($0 % 32) / 31, $0 % 32) }
        let bytes = codes.flatMap { [UInt8($0 >> 8 & 255), UInt8($0 & 255)] }
        let input = try DepthScene(
            storedIn: MemorySource(Array("P5 32 24 65535\n".utf8) + bytes), reading: reading)
        _ = try input.depth()
        return input.diagnostics.map(\.code.rawValue).filter { $0.hasSuffix("-samples") }
    }

    @Test("Android's DEPTH16, with a confidence in the upper 3 bits")
    func confidence() throws {
        #expect(try code { depth, column in depth | (column % 2 * 4) << 13 } == ["packed-samples"])
        #expect(try code { depth, column in depth | (column / 3 % 8) << 13 } == ["packed-samples"])
    }

    @Test("SUN RGB-D's rotation by 3 bits, below 8.192 m and beyond")
    func rotated() throws {
        #expect(try code { depth, _ in depth << 3 } == ["shifted-samples"])
        #expect(
            try code { depth, _ in (3 * depth) << 3 & 0xFFFF | (3 * depth) >> 13 } == ["packed-samples"])
        var reading = ReadingOptions()
        reading.scale = 8000
        #expect(try code(of: reading) { depth, _ in depth << 3 } == [])
    }

    @Test("Plain samples have no warning: a ramp, a step, a full range, and noise")
    func plain() throws {
        var random = SplitMix(seed: 7)
        #expect(try code { depth, _ in depth } == [])
        #expect(try code { depth, column in column < 16 ? depth : depth + 8192 } == [])
        #expect(try code { depth, _ in depth * 16 + 7 } == [])
        #expect(try code { _, _ in Int(random.next() % 65535) + 1 } == [])
    }
}
