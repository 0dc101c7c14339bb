import Bytes
import DepthTypes
import Synchronization
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Photos that are far away")
struct RangedPhotoTests {
    /// A remote file that records the fetched ranges.
    private final class Far: Sendable {
        let bytes: [UInt8]
        private let noted = Mutex<[[Range<Int>]]>([])

        var fetches: [[Range<Int>]] { noted.withLock(\.self) }

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func source() -> CachingSource {
            CachingSource(byteCount: bytes.count) { [self] (ranges) throws(ContainerError) in
                noted.withLock { $0.append(ranges) }
                return ranges.map { Array(bytes[$0]) }
            }
        }
    }

    @Test("All segments of extended XMP are fetched at once, however many there are")
    func extendedXMP() throws {
        let name = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
        let guid = Array("0123456789ABCDEF0123456789ABCDEF".utf8)
        // 12 segments as Adobe's specification of XMP lets them be, of 65,400 bytes of the packet each.
        let total = 12 * 65_400
        let segments = (0..<12).flatMap { part in
            segment(
                0xE1,
                name + guid + bigEndian(total) + bigEndian(part * 65_400)
                    + [UInt8](repeating: 32, count: 65_400))
        }
        let far = Far(jpeg(segments) + [UInt8](repeating: 7, count: 1_000_000) + [0xFF, 0xD9])
        let photo = try parseContainer(far.source(), limits: DecodingLimits())
        #expect(photo.photo.width == 64)
        // The start, the rest of the segments and a block behind them, and the end of the file.
        #expect(far.fetches.count == 3)
        #expect(far.fetches[1].map(\.lowerBound) == [49_152])
        let fetched = far.fetches.joined().reduce(0) { $0 + $1.count }
        #expect((total..<total + 12 * 79 + 3 << 14).contains(fetched))
    }

    @Test("One fetch describes the images that a directory lists, and brings those at the end")
    func directory() throws {
        func image(count: Int) -> [UInt8] {
            let image = GooglePhoto.image()
            return image.dropLast(2) + [UInt8](repeating: 7, count: count - image.count) + image.suffix(2)
        }
        let photo = GooglePhoto(
            properties: GooglePhoto.directory([("Original", "700000", "0"), ("Depth", "100000", "0")])
                + GooglePhoto.camera(),
            trailer: [UInt8](repeating: 7, count: 500_000) + image(count: 700_000) + image(count: 100_000))
        let far = Far(photo.bytesOfFile)
        let source = far.source()
        let container = try parseContainer(source, limits: DecodingLimits())
        #expect(container.planes.map(\.kind) == [.original, .disparity])
        let end = far.bytes.count
        #expect(
            far.fetches == [[0..<49_152], [end - 800_000..<end - 800_000 + 16_384, end - 100_000..<end]])
        _ = try source.read(end - 100_000..<end)
        #expect(far.fetches.count == 2)
    }
}
