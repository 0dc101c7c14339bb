import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Foundation
import PhotoFormats
import Scenes
import TestSupport
import Testing

/// Pictures that Pillow 12 and tifffile wrote, in base64.
private enum Fixture {
    /// `Image.new('1', (3, 2))` with 0 1 0, 1 1 0.
    static let bilevel = """
        iVBORw0KGgoAAAANSUhEUgAAAAMAAAACAQAAAAC1D1u3AAAADElEQVR4nGNwYDgAAAGEAQEKf5BQAAAAAElFTkSuQmCC
        """
    /// A palette of red, green and blue with `transparency=bytes([255, 128, 0])`.
    static let palette = """
        iVBORw0KGgoAAAANSUhEUgAAAAMAAAABAgMAAABmjvwnAAAACVBMVEX/AAAA/wAAAP8tSs2KAAAAA3RSTlP/gAB/bWh4AAAA
        CklEQVR4nGOQAAAAGgAZLYj0NgAAAABJRU5ErkJggg==
        """
    /// `LA` pixels (10, 255) and (200, 51).
    static let grayAlpha = """
        iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAQAAABeK7cBAAAADUlEQVR4nGPg+n/CGAAE7QIFm6pVAwAAAABJRU5ErkJggg==
        """
    /// `RGB` pixels (1, 2, 3) and (9, 9, 9) with `transparency=(9, 9, 9)`.
    static let key = """
        iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAABnRSTlMACQAJAAkVu+bLAAAAD0lEQVR4nGNkZGLmYGcDAABW
        AB3PCNf0AAAAAElFTkSuQmCC
        """
    /// `Image.new('CMYK', (16, 16), (255, 0, 128, 64))`, quality 95; Pillow follows Adobe.
    static let cmyk = """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkK
        CgoKCgYICwwLCgwJCgoK/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//E
        ALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2
        Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrC
        w8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD+f+v38qOvvyiiiiiiiiiiiiv/
        2Q==
        """
    /// `tifffile.imwrite` of (100, 50, 0, 255), (100, 50, 0, 128), (0, 0, 0, 0) as `extrasamples=['assocalpha']`.
    static let premultiplied = """
        SUkqAAgAAAAQAAABBAABAAAAAwAAAAEBBAABAAAAAQAAAAIBAwAEAAAAzgAAAAMBAwABAAAAAQAAAAYBAwABAAAAAgAAAA4B
        AgAVAAAA1gAAABEBBAABAAAAIAEAABUBAwABAAAABAAAABYBBAABAAAAAQAAABcBBAABAAAADAAAABoBBQABAAAA+gAAABsB
        BQABAAAAAgEAABwBAwABAAAAAQAAACgBAwABAAAAAQAAADEBAgAMAAAACgEAAFIBAwABAAAAAQAAAAAAAAAIAAgACAAIAHsi
        c2hhcGUiOiBbMSwgMywgNF19AAAAAAAAAAAAAAAAAAAAAAEAAAABAAAAAQAAAAEAAAB0aWZmZmlsZS5weQAAAAAAAAAAAAAA
        ZDIA/2QyAIAAAAAA
        """
    /// 16-bit codes 0, 1000, 65535 as `photometric='miniswhite'`.
    static let whiteIsZero = """
        SUkqAAgAAAAOAAABBAABAAAAAwAAAAEBBAABAAAAAQAAAAIBAwABAAAAEAAAAAMBAwABAAAAAQAAAAYBAwABAAAAAAAAAA4B
        AgASAAAAtgAAABEBBAABAAAAAAEAABUBAwABAAAAAQAAABYBBAABAAAAAQAAABcBBAABAAAABgAAABoBBQABAAAA2AAAABsB
        BQABAAAA4AAAACgBAwABAAAAAQAAADEBAgAMAAAA6AAAAAAAAAB7InNoYXBlIjogWzEsIDNdfQAAAAAAAAAAAAAAAAAAAAAA
        AQAAAAEAAAABAAAAAQAAAHRpZmZmaWxlLnB5AAAAAAAAAAAAAAAAAAAA6AP//w==
        """
}

