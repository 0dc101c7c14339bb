import Bytes
import DepthTypes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Trailers of Huawei, Xiaomi, vivo, OPPO and Leia")
struct VendorTrailerTests {
    private func open(_ file: [UInt8]) throws -> any PhotoContainer {
        try parseContainer(MemorySource(file), limits: DecodingLimits())
    }

    private static let codes = (0..<48).map { UInt8($0 + 100) }

    private static func edof(_ width: Int, _ height: Int, code: UInt8 = 0, _ samples: [UInt8] = codes)
        -> [UInt8]
    {
        let head = Array("edof".utf8) + [0, 0, 0, 0, 1, 0, 0, code] + [UInt8](repeating: 0, count: 8)
        return head + littleEndian(width, 2) + littleEndian(height, 2) + [UInt8](repeating: 0, count: 48)
            + samples
    }

    /// The turn makes the plane upright, relative to the photo's: code 1 is a quarter turn counterclockwise, Exif 8.
    @Test(
        "Huawei's rotation code makes the plane upright",
        arguments: [(0, 1, 1, 8), (1, 1, 8, 6), (2, 1, 3, 8), (3, 1, 6, 6), (3, 6, 1, 8), (0x10, 1, 1, 8)]
            as [(UInt8, UInt8, Int, Int)])
    func huawei(code: UInt8, orientation: UInt8, turn: Int, width: Int) throws {
        let photo = jpeg(exif(make: "HUAWEI", orientation: orientation))
        let container = try open(photo + jpeg(width: 8, height: 8) + Self.edof(8, 6, code: code))
        #expect(container.planes.map(\.kind) == [.disparity, .original])
        let plane = try #require(container.planes.first)
        guard case .rawSamples(let samples) = plane.location else {
            Issue.record("raw samples are expected")
            return
        }
        #expect([samples.width, samples.height, samples.range.count] == [8, 6, 48])
        #expect(samples.orientation.rawValue == turn)
        #expect(plane.width == width)
        #expect(plane.source == "huawei-edof" && plane.isExperimental)
        #expect(plane.mapping?.value(ofCode: 0) == 1)
    }

    @Test("Huawei's plane is found without a make, but not in another vendor's photo")
    func unknownMaker() throws {
        #expect(try open(jpeg() + Self.edof(8, 6)).planes.count == 1)
        #expect(try open(jpeg(exif(make: "Apple")) + Self.edof(8, 6)).planes.isEmpty)
    }

    @Test(
        "An impossible size is skipped for an earlier marker, or reported",
        arguments: [(0, 6), (8, 0), (65535, 65535)])
    func impossible(width: Int, height: Int) throws {
        let bad = Self.edof(width, height, [])
        #expect(try open(jpeg() + Self.edof(8, 6) + bad).planes.count == 1)
        let container = try open(jpeg() + bad)
        #expect(container.planes.isEmpty)
        #expect(container.diagnostics.map(\.code) == ["malformed"])
        #expect(try open(jpeg() + bad.prefix(30)).planes.isEmpty)
    }

    private static func pmpd(_ size: [UInt8], bytes count: Int, _ samples: [UInt8]) -> [UInt8] {
        Array("PMPD".utf8) + hex("02006400 01000000") + littleEndian(0) + littleEndian(count)
            + [UInt8](repeating: 0, count: 12) + [UInt8](repeating: 0x80, count: 1024) + size + samples
    }

    @Test("Xiaomi's plane is read with and without the long marker, bottom row first")
    func xiaomi() throws {
        for size in [
            hex("0100ffff") + littleEndian(8) + littleEndian(6),
            littleEndian(8) + littleEndian(6) + [0, 0, 0, 0],
        ] {
            let container = try open(jpeg() + Self.pmpd(size, bytes: 60, Self.codes))
            let plane = try #require(container.planes.first)
            guard case .rawSamples(let samples) = plane.location else { continue }
            #expect(samples.orientation == .downMirrored)
            #expect(samples.range.count == 48 && plane.source == "xiaomi-pmpd" && plane.isExperimental)
            #expect(plane.readError == nil)
        }
    }

