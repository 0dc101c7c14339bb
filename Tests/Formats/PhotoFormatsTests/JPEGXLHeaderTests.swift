import Bytes
import DepthTypes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("JPEGXLHeader")
struct JPEGXLHeaderTests {
    /// Numbers with their bit counts, packed least significant first after the signature.
    private static func stream(_ fields: [(Int, Int)]) -> [UInt8] {
        var bits: [Bool] = []
        for (value, count) in fields {
            for place in 0..<count { bits.append(value >> place & 1 == 1) }
        }
        var bytes: [UInt8] = [0xFF, 0x0A]
        for start in stride(from: 0, to: bits.count, by: 8) {
            var byte: UInt8 = 0
            for (place, bit) in bits[start..<min(start + 8, bits.count)].enumerated() where bit {
                byte |= 1 << place
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// 640 × 480 of 8 bits, orientation 6, with 12-bit depth named "Z" and premultiplied alpha of 8 bits.
    /// In order: not small, 1 + 479 high, 4:3; orientation 1 + 5, no other extra fields; integers of 8 bits; 2 + 0 channels.
    private static let example = stream([
        // Not small, height 1 + 479, width 4:3 of it.
        (0, 1), (0, 2), (479, 9), (3, 3),
        (0, 1), (1, 1), (5, 3), (0, 3),
        (0, 1), (0, 2), (1, 1),
        (2, 2), (0, 4),
        (0, 1), (1, 2), (0, 1), (2, 2), (0, 2), (1, 2), (1, 4), (0x5A, 8),
        (0, 1), (0, 2), (0, 1), (0, 2), (0, 2), (0, 2), (1, 1),
    ])

    @Test("Size, orientation and extra channels are read bit by bit")
    func example() throws {
        let header = try JPEGXLHeader(parsing: Self.example, at: 0, limits: DecodingLimits())
        #expect([header.width, header.height, header.orientation, header.bitDepth] == [640, 480, 6, 8])
        #expect(header.extraChannels.map(\.type) == [1, 0])
        #expect(header.extraChannels.map(\.bitDepth) == [12, 8])
        #expect(header.extraChannels.map(\.isPremultiplied) == [false, true])
    }

    /// The numerators and denominators of ISO/IEC 18181-1, table "Aspect ratios".
    @Test("The width follows from one of seven shapes", arguments: 1...7)
    func shape(ratio: Int) throws {
        // 720 rows; upright, 32 bits as floats with exponents of 8, no extra channel.
        let header = try JPEGXLHeader(
            parsing: Self.stream([
                (0, 1), (1, 2), (719, 13), (ratio, 3),
                (0, 1), (0, 1), (1, 1), (0, 2), (7, 4), (1, 1), (0, 2),
            ]), at: 0, limits: DecodingLimits())
        #expect(header.width == [720, 864, 960, 1080, 1280, 900, 1440][ratio - 1] && header.height == 720)
        #expect(header.bitDepth == 32)
    }

    @Test("Bits beyond the end are an error that says how many bytes are needed")
    func beyond() throws {
        var bits = JPEGXLBits([0xFF, 0x0A, 0], at: 0)
        try bits.skip(24)
        let error = #expect(throws: ContainerError.self) { try bits.skip(9) }
        #expect(error?.reason == .truncated(needed: 2, available: 0))
    }

    @Test("The container lists depth without a unit")
    func container() throws {
        let container = try parseContainer(MemorySource(Self.example), limits: DecodingLimits())
        #expect(container.format == .jpegXL)
        #expect(container.planes.map(\.kind) == [.depth, .alpha])
        #expect(container.planes[0].mapping?.isDeclared == false)
        #expect(container.planes[0].source == "jxl-extra-channel")
        #expect(container.photo.orientation == .right)
    }

    /// 8 × 8 of 8 bits with one extra channel of type 4 (black), 8 bits, in full size, without a name.
    @Test("An image of four inks is described, and its color not read")
    func inks() throws {
        let stream = Self.stream([
            (1, 1), (0, 5), (1, 3),
            (0, 1), (0, 1), (0, 1), (0, 2), (1, 1),
            (1, 2),
            (0, 1), (2, 2), (2, 4), (0, 1), (0, 2), (0, 2), (0, 2),
        ])
        let container = try parseContainer(MemorySource(stream), limits: DecodingLimits())
        #expect([container.photo.width, container.photo.height] == [8, 8])
        #expect(container.planes.map(\.type) == ["black"])
        #expect(container.photo.readError?.message.contains("CMYK") == true)
    }

    @Test("A truncated header is an error, and a changed one is read or refused")
    func damage() {
        for count in 0..<Self.example.count {
            #expect(throws: ContainerError.self) {
                try JPEGXLHeader(
                    parsing: Array(Self.example.prefix(count)), at: 0, limits: DecodingLimits())
            }
        }
        var mutants = MutantCount()
        for index in Self.example.indices {
            for value in UInt8.min...UInt8.max {
                var changed = Self.example
                changed[index] = value
                mutants.add { _ = try parseContainer(MemorySource(changed), limits: DecodingLimits()) }
            }
        }
        mutants.expectBoth()
    }
}
