import Bytes
import DepthTypes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("DNGContainer")
struct DNGContainerTests {
    /// One field of type SHORT (3), LONG (4), RATIONAL (5), BYTE (1) or ASCII (2).
    private typealias Field = (tag: Int, type: Int, count: Int, value: [UInt8])

    private static func long(_ tag: Int, _ value: Int) -> Field { (tag, 4, 1, littleEndian(value)) }

    /// A little-endian file of directories, the first linked to the others as SubIFDs, with 16 bytes of samples at the end.
    private static func file(main: [Field], others: [[Field]]) -> [UInt8] {
        let size = 2 + 12 * 16 + 4 + 64
        let samples = 8 + size * (1 + others.count)
        var bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
        let links = Field(
            0x014A, 4, others.count, others.indices.flatMap { littleEndian(8 + size * ($0 + 1)) })
        for (index, fields) in ([main + [links]] + others).enumerated() {
            let base = 8 + size * index
            var extra: [UInt8] = []
            var block = littleEndian(fields.count, 2)
            for field in fields {
                let value: [UInt8]
                if field.value.count <= 4 {
                    value = field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
                } else {
                    value = littleEndian(base + 2 + 12 * 16 + 4 + extra.count)
                    extra += field.value
                }
                block +=
                    littleEndian(field.tag, 2) + littleEndian(field.type, 2) + littleEndian(field.count)
                    + value
            }
            block += littleEndian(0)
            block += [UInt8](repeating: 0, count: 2 + 12 * 16 + 4 - block.count) + extra
            bytes += block + [UInt8](repeating: 0, count: size - block.count)
        }
        return bytes + [UInt8](0..<16) + littleEndian(samples)
    }

    private static let version: Field = (0xC612, 1, 4, [1, 6, 0, 0])

    private static func depth(
        format: Int, near: (Int, Int), far: (Int, Int), unit: Int, more: [Field] = []
    ) -> [UInt8] {
        let samples = 8 + 2 * (2 + 12 * 16 + 4 + 64)
        let main: [Field] = [
            version, long(0xC7E9, format),
            (0xC7EA, 5, 1, littleEndian(near.0) + littleEndian(near.1)),
            (0xC7EB, 5, 1, littleEndian(far.0) + littleEndian(far.1)),
            long(0xC7EC, unit), long(0xC7ED, 2), long(0x0112, 6),
        ]
        let plane: [Field] =
            [
                long(0x00FE, 8), long(0x0100, 4), long(0x0101, 4), long(0x0102, 8), long(0x0103, 1),
                long(0x0106, 51177), long(0x0111, samples), long(0x0117, 16),
            ] + more
        return file(main: main, others: [plane])
    }

    private func parse(_ bytes: [UInt8]) throws(ContainerError) -> any PhotoContainer {
        try parseContainer(MemorySource(bytes), limits: DecodingLimits())
    }

    @Test(
        "Samples 0, 128 and 255 map to depth by the standard's formulas",
        arguments: [
            // linear: 1 + c/255 · (9 − 1)
            (1, (1, 1), (9, 1), [1, 1 + 128 / 255.0 * 8, 9]),
            // inverse: 1/z = 1/0.5 + c/255 · (1/4 − 1/0.5)
            (2, (1, 2), (4, 1), [2, 2 - 128 / 255.0 * 1.75, 0.25]),
            // inverse up to infinity, 1/0
            (2, (2, 1), (1, 0), [0.5, 0.5 - 128 / 255.0 * 0.5, 0]),
        ] as [(Int, (Int, Int), (Int, Int), [Double])])
    func values(format: Int, near: (Int, Int), far: (Int, Int), values: [Double]) throws {
        let container = try parse(Self.depth(format: format, near: near, far: far, unit: 1))
        #expect(container.format == .dng)
        let plane = try #require(container.planes.first)
        #expect(plane.kind == (format == 1 ? .depth : .disparity))
        #expect(plane.source == "dng-depth" && plane.isAlongRay && plane.orientation == .right)
        let mapping = try #require(plane.mapping)
        #expect(mapping.isDeclared)
        for (code, value) in zipEqual([0, 128, 255], values) {
            // Float32 has seven digits.
            #expect(abs(Double(mapping.value(ofCode: code)) - value) < 1e-6 * max(1, value))
        }
    }

