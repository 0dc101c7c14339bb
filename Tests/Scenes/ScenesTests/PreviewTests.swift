import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Scenes
import TestSupport
import Testing

@Suite("Previews in photos")
struct PreviewTests {
    /// A JPEG file of one color.
    private func jpeg(_ color: RGB<UInt8>, width: Int, height: Int) throws -> [UInt8] {
        let folder = TemporaryFolder()
        let pixels = [RGB<UInt8>](repeating: color, count: width * height)
        let image = ColorImage(width: width, height: height, pixels: .uint8(pixels), colorProfile: [])
        try Picture(image).write(to: folder.file("a.jpg"))
        return try folder.bytes(of: "a.jpg")
    }

    private static let red = RGB<UInt8>(red: 254, green: 0, blue: 0)
    private static let blue = RGB<UInt8>(red: 0, green: 0, blue: 254)

    /// A blue photo of 640 × 480 with a thumbnail in the second directory of its Exif (Exif 2.32 §4.5.5), big-endian.
    /// `length` is the declared length of the thumbnail.
    private func photo(thumbnail: [UInt8], length: Int? = nil, orientation: UInt8 = 1) throws -> [UInt8] {
        let length = length ?? thumbnail.count
        // The first directory, of the orientation, begins at 8 and ends at 26; the second has two entries and ends at 56.
        let exif: [UInt8] =
            [0x4D, 0x4D, 0, 42] + bigEndian(8)
            + [0, 1, 0x01, 0x12, 0, 3] + bigEndian(1) + [0, orientation, 0, 0] + bigEndian(26)
            + [0, 2, 0x02, 0x01, 0, 4] + bigEndian(1) + bigEndian(56)
            + [0x02, 0x02, 0, 4] + bigEndian(1) + bigEndian(length) + bigEndian(0) + thumbnail
        let payload = Array("Exif\0\0".utf8) + exif
        let photo = try jpeg(Self.blue, width: 640, height: 480)
        return [0xFF, 0xD8, 0xFF, 0xE1] + bigEndian(payload.count + 2, 2) + payload + photo.dropFirst(2)
    }

    /// A quick view of the photo.
    private func glance(_ photo: DepthPhoto, _ size: PixelSize) throws -> ColorImage {
        var request = PlaneRequest(atLeast: size)
        request.isGlance = true
        return try #require(try photo.picture(request).image)
    }

    /// Whether the picture is the thumbnail, which is red, and its size.
    private func glance(
        _ bytes: [UInt8], width: Int, height: Int
    ) throws -> (isThumbnail: Bool, size: PixelSize) {
        let image = try glance(DepthPhoto(MemorySource(bytes)), PixelSize(width: width, height: height))
        guard case .uint8(let pixels) = image.pixels else { throw ContainerError(.arithmeticOverflow) }
        return (
            pixels[0].red > 200 && pixels[0].blue < 50, PixelSize(width: image.width, height: image.height)
        )
    }

    @Test("A thumbnail in Exif is taken where it is large enough")
    func large() throws {
        let bytes = try photo(thumbnail: jpeg(Self.red, width: 320, height: 240))
        #expect(try glance(bytes, width: 320, height: 240) == (true, PixelSize(width: 320, height: 240)))
        #expect(try glance(bytes, width: 100, height: 75).isThumbnail)
        #expect(try glance(bytes, width: 321, height: 240) == (false, PixelSize(width: 640, height: 480)))
    }

    @Test("What is measured or shown large is never taken from a thumbnail")
    func exact() throws {
        let bytes = try photo(thumbnail: jpeg(Self.red, width: 320, height: 240))
        let image = try DepthPhoto(MemorySource(bytes)).image(atLeast: PixelSize(width: 320, height: 240))
        guard case .uint8(let pixels) = image.pixels else { throw ContainerError(.arithmeticOverflow) }
        #expect(pixels[0].blue > 200)
    }

    @Test("A thumbnail is turned as its photo is")
    func turned() throws {
        let bytes = try photo(thumbnail: jpeg(Self.red, width: 320, height: 240), orientation: 6)
        #expect(try glance(bytes, width: 240, height: 320) == (true, PixelSize(width: 240, height: 320)))
        #expect(try !glance(bytes, width: 320, height: 240).isThumbnail)
    }

    @Test("A thumbnail of another shape, as cameras with bars have it, is not taken")
    func bars() throws {
        let bytes = try photo(thumbnail: jpeg(Self.red, width: 320, height: 180))
        #expect(try !glance(bytes, width: 160, height: 90).isThumbnail)
    }

    @Test("A damaged thumbnail leaves the photo", arguments: [0, 3, 40, 1 << 20])
    func damaged(length: Int) throws {
        let thumbnail = try jpeg(Self.red, width: 320, height: 240)
        let bytes = try photo(thumbnail: thumbnail, length: length)
        #expect(try !glance(bytes, width: 160, height: 120).isThumbnail)
    }

    @Test("The thumbnail of a HEIC is that of the item that libheif finds", .needsSamples)
    func heic() throws {
        // pillow_heif.open_heif(…).info["thumbnails"] is [320], of 4032 × 3024.
        let photo = try DepthPhoto(
            contentsOf: SampleFolder.photos.path("apple-heic/iphonex-holo-depth-1820.heic"))
        let small = try glance(photo, PixelSize(width: 240, height: 320))
        #expect(small.width == 240 && small.height == 320)
        let large = try glance(photo, PixelSize(width: 241, height: 321))
        #expect(large.width == 1512 && large.height == 2016)
        // Both show the same: the mean of each quarter is as bright.
        #expect(zip(quarters(small), quarters(large)).allSatisfy { abs($0 - $1) < 6 })
    }

    /// The mean green of the upper left quarter, and so on row by row.
    private func quarters(_ image: ColorImage) -> [Double] {
        guard case .uint8(let pixels) = image.pixels else { return [] }
        var sums = [Double](repeating: 0, count: 4)
        for row in 0..<image.height / 2 * 2 {
            for column in 0..<image.width / 2 * 2 {
                let quarter = row / (image.height / 2) * 2 + column / (image.width / 2)
                sums[quarter] += Double(pixels[row * image.width + column].green)
            }
        }
        return sums.map { $0 / Double(image.width / 2 * (image.height / 2)) }
    }
}