@Suite struct PictureFileTests {
    private func picture(_ fixture: String) throws -> any SceneSource {
        let data = try #require(Data(base64Encoded: fixture, options: .ignoreUnknownCharacters))
        return try openPicture(MemorySource([UInt8](data)))
    }

    private func codes(_ image: RGBAImage) throws -> [[Int]] {
        switch image.pixels {
        case .uint8(let pixels):
            pixels.map { [Int($0.red), Int($0.green), Int($0.blue), Int($0.alpha)] }
        case .uint16(let pixels):
            pixels.map { [Int($0.red), Int($0.green), Int($0.blue), Int($0.alpha)] }
        }
    }

    private func codes(_ image: ColorImage) throws -> [[Int]] {
        switch image.pixels {
        case .uint8(let pixels): pixels.map { [Int($0.red), Int($0.green), Int($0.blue)] }
        case .uint16(let pixels): pixels.map { [Int($0.red), Int($0.green), Int($0.blue)] }
        }
    }

    /// sRGB of a code over white: the transfer function of IEC 61966-2-1, blended in linear light.
    private func overWhite(_ code: Int, alpha: Double) -> Int {
        let value = Double(code) / 255
        let light = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        let sum = alpha * light + 1 - alpha
        return Int((255 * (sum <= 0.0031308 ? 12.92 * sum : 1.055 * pow(sum, 1 / 2.4) - 0.055)).rounded())
    }

    @Test("One-bit samples become black and white")
    func bilevel() throws {
        let file = try picture(Fixture.bilevel)
        let scene = file.describe()
        #expect(scene.colorSize == PixelSize(width: 3, height: 2) && !scene.isLaidOverWhite)
        #expect(scene.file?.format == "png")
        let white = [255, 255, 255]
        let black = [0, 0, 0]
        #expect(try codes(file.image()) == [black, white, black, white, white, black])
        #expect(try codes(file.translucentImage())[1] == [255, 255, 255, 255])
    }

