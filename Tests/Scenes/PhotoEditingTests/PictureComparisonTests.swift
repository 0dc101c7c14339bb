import Bytes
import DepthMaps
import DepthTypes
import PhotoFormats
import Scenes
import TestSupport
import Testing

@testable import PhotoEditing

@Suite("The picture before an edit and after it")
struct PictureComparisonTests {
    private func compare(
        _ before: [UInt8], _ after: [UInt8], limits: DecodingLimits = DecodingLimits()
    ) throws -> [Diagnostic] {
        try PictureComparison(
            before: (DepthPhoto(MemorySource(before), limits: limits), before),
            after: (DepthPhoto(MemorySource(after), limits: limits), after)
        ).verify(without: [])
    }

    @Test("The same file is unchanged", arguments: ["portrait.jpg", "portrait.heic", "gdepth-portrait.jpg"])
    func same(name: String) throws {
        let bytes = try TestImages.bytes(name)
        #expect(try compare(bytes, bytes).isEmpty)
    }

    /// The bytes of `plain.jpg`, and the same with another quantization.
    private func requantized() throws -> (bytes: [UInt8], changed: [UInt8]) {
        let bytes = try TestImages.bytes("plain.jpg")
        var changed = bytes
        // The first step of the first quantization table: DQT, length, number, step.
        let table = try #require(bytes.firstRange(of: [0xFF, 0xDB])).lowerBound
        changed[table + 5] += 2
        return (bytes, changed)
    }

    @Test("Another quantization in a JPEG is found by decoding")
    func jpeg() throws {
        let (bytes, changed) = try requantized()
        #expect(throws: PhotoEditingError.verification("pixels of the photo have changed")) {
            try compare(bytes, changed)
        }
    }

    @Test("Another byte of a HEIF photo or of one of its planes is found", arguments: [false, true])
    func heif(isPlane: Bool) throws {
        let bytes = try TestImages.bytes("portrait.heic")
        let photo = try DepthPhoto(MemorySource(bytes))
        let location = isPlane ? try #require(photo.depthPlane).location : photo.description.location
        let extent: Range<Int>? =
            switch try photo.container.codedImage(at: location) {
            case .picture(let picture): picture.extents.first
            case .grid(let grid): grid.tiles.first?.extents.first
            default: nil
            }
        var changed = bytes
        changed[try #require(extent).upperBound - 3] ^= 1
        #expect(throws: PhotoEditingError.self) { try compare(bytes, changed) }
    }

    @Test("A photo that cannot be decoded within a limit is compared with a warning")
    func limit() throws {
        let (bytes, changed) = try requantized()
        var limits = DecodingLimits()
        limits[.memoryBytes] = 500_000
        // Three bytes a pixel.
        let photo = try DepthPhoto(MemorySource(bytes)).description
        #expect(photo.width * photo.height * 3 > 500_000)
        #expect(try compare(bytes, changed, limits: limits).map(\.code.rawValue) == ["unchecked-picture"])
    }

    @Test("A JPEG of which an edit changed application segments and comments alone is not decoded")
    func segments() throws {
        let bytes = try TestImages.bytes("plain.jpg")
        let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 65, 66]
        let application: [UInt8] = [0xFF, 0xE5, 0, 4, 65, 66]
        let commented = bytes[..<2] + comment + application + bytes[2...]
        var limits = DecodingLimits()
        limits[.memoryBytes] = 500_000
        #expect(try compare(bytes, Array(commented), limits: limits).isEmpty)
    }

    /// Without JFIF, Adobe's segment declares red, green and blue by transform 0 (ITU-T T.872 §6.5.3). JFIF overrules it.
    @Test("A JPEG of red, green and blue keeps its colors when images are put behind it")
    func redGreenBlue() throws {
        let bytes = try TestImages.bytes("plain.jpg")
        let layout = try JPEGLayout(MemorySource(bytes), limits: DecodingLimits())
        let adobe: [UInt8] = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
        var photo: [UInt8] = [0xFF, 0xD8] + adobe
        for segment in layout.segments where segment.marker != 0xE0 && segment.marker != 0xEE {
            photo += bytes[segment.range]
        }
        photo += bytes[layout.scan...]
        let before = try DepthPhoto(MemorySource(photo)).image()
        #expect(try before.pixels != DepthPhoto(MemorySource(bytes)).image().pixels)
        var edit = PhotoEdit(form: .appleJPEG)
        edit.depth = try DepthScene(storedIn: TestImages.path("portrait.heic")).coded(DepthCoding())
        let edited = try edit.apply(to: photo).bytes
        #expect(try DepthPhoto(MemorySource(edited)).image().pixels == before.pixels)
        #expect(try DepthPhoto(MemorySource(edited)).planes.map(\.kind) == [.disparity])
    }
}
