import Bytes
import DepthMaps
import HEVCEncoding
import PhotoBuilders
import PhotoFormats
import PhotoWriting
import Scenes
import Testing

/// HEIF files whose photo is made of gray pictures that are coded without loss.
@Suite("HEIF grids and overlays")
struct DerivedImageTests {
    /// A picture of `width` × `height` whose sample at column x and row y is `sample(x, y)`.
    private static func picture(
        width: Int, height: Int, properties: [ItemProperty] = [], _ sample: (Int, Int) -> Int
    ) -> HEIFItem {
        let samples = (0..<width * height).map { UInt8(sample($0 % width, $0 / width)) }
        let coded = LosslessHEVCPicture(width: width, height: height, samples: samples)
        return .hevcImage(
            nalUnits: coded.data, isHidden: true,
            properties: [
                .hevcConfiguration(coded.configuration),
                .imageSpatialExtents(width: UInt32(width), height: UInt32(height)),
            ] + properties)
    }

    private static func photo(_ file: HEIFFileBuilder) throws -> DepthPhoto {
        try DepthPhoto(MemorySource(try file.serialized()))
    }

    /// The red samples of the photo, row by row; its pixels are gray.
    private static func reds(_ photo: DepthPhoto) throws -> [[Int]] {
        let image = try photo.image()
        guard case .uint8(let pixels) = image.pixels else { throw ContainerError(.arithmeticOverflow) }
        return (0..<image.height).map { row in
            pixels[row * image.width..<(row + 1) * image.width].map { Int($0.red) }
        }
    }

    private static let profile = [UInt8]((0..<200).map { UInt8($0) })

    /// iOS 11 describes color on the tiles, and not on the grid. libheif 1.19 does the same (`ImageItem_Grid`, "color profile from first
    /// tile").
    @Test("A grid without a color profile has that of its first tile")
    func tileProfile() throws {
        var file = HEIFFileBuilder()
        let color = ItemProperty.colorInformation(iccProfile: Self.profile)
        let tiles = [100, 200].map { level in
            file.add(Self.picture(width: 16, height: 16, properties: [color]) { _, _ in level })
        }
        let grid = file.add(
            .grid(
                rows: 1, columns: 2, width: 32, height: 16,
                properties: [.imageSpatialExtents(width: 32, height: 16)]))
        file.addReference(.derivedImage, from: grid, to: tiles)
        file.primaryItem = grid
        let photo = try Self.photo(file)
        #expect(try photo.image().colorProfile == Self.profile)
        #expect(
            try Self.reds(photo)[0] == [Int](repeating: 100, count: 16) + [Int](repeating: 200, count: 16))
    }

    /// A file with an overlay of 12 × 8 pixels. The first picture, 8 × 8, extends past the left and the top edge. The
    /// second, 8 × 16, is rotated by 90° counterclockwise and placed at column 6 and row 5.
    private static func overlay(_ change: (inout HEIFFileBuilder, [ItemID]) throws -> Void) throws
        -> DepthPhoto
    {
        var file = HEIFFileBuilder()
        let first = file.add(picture(width: 8, height: 8) { column, row in 10 * row + column })
        let turn = ItemProperty.rotation(counterclockwiseQuarterTurns: 1)
        let second = file.add(
            picture(width: 8, height: 16, properties: [turn]) { column, row in 100 + 16 * column + row })
        let canvas = file.add(
            .overlay(
                width: 12, height: 8, fill: [0x4040, 0x8080, 0xC0C0, 0xFFFF],
                offsets: [SIMD2(-3, -2), SIMD2(6, 5)],
                properties: [.imageSpatialExtents(width: 12, height: 8)]))
        file.addReference(.derivedImage, from: canvas, to: [first, second])
        file.primaryItem = canvas
        try change(&file, [first, second, canvas])
        return try Self.photo(file)
    }

    @Test("An overlay shows its layers at their offsets, turned, over the canvas")
    func layers() throws {
        let photo = try Self.overlay { _, _ in }
        #expect((photo.description.width, photo.description.height) == (12, 8))
        let rows = try Self.reds(photo)
        // The first layer's column 3 and row 2 are the first pixel: 10 · 2 + 3. It ends before column 5 and row 6.
        #expect(rows[0] == [23, 24, 25, 26, 27] + [Int](repeating: 0x40, count: 7))
        #expect(Array(rows[5][0..<6]) == [73, 74, 75, 76, 77, 0x40])
        #expect(Array(rows[6][0..<6]) == [Int](repeating: 0x40, count: 6))
        // Turned counterclockwise, the second layer is 16 × 8: its last column comes to the top, from top to bottom left to right.
        #expect(Array(rows[5][6...]) == [212, 213, 214, 215, 216, 217])
        #expect(Array(rows[6][6...]) == [196, 197, 198, 199, 200, 201])
        let image = try photo.image()
        guard case .uint8(let pixels) = image.pixels else { return }
        #expect(pixels[11] == RGB(red: 0x40, green: 0x80, blue: 0xC0))
    }

    @Test(
        "An overlay that cannot be drawn as it is meant is refused",
        arguments: ["alpha", "profile", "nested"])
    func refused(change: String) throws {
        let photo = try Self.overlay { file, items in
            switch change {
            case "alpha":
                let type = try ItemProperty.auxiliaryType("urn:mpeg:hevc:2015:auxid:1")
                let alpha = file.add(Self.picture(width: 8, height: 8, properties: [type]) { _, _ in 128 })
                file.addReference(.auxiliary, from: alpha, to: [items[0]])
            default:
                let color = ItemProperty.colorInformation(iccProfile: Self.profile)
                let more =
                    change == "profile"
                    ? file.add(Self.picture(width: 8, height: 8, properties: [color]) { _, _ in 1 })
                    : items[2]
                let canvas = file.add(
                    .overlay(
                        width: 12, height: 8, fill: [0, 0, 0, 0], offsets: [SIMD2(0, 0), SIMD2(0, 0)],
                        properties: [.imageSpatialExtents(width: 12, height: 8)]))
                file.addReference(.derivedImage, from: canvas, to: [items[0], more])
                file.primaryItem = canvas
            }
        }
        let error = #expect(throws: ContainerError.self) { try photo.image() }
        #expect(error?.code == "unsupported")
    }
}
