import Bytes
import DepthTypes
import Synchronization
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Samsung trailer")
struct SamsungTrailerTests {
    private func open(_ file: [UInt8]) throws -> any PhotoContainer {
        try parseContainer(MemorySource(file), limits: DecodingLimits())
    }

    private static func block(_ type: Int, _ name: String, _ data: [UInt8]) -> [UInt8] {
        [0, 0] + littleEndian(type, 2) + littleEndian(name.utf8.count) + Array(name.utf8) + data
    }

    /// A directory of (type, bytes back, size), as it is or with another count.
    private static func directory(_ entries: [(Int, Int, Int)], count: Int? = nil, length: Int? = nil)
        -> [UInt8]
    {
        let list = entries.flatMap { entry -> [UInt8] in
            [0, 0] + littleEndian(entry.0, 2) + littleEndian(entry.1) + littleEndian(entry.2)
        }
        let body = Array("SEFH".utf8) + littleEndian(106) + littleEndian(count ?? entries.count) + list
        return body + littleEndian(length ?? body.count) + Array("SEFT".utf8)
    }

    /// Extra info that gives a size at an offset.
    private static func extra(_ width: Int, _ height: Int, at place: Int = 60) -> [UInt8] {
        [UInt8](repeating: 0, count: place) + [7, 0, 0xFF, 0xFF] + littleEndian(width) + littleEndian(height)
            + [UInt8](repeating: 0, count: 100 - place)
    }

    private static func dualShot(_ depth: [UInt8], _ extra: [UInt8]) -> [UInt8] {
        let blocks = [block(0xAB1, "DualShot_DepthMap_1", depth), block(0xAB3, "DualShot_Extra_Info", extra)]
        let total = blocks[0].count + blocks[1].count
        return blocks.flatMap(\.self)
            + directory([(0xAB1, total, blocks[0].count), (0xAB3, blocks[1].count, blocks[1].count)])
    }

    private static let codes = (0..<48).map { UInt8($0) }

    @Test(
        "Width and height are ordered as in the photo", arguments: [(8, 6), (6, 8)],
        [(64, 48, 8, 6), (48, 64, 6, 8)])
    func order(written: (Int, Int), photo: (Int, Int, Int, Int)) throws {
        let container = try open(
            jpeg(width: photo.0, height: photo.1)
                + Self.dualShot(Self.codes, Self.extra(written.0, written.1)))
        let plane = try #require(container.planes.first)
        #expect([plane.width, plane.height] == [photo.2, photo.3])
        #expect(plane.kind == .disparity && plane.source == "samsung-sef" && plane.type == "0x0ab1")
        #expect(plane.accuracy == .unknown && plane.mapping?.isDeclared == false)
        // Dark means near: 0 is the largest disparity.
        #expect([0, 128, 255].map { plane.mapping?.value(ofCode: $0) } == [1, Float(127.0 / 255), 0])
        #expect(container.diagnostics == [])
    }

    @Test(
        "The size marker is found at any multiple of 4 in bytes 32 to 95",
        arguments: [32, 60, 64, 68, 92])
    func places(place: Int) throws {
        let container = try open(jpeg() + Self.dualShot(Self.codes, Self.extra(8, 6, at: place)))
        #expect(container.planes.first?.readError == nil)
        #expect(container.planes.first?.width == 8)
    }

    @Test(
        "A missing or wrong size is a read error",
        arguments: [extra(8, 7), [], [1, 2, 3]])
    func wrongSize(extra: [UInt8]) throws {
        let container = try open(jpeg() + Self.dualShot(Self.codes, extra))
        #expect(container.planes.first?.readError?.message.contains("48 samples") == true)
    }