    @Test("A palette may have transparent entries")
    func palette() throws {
        let file = try picture(Fixture.palette)
        #expect(file.describe().isLaidOverWhite)
        #expect(
            try codes(file.translucentImage()) == [[255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 0]])
        let half = overWhite(0, alpha: 128.0 / 255)
        #expect(try codes(file.image()) == [[255, 0, 0], [half, 255, half], [255, 255, 255]])
    }

    @Test("Gray with alpha is blended over white in linear light")
    func grayAlpha() throws {
        let file = try picture(Fixture.grayAlpha)
        #expect(try codes(file.translucentImage()) == [[10, 10, 10, 255], [200, 200, 200, 51]])
        let blend = overWhite(200, alpha: 0.2)
        #expect(try codes(file.image()) == [[10, 10, 10], [blend, blend, blend]])
    }

    @Test("The transparent color of a PNG has no opacity")
    func key() throws {
        let file = try picture(Fixture.key)
        #expect(file.describe().isLaidOverWhite)
        #expect(try codes(file.translucentImage()) == [[1, 2, 3, 255], [9, 9, 9, 0]])
        #expect(try codes(file.image()) == [[1, 2, 3], [255, 255, 255]])
    }

    @Test("Premultiplied colors are divided by alpha")
    func premultiplied() throws {
        let file = try picture(Fixture.premultiplied)
        #expect(file.describe().file?.format == "tiff" && file.describe().isLaidOverWhite)
        // 100 · 255 / 128 = 199.2, 50 · 255 / 128 = 99.6
        #expect(
            try codes(file.translucentImage()) == [[100, 50, 0, 255], [199, 100, 0, 128], [0, 0, 0, 0]])
    }

    @Test("Samples are inverted where zero is white")
    func whiteIsZero() throws {
        let file = try picture(Fixture.whiteIsZero)
        #expect(try codes(file.image()).map(\.first) == [65535, 64535, 0])
    }

    @Test("PPM samples are stretched to the full range")
    func ppm() throws {
        let file = try openPicture(MemorySource(Array("P6 2 1 100\n".utf8) + [0, 50, 100, 100, 25, 1]))
        #expect(try codes(file.image()) == [[0, 128, 255], [255, 64, 3]])
    }

    @Test("Adobe CMYK is converted to RGB")
    func inks() throws {
        let file = try picture(Fixture.cmyk)
        #expect(file.describe().colorSize == PixelSize(width: 16, height: 16))
        let image = try file.image()
        #expect(image.colorProfile.isEmpty)
        // (255 - ink) · (255 - black) / 255; JPEG rounds.
        for pixel in try codes(image) {
            #expect(zip(pixel, [0, 191, 95]).allSatisfy { abs($0 - $1) <= 2 }, "\(pixel)")
        }
    }

    @Test(
        "An unsupported file is an error that names its format",
        arguments: [
            ("GIF89a\u{1}\u{0}\u{1}\u{0}", "a GIF picture"),
            ("RIFF\u{10}\u{0}\u{0}\u{0}WEBPVP8 ", "a WebP picture"),
            ("hello", "not a picture"),
        ])
    func unreadable(start: String, words: String) throws {
        let error = try #require(throws: ContainerError.self) {
            _ = try openPicture(MemorySource(Array(start.utf8)))
        }
        #expect(error.code == "unrecognized" && error.message.contains(words))
        #expect(error.message.contains("PNG"))
    }

    @Test(
        "The pixel limit applies to every format",
        arguments: [Fixture.key, Fixture.cmyk, Fixture.premultiplied])
    func limit(fixture: String) throws {
        let data = try #require(Data(base64Encoded: fixture, options: .ignoreUnknownCharacters))
        var limits = DecodingLimits()
        limits[.pixels] = 1
        #expect(throws: ContainerError.self) {
            try openPicture(MemorySource([UInt8](data)), limits: limits).image()
        }
    }

    @Test("An alpha plane is scaled to the size of the picture")
    func alphaPlane() throws {
        let image = ColorImage(width: 48, height: 40, pixels: .uint8(smoothColors), colorProfile: [])
        let matte = Matte(width: 2, height: 1, coverage: [0, 255])
        let found = try codes(RGBAImage(image, alpha: matte))
        #expect(found[0][3] == 0 && found[47][3] == 255 && found[24][3] > 100 && found[24][3] < 155)
        #expect(found[47].prefix(3) == [40 + 141, 60, 200 - 47])
    }
}

@Suite struct ReducedDecodingTests {
    private let folder = TemporaryFolder()

    /// A JPEG of smooth colors whose sides are not multiples of 8.
    private static func file(orientation: UInt8 = 1) throws -> [UInt8] {
        let (width, height) = (203, 101)
        let pixels = (0..<width * height).map {
            RGB<UInt8>(red: UInt8($0 % width), green: UInt8($0 / width), blue: 90)
        }
        var raster = Raster(width: width, height: height, samples: .color(.uint8(pixels)))
        raster.metadata.exif =
            Array("MM".utf8) + [
                0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
            ]
        let folder = TemporaryFolder()
        try OutputFile(path: folder.file("a.jpg"), replacesExisting: false).write {
            (descriptor) throws(WriteError) in
            try raster.writeJPEG(to: descriptor)
        }
        return try folder.bytes(of: "a.jpg")
    }

    @Test(
        "A JPEG is decoded at the smallest size that suffices",
        arguments: [
            (203, 101, 203, 101), (102, 51, 102, 51), (103, 51, 203, 101), (102, 52, 203, 101),
            (51, 26, 51, 26),
            (1, 1, 26, 13), (26, 14, 51, 26), (500, 500, 203, 101),
        ])
    func size(width: Int, height: Int, expectedWidth: Int, expectedHeight: Int) throws {
        let picture = try openPicture(MemorySource(Self.file()))
        let image = try picture.image(atLeast: PixelSize(width: width, height: height))
        #expect((image.width, image.height) == (expectedWidth, expectedHeight))
        // Red grows by one a column of the full size, green by one a row: a pixel is the mean of the area that it
        // covers.
        guard case .uint8(let pixels) = image.pixels else { return }
        let middle = pixels[image.height / 2 * image.width + image.width / 2]
        let step = (203 + image.width - 1) / image.width
        let (red, green) = (image.width / 2 * step + step / 2, image.height / 2 * step + step / 2)
        #expect(abs(Int(middle.red) - red) <= 3 && abs(Int(middle.green) - green) <= 3)
    }

