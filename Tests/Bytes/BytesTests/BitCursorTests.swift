internal import Bytes
internal import Testing

@Suite("BitCursor")
struct BitCursorTests {
    private static func cursor(_ bytes: [UInt8]) -> BitCursor {
        BitCursor(removingEmulationPreventionFrom: bytes, base: 0, path: StructurePath())
    }

    /// ITU-T H.265 Table 9-3: bit strings and their code numbers.
    @Test(
        "BitCursor reads the standard's table of Exp-Golomb codes",
        arguments: [
            (0b1000_0000, 0), (0b0100_0000, 1), (0b0110_0000, 2), (0b0010_0000, 3), (0b0010_1000, 4),
            (0b0011_0000, 5), (0b0011_1000, 6), (0b0001_0000, 7), (0b0001_0010, 8),
        ] as [(UInt8, Int)])
    func unsignedGolomb(byte: UInt8, value: Int) throws {
        var bits = Self.cursor([byte])
        #expect(try bits.readUnsignedGolomb() == value)
    }

    /// ITU-T H.265 Table 9-4: 1, −1, 2, −2 for code numbers 1 to 4.
    @Test(
        "BitCursor reads the standard's table of signed Exp-Golomb codes",
        arguments: [
            (0b1000_0000, 0), (0b0100_0000, 1), (0b0110_0000, -1), (0b0010_0000, 2), (0b0010_1000, -2),
        ]
            as [(UInt8, Int)])
    func signedGolomb(byte: UInt8, value: Int) throws {
        var bits = Self.cursor([byte])
        #expect(try bits.readSignedGolomb() == value)
    }

    @Test("BitCursor removes emulation prevention bytes and nothing else")
    func emulationPrevention() throws {
        var bits = Self.cursor([0, 0, 3, 1, 0, 3, 0, 0, 3, 0, 0, 3])
        var bytes: [Int] = []
        while bits.remaining >= 8 { bytes.append(try bits.read(8)) }
        #expect(bytes == [0, 0, 1, 0, 3, 0, 0, 0, 0])
    }

    @Test("An Exp-Golomb code of more than 32 bits is refused")
    func endlessCode() {
        #expect(throws: ContainerError.self) {
            var bits = Self.cursor([UInt8](repeating: 0, count: 1) + [UInt8](repeating: 1, count: 1))
            _ = try bits.readUnsignedGolomb()
            _ = try bits.readUnsignedGolomb()
        }
        let error = #expect(throws: ContainerError.self) {
            var bits = Self.cursor([0, 1, 0, 1].flatMap { [UInt8](repeating: $0, count: 1) } + [0, 0, 1])
            try bits.skip(32)
            _ = try bits.readUnsignedGolomb()
        }
        #expect(error != nil)
    }
}