    @Test("Xiaomi's plane of a false size, or mixed with confidence, is an error")
    func brokenXiaomi() throws {
        let size = hex("0100ffff") + littleEndian(8) + littleEndian(6)
        for count in [0, 47, 61, 0xFFFF_FFFF] {
            let container = try open(jpeg() + Self.pmpd(size, bytes: count, Self.codes))
            #expect(container.planes.isEmpty && container.diagnostics.map(\.code) == ["malformed"])
        }
        let huge = hex("0100ffff ffffffff ffffffff")
        #expect(
            try open(jpeg() + Self.pmpd(huge, bytes: 60, Self.codes)).diagnostics.map(\.code) == [
                "overflow"
            ])
        let mixed = [UInt8](repeating: 9, count: 1012) + (0..<128).map { UInt8($0) } + Self.codes
        let container = try open(
            jpeg() + Self.pmpd(size, bytes: 12 + mixed.count, mixed))
        #expect(container.planes.first?.readError?.code == "unsupported")
    }

    @Test("Samples start at byte 36 in vivo's trailer and at 16 in nubia's")
    func vivo() throws {
        let samples = [UInt8](repeating: 3, count: 320)
        for (make, header) in [("vivo", 36), ("nubia", 16)] {
            let head =
                littleEndian(20) + littleEndian(16) + littleEndian(20)
                + [UInt8](repeating: 0, count: header - 12)
            let container = try open(jpeg(exif(make: make)) + head + samples)
            let plane = try #require(container.planes.first)
            #expect([plane.width, plane.height] == [20, 16])
            #expect(plane.source == make && plane.isExperimental && plane.readError == nil)
        }
        let wide =
            littleEndian(20) + littleEndian(16) + littleEndian(1280) + [UInt8](repeating: 0, count: 1280)
        #expect(try open(jpeg(exif(make: "vivo")) + wide).planes.first?.readError?.code == "unsupported")
        #expect(try open(jpeg(exif(make: "vivo")) + wide.prefix(900)).planes.isEmpty)
    }

    private static func oppoTail(_ json: String, length: Int? = nil) -> [UInt8] {
        Array(json.utf8) + Array("\0jxrs".utf8) + littleEndian(length ?? json.utf8.count + 9)
    }

    @Test("OPPO's blocks are listed, and its compressed depth map is reported as unsupported")
    func oppo() throws {
        let json = #"[{"name":"rear.depth","offset":8,"length":4},{"name":"a.b","offset":4,"length":4}]"#
        let container = try open(jpeg() + [1, 2, 3, 4, 5, 6, 7, 8] + Self.oppoTail(json))
        #expect(container.trailers.map(\.type) == ["rear.depth", "a.b"])
        #expect(container.trailers.map(\.range.lowerBound) == [jpeg().count, jpeg().count + 4])
        #expect(container.unreadablePlane?.code == "unsupported")
    }

    @Test(
        "An invalid OPPO directory gives a warning and no planes",
        arguments: [
            (#"[{"name":"x","offset":99999,"length":4}]"#, 0),
            (#"[{"name":"x","offset":-1,"length":4}]"#, 0),
            (#"[{"name":"x","offset":4,"length":9223372036854775807}]"#, 0),
            (#"[{"name":"x""#, 0),
            ("[{", 5000),
        ])
    func brokenOppo(json: String, openBrackets: Int) throws {
        let trailer = Self.oppoTail(json + String(repeating: "[", count: openBrackets))
        let container = try open(jpeg() + trailer)
        #expect(!container.diagnostics.isEmpty)
        #expect(container.planes.isEmpty)
    }

    private static func lif(count: Int? = nil, size: Int? = nil, _ blocks: [(Int, [UInt8])]) -> [UInt8] {
        let body =
            bigEndian(count ?? blocks.count)
            + blocks.flatMap { bigEndian($0.0) + bigEndian($0.1.count) + $0.1 }
        return body + bigEndian(size ?? body.count + 6) + [0x1E, 0x1A]
    }

    private static func views(_ list: String) -> (Int, [UInt8]) { (7, Array(#"{"views":[\#(list)]}"#.utf8)) }

    @Test("Leia's views are ordered by position, and each map belongs to its view")
    func leia() throws {
        let list =
            #"{"albedoId":12,"disparityId":11,"xLocation":1.0},{"albedoId":-1,"disparityId":10,"xLocation":0.0}"#
        let container = try open(
            jpeg()
                + Self.lif([
                    (10, jpeg(width: 8, height: 6)), (11, jpeg(width: 4, height: 3)), (12, jpeg()),
                    (99, [1, 2, 3]), Self.views(list),
                ]))
        #expect(container.diagnostics == [])
        #expect(container.planes.map(\.type) == ["10", "11"])
        #expect(container.planes.map(\.index) == [0, 1])
        #expect(container.planes.map(\.belongsToPhoto) == [true, false])
        #expect(container.trailers.map(\.type) == ["99"])
        let pair = try #require(container.photo.stereo)
        #expect(pair.left.location == .jpegStream(0..<jpeg().count))
        #expect(pair.source == "leia-lif")
    }

    @Test(
        "An invalid Leia trailer gives one warning and no planes",
        arguments: [
            lif(count: 0xFFFF_FFFF, []), lif(count: 3, []), lif([(10, [1])]), lif([(7, [0x7B])]),
            lif([views(#"{"albedoId":5,"xLocation":0},{"albedoId":-1,"xLocation":1}"#)]),
            lif([(5, [1, 2, 3]), views(#"{"albedoId":5,"disparityId":5,"xLocation":0}"#)]),
        ])
    func brokenLeia(trailer: [UInt8]) throws {
        let container = try open(jpeg() + trailer)
        #expect(container.diagnostics.count == 1)
        #expect(container.planes.isEmpty && container.photo.stereo == nil)
    }

    @Test("Leia's views are counted against the image limit")
    func manyViews() throws {
        let list = Array(repeating: #"{"albedoId":-1}"#, count: 257).joined(separator: ",")
        let container = try open(jpeg() + Self.lif([Self.views(list)]))
        #expect(
            container.diagnostics.map(\.error?.reason) == [
                .limitExceeded(.images, limit: 256, requested: 257)
            ])
    }

    @Test("A Leia trailer larger than the file is ignored", arguments: [0, 9, 1 << 31])
    func noLeia(size: Int) throws {
        #expect(try open(jpeg() + Self.lif(size: size, [])).planes.isEmpty)
    }

    @Test("Unknown trailing bytes are listed by their first four, and padding is not")
    func unknown() throws {
        #expect(try open(jpeg() + Array("abcdefgh".utf8)).trailers.map(\.type) == ["abcd"])
        for padding: UInt8 in [0, 0xFF] {
            #expect(try open(jpeg() + [UInt8](repeating: padding, count: 50)).trailers.isEmpty)
        }
    }
}