    @Test("The requested size is that of the upright picture")
    func turned() throws {
        let photo = try DepthPhoto(MemorySource(Self.file(orientation: 6)))
        let image = try photo.image(atLeast: PixelSize(width: 51, height: 102))
        #expect((image.width, image.height) == (51, 102))
        let stored = try photo.image(frame: .stored, atLeast: PixelSize(width: 102, height: 51))
        #expect((stored.width, stored.height) == (102, 51))
    }

    @Test(
        "A picture that is too narrow for halves has an error in their place",
        arguments: [(PairLayout.left, 1, 8), (.right, 1, 8), (.above, 8, 1), (.below, 8, 1)])
    func withoutHalves(layout: PairLayout, width: Int, height: Int) throws {
        let pixels = [RGB<UInt8>](repeating: RGB(red: 1, green: 2, blue: 3), count: 8)
        let raster = Raster(width: width, height: height, samples: .color(.uint8(pixels)))
        try OutputFile(path: folder.file("a.jpg"), replacesExisting: false).write {
            (descriptor) throws(WriteError) in
            try raster.writeJPEG(to: descriptor)
        }
        let whole = try parseContainer(MemorySource(folder.bytes(of: "a.jpg")), limits: DecodingLimits())
        let halves = DeclaredDepthContainer(whole, layout: layout, quantity: .disparity)
        #expect(halves.planes.map { $0.readError?.code } == ["malformed"])
        #expect(halves.photo.readError?.code == "malformed")
    }

    /// libtiff interprets a value by the type of its tag: it reads a number if a text was stored under the tag of a
    /// number.
    @Test(
        "Fields of Exif that are texts where TIFF has numbers are left out of TIFF files",
        arguments: [(0x112, false), (0x11A, false), (0x128, false), (0x10F, true)])
    func textsInTIFF(tag: Int, isKept: Bool) throws {
        let pixels = [RGB<UInt8>](repeating: RGB(red: 1, green: 2, blue: 3), count: 6)
        var raster = Raster(width: 3, height: 2, samples: .color(.uint8(pixels)))
        raster.metadata.exif =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, UInt8(tag >> 8), UInt8(tag & 255), 0, 2, 0, 0, 0, 8]
            + [0, 0, 0, 26, 0, 0, 0, 0] + Array("qwe.rty\0".utf8)
        try OutputFile(path: folder.file("a.tiff"), replacesExisting: false).write {
            (descriptor) throws(WriteError) in
            try raster.writeTIFF(to: descriptor)
        }
        let bytes = try folder.bytes(of: "a.tiff")
        #expect((bytes.firstRange(of: Array("qwe.rty".utf8)) != nil) == isKept)
        let read = try openPicture(MemorySource(bytes)).image()
        guard case .uint8(let found) = read.pixels else { return }
        #expect(found == pixels)
    }

    @Test(
        "A HEIC is decoded at half its size where that suffices",
        arguments: [(1, 1, 480, 360), (480, 360, 480, 360), (481, 360, 960, 720), (480, 361, 960, 720)])
    func heic(width: Int, height: Int, expectedWidth: Int, expectedHeight: Int) throws {
        let image = try openPicture(TestImages.path("plain.heic")).image(
            atLeast: PixelSize(width: width, height: height))
        #expect((image.width, image.height) == (expectedWidth, expectedHeight))
    }
}

@Suite(.needsSamples)
struct PictureSampleTests {
    @Test("Alpha planes of HEIF files are used", arguments: SampleFolder.photos.files(in: "heif-alpha"))
    func alpha(name: String) throws {
        let file = try openPicture(SampleFolder.photos.path(name))
        let scene = file.describe()
        #expect(scene.isLaidOverWhite)
        let image = try file.translucentImage()
        #expect(PixelSize(width: image.width, height: image.height) == scene.colorSize)
    }
}