    @Test("Blocks that give sizes share the metadata limit, since they may overlap")
    func sharedBytes() throws {
        let (depth, extra) = (
            Self.block(0xAB1, "Depth", Self.codes), Self.block(0xAB3, "Extra", Self.extra(8, 6))
        )
        let entries =
            [(0xAB1, depth.count + extra.count, depth.count)]
            + Array(repeating: (0xAB3, extra.count, extra.count), count: 9)
        let file = jpeg() + depth + extra + Self.directory(entries)
        #expect(try open(file).planes.first?.width == 8)
        var limits = DecodingLimits()
        limits[.metadataBytes] = 500
        let container = try parseContainer(MemorySource(file), limits: limits)
        #expect(container.planes.isEmpty)
        // The fifth block of 112 bytes is one too many.
        #expect(
            container.diagnostics.first?.error?.reason
                == .limitExceeded(.metadataBytes, limit: 500, requested: 560))
    }

    @Test(
        "The size of a single shot is read from text or binary fields",
        arguments: [
            Array("inputWidth=64\ninputHeight=48\nsegWidth=8\nsegHeight=6\n".utf8),
            Array("segWidth=99,segHeight=6;depthSWWidth=8,depthSWHeight=6\0".utf8),
            Array("DOFS".utf8)
                + hex(
                    "03000000 00000000 2d000000 0200 0108") + Array("segWidth".utf8)
                + hex("0400 08000000 0109")
                + Array("segHeight".utf8) + hex("0400 06000000"),
        ])
    func singleShot(meta: [UInt8]) throws {
        let blocks = [
            Self.block(0xB40, "SingleShot_Meta_Info", meta),
            Self.block(0xB41, "SingeShot_DepthMap_1", Self.codes),
        ]
        let total = blocks[0].count + blocks[1].count
        let container = try open(
            jpeg() + blocks.flatMap(\.self)
                + Self.directory([(0xB40, total, blocks[0].count), (0xB41, blocks[1].count, blocks[1].count)])
        )
        #expect(container.planes.first?.readError == nil)
        #expect(container.planes.first?.width == 8)
        #expect(container.trailers.map(\.type) == ["0x0b40"])
    }

    @Test("Other trailers may follow and are listed")
    func followed() throws {
        let file = jpeg() + Self.dualShot(Self.codes, Self.extra(8, 6)) + Array("QDIO1234QDIOBS".utf8)
        let container = try open(file)
        #expect(container.planes.count == 1)
        #expect(container.trailers.map(\.type) == ["0x0ab3", "QDIO"])
    }

    @Test("A HEIC's sefd box holds the same trailer")
    func heic() throws {
        let photo = heif(
            items: 1,
            box(
                "iprp", box("ipco", box("ispe", hex("00000000 00000040 00000030"))),
                box("ipma", hex("00000000 00000001 0001 01 01"))),
            box("iloc", hex("00000000 4400 0001 0001 0000 0001 00000000 00000004")))
        let container = try open(photo + box("sefd", Self.dualShot(Self.codes, Self.extra(8, 6))))
        #expect(container.planes.map(\.width) == [8])
        let broken = try open(photo + box("sefd", [1, 2, 3]))
        #expect(broken.planes.isEmpty && broken.diagnostics.count == 1)
    }

    @Test(
        "A broken directory is reported and hides nothing else",
        arguments: [
            directory([(0xAB1, 0xFFFF_FFFF, 20)]), directory([(0xAB1, 10, 20)]), directory([(0xAB1, 0, 0)]),
            directory([(0xAB1, 20, 0)]), directory([], count: 0xFFFF_FFFF), directory([], count: 5),
            directory([], length: 0xFFFF_FFF0), directory([], length: 0), directory([], length: 11),
            Array("SEFT".utf8), [UInt8](repeating: 0, count: 30) + Array("SEFT".utf8),
            block(0xAB1, "", []) + directory([(0xAB1, 8, 8), (0xAB1, 8, 8)]),
            [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF] + directory([(0xAB1, 8, 8)]),
        ])
    func broken(trailer: [UInt8]) throws {
        let container = try open(jpeg() + trailer)
        #expect(container.photo.width == 64)
        #expect(container.planes.allSatisfy { $0.readError != nil })
        #expect(!container.diagnostics.isEmpty || !container.planes.isEmpty)
    }

    @Test("Nested JPEG originals are listed once")
    func nested() throws {
        func wrap(_ inner: [UInt8]) -> [UInt8] {
            let block = Self.block(1, "DualShot_1", inner)
            return jpeg() + block + Self.directory([(1, block.count, block.count)])
        }
        let container = try open(wrap(wrap(wrap(jpeg(width: 8, height: 8)))))
        #expect(container.planes.map(\.kind) == [.original])
        #expect(container.diagnostics == [])
    }

    /// Thrown for a photo that does not have all of its planes.
    private struct Incomplete: Error {}

    @Test("Truncated and randomly changed trailers never crash, and some changes leave all planes")
    func fuzz() throws {
        let file = jpeg() + Self.dualShot(Self.codes, Self.extra(8, 6))
        func parse(_ bytes: [UInt8]) throws {
            let planes = try open(bytes).planes
            if planes.isEmpty || planes.contains(where: { $0.readError != nil }) { throw Incomplete() }
        }
        var truncations = MutantCount()
        for count in jpeg().count...file.count { truncations.add { try parse(Array(file.prefix(count))) } }
        truncations.expectBoth()
        var random = SplitMix(seed: 42)
        var mutants = MutantCount()
        for _ in 0..<500 {
            var changed = file
            random.damage(&changed, changes: 3)
            mutants.add { try parse(changed) }
        }
        mutants.expectBoth()
    }

    /// Directories may name the same bytes repeatedly: here each of 64 planes has 64 blocks of 64 KiB.
    @Test("Data that many entries name is read only once")
    func repeated() throws {
        let data = Self.block(0xB40, "", [UInt8](repeating: 0x20, count: 1 << 16))
        let entries = [0xB41, 0xB40].flatMap { type in
            [(Int, Int, Int)](repeating: (type, data.count, data.count), count: 64)
        }
        let source = CountingSource(MemorySource(jpeg() + data + Self.directory(entries)))
        let container = try parseContainer(source, limits: DecodingLimits())
        #expect(container.planes.count == 64)
        #expect(container.planes.allSatisfy { $0.readError != nil })
        #expect(source.bytesRead < 1 << 20)
    }
}

/// A source that counts the bytes read from it.
private final class CountingSource: ByteSource {
    private let source: MemorySource
    private let count = Mutex(0)

    init(_ source: MemorySource) {
        self.source = source
    }

    var byteCount: Int { source.byteCount }

    var bytesRead: Int { count.withLock { $0 } }

    func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        count.withLock { $0 += range.count }
        return try source.read(range)
    }
}