    @Test("Depth without a unit or a range is undeclared but keeps its direction")
    func undeclared() throws {
        let unitless = try parse(Self.depth(format: 1, near: (1, 1), far: (9, 1), unit: 0)).planes[0]
        #expect(unitless.mapping?.isDeclared == false)
        #expect(unitless.mapping.map { $0.value(ofCode: 255) } == Float(1))
        let inverse = try parse(Self.depth(format: 2, near: (0, 0), far: (0, 0), unit: 1)).planes[0]
        #expect(inverse.mapping?.isDeclared == false)
        #expect(inverse.mapping.map { $0.value(ofCode: 0) } == Float(1))
    }

    @Test("A plane in an unsupported encoding is described with a read error")
    func readErrors() throws {
        let tables = try parse(
            Self.depth(format: 1, near: (1, 1), far: (9, 1), unit: 1, more: [Self.long(0x015B, 0)]))
        #expect(tables.planes[0].readError?.code == "unsupported")
        #expect(tables.photo.readError?.code == "unsupported")
    }

    @Test("A preview without pixels is a photo with a read error", arguments: [(0, 4), (4, 0), (4, 4)])
    func emptyPreview(width: Int, height: Int) throws {
        let preview: [Field] = [
            Self.long(0x00FE, 1), Self.long(0x0100, width), Self.long(0x0101, height), Self.long(0x0103, 7),
            Self.long(0x0106, 6), Self.long(0x0111, 8), Self.long(0x0117, 4),
        ]
        let photo = try parse(Self.file(main: [Self.version], others: [preview])).photo
        #expect([photo.width, photo.height] == [width, height])
        #expect(photo.readError?.code == (width * height == 0 ? "malformed" : nil))
    }

    @Test("Circular, truncated and damaged directories end in a photo or an error")
    func damage() throws {
        var bytes = Self.depth(format: 1, near: (1, 1), far: (9, 1), unit: 1)
        var truncations = MutantCount()
        for count in 0..<bytes.count - 20 {
            truncations.add { _ = try parse(Array(bytes.prefix(count))) }
        }
        var mutants = MutantCount()
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var changed = bytes
                changed[index] = value
                mutants.add {
                    let container = try parse(changed)
                    for plane in container.planes { _ = try? container.codedImage(at: plane.location) }
                }
            }
        }
        truncations.expectBoth()
        mutants.expectBoth()
        // The next directory of the second is the first.
        let size = 2 + 12 * 16 + 4 + 64
        bytes.replaceSubrange(8 + size + 2 + 8 * 12..<8 + size + 6 + 8 * 12, with: littleEndian(8))
        #expect(try parse(bytes).planes.count == 1)
    }

    @Test("The first directory may be anywhere in the file")
    func directoryAtEnd() throws {
        // A big-endian file whose first directory follows the header.
        var bytes = try TestImages.bytes("depth.dng")
        let before = try parse(bytes)
        let count = Int(bytes[8]) << 8 | Int(bytes[9])
        let directory = bytes[8..<8 + 2 + 12 * count + 4]
        bytes += [UInt8](repeating: 0, count: 300_000)
        bytes.replaceSubrange(4..<8, with: littleEndian(bytes.count).reversed())
        let after = try parse(bytes + directory)
        #expect(after.format == .dng && !after.planes.isEmpty)
        #expect(after.planes.map(\.kind) == before.planes.map(\.kind))
    }

    @Test("Lists of directories or strips beyond the limits are not read")
    func longLists() throws {
        let links = Field(0x014A, 4, 257, littleEndian(8))
        let many = try parse(Self.file(main: [Self.version, links], others: [[Self.long(0x00FE, 8)]]))
        #expect(many.planes.isEmpty)
        #expect(
            many.diagnostics.map(\.message) == [
                "257 images exceed the limit of 256"
            ])
        let plane: [Field] = [
            Self.long(0x00FE, 8), Self.long(0x0100, 4), Self.long(0x0101, 4), Self.long(0x0102, 8),
            (0x0111, 4, 4097, littleEndian(8)), (0x0117, 4, 4097, littleEndian(8)),
        ]
        let strips = try parse(Self.file(main: [Self.version], others: [plane]))
        #expect(
            strips.planes.first?.readError?.message
                == "4097 tiles exceed the limit of 4096")
    }

    @Test("A TIFF without DNGVersion is not a photo")
    func plainTIFF() {
        let error = #expect(throws: ContainerError.self) {
            try parse(Self.file(main: [Self.long(0x0100, 4)], others: [[Self.long(0x00FE, 8)]]))
        }
        #expect(error?.code == "unrecognized")
    }
}
