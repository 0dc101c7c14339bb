import Bytes
import Codecs
import DepthMaps
import DepthTypes
import PhotoEditing
import PhotoFormats
import Scenes
import TestSupport
import Testing

@Suite("Bringing photos into another form")
struct ConversionTests {
    @Test(
        "HEIC becomes JPEG with the same depth, mattes, camera and orientation",
        arguments: ["portrait.heic", "portrait-rotated.heic", "absolute-depth.heic"],
        [DepthForm.appleJPEG, .gDepth, .dynamicDepth])
    func toJPEG(name: String, form: DepthForm) throws {
        let bytes = try TestImages.bytes(name)
        let before = try DepthPhoto(MemorySource(bytes))
        let edited = try PhotoConversion(form: form).convert(DepthScene(before), photo: bytes)
        let after = try DepthPhoto(MemorySource(edited.bytes))
        #expect(after.format == .jpeg)
        #expect(after.description.orientation == before.description.orientation)
        let (old, new) = (try before.describe().requirePlane(nil), try after.describe().requirePlane(nil))
        let codes = try after.codes(of: new)
        let isFalling = (new.mapping?.high ?? 0) < (new.mapping?.low ?? 0)
        #expect(try (isFalling ? codes.complemented : codes).codes == before.codes(of: old).codes)
        if form == .appleJPEG {
            let kinds = before.planes.map(\.kind).filter(\.isMatte)
            #expect(after.planes.map(\.kind).filter(\.isMatte) == kinds)
            for kind in kinds { #expect(try DepthScene(after).matte(kind) == DepthScene(before).matte(kind)) }
        }
        // Readers of gain maps take baseline JPEG: a few codes off.
        #expect(
            after.planes.contains { $0.kind == .gainMap }
                == (form == .appleJPEG && before.storedPlane(.gainMap) != nil))
        if form == .appleJPEG, let map = before.describe().storedPlane(.gainMap),
            let again = after.describe().storedPlane(.gainMap)
        {
            let (old, new) = (try before.codes(of: map), try after.codes(of: again))
            guard case .uint8(let first) = old.codes, case .uint8(let second) = new.codes else { return }
            #expect(zip(first, second).allSatisfy { abs(Int($0) - Int($1)) <= 8 })
        }
        if form != .gDepth {
            let camera = new.calibration?.oriented(by: new.orientation)
            let original = old.calibration?.oriented(by: old.orientation)
            #expect(abs((camera?.principalPointX ?? 0) - (original?.principalPointX ?? 1)) < 1e-6)
        }
        // The picture itself, coded again: a quality of 92 is a few codes off.
        let (picture, source) = (try after.image(), try before.image())
        guard case .uint8(let found) = picture.pixels, case .uint8(let wanted) = source.pixels else {
            Issue.record("8 bits")
            return
        }
        #expect((picture.width, picture.height) == (source.width, source.height))
        let off = zip(found, wanted).map { abs(Int($0.green) - Int($1.green)) }.reduce(0, +)
        #expect(Double(off) / Double(found.count) < 2)
        #expect(picture.colorProfile == source.colorProfile)
        let exif = try after.container.photoExif().bytes
        #expect(exif.count == (try before.container.photoExif().bytes.count))
    }

    @Test(
        "A photo without Exif becomes a JPEG with what the standard demands, which is read as it was written")
    func madeExif() throws {
        let bytes = try TestImages.bytes("depth.jxl")
        var reading = ReadingOptions()
        reading.range = 1.4091796875...20
        let before = try DepthScene(storedIn: MemorySource(bytes), named: "depth.jxl", reading: reading)
        let conversion = PhotoConversion(form: .appleJPEG)
        let after = try DepthPhoto(MemorySource(conversion.convert(before, photo: bytes).bytes))
        let tree = try ExifTree(after.container.photoExif().bytes, limits: DecodingLimits())
        // Exif 2.32, tables 18 and 19, of 480 × 360 in Display P3, which is not sRGB: ColorSpace is 65535.
        let details = try #require(tree.children[ExifTree.exif])
        #expect(tree.fields.map(\.tag).sorted() == [0x112, 0x11A, 0x11B, 0x128])
        #expect(details.fields.map(\.tag).sorted() == [0x9000, 0x9101, 0xA000, 0xA001, 0xA002, 0xA003])
        #expect(details.fields.first { $0.tag == 0xA001 }?.bytes == [0xFF, 0xFF])
        #expect(details.fields.first { $0.tag == 0xA002 }?.bytes == [0, 0, 1, 0xE0])
        #expect(details.fields.first { $0.tag == 0xA003 }?.bytes == [0, 0, 1, 0x68])
        #expect(after.description.orientation == .up)
    }

    @Test("Photos whose depth cannot be taken out lose what stands behind them, and a remark says what")
    func vendors() throws {
        for name in ["samsung-dualshot.jpg", "huawei-edof.jpg", "vivo.jpg", "leia-lif.jpg"] {
            let bytes = try TestImages.bytes(name)
            var reading = ReadingOptions()
            reading.range = 0.5...10
            let before = try DepthScene(storedIn: MemorySource(bytes), reading: reading)
            let edited = try PhotoConversion(form: .appleJPEG).convert(before, photo: bytes)
            let after = try DepthPhoto(MemorySource(edited.bytes))
            #expect(after.planes.map(\.kind).filter(\.isDepth).count == 1, "\(name)")
            #expect(try after.describe().requirePlane(nil).source == "apple-mpf")
            #expect(edited.diagnostics.contains { $0.message.hasPrefix("the data after the photo") })
        }
    }

    @Test("Side by side, the picture keeps its pixels, and near is white")
    func sideBySide() throws {
        let scene = try DepthScene(contentsOf: TestImages.path("portrait.heic"))
        func columns(_ raster: Raster) throws -> (first: [RGB<UInt8>], second: [RGB<UInt8>]) {
            guard case .color(.uint8(let pixels)) = raster.samples else { throw SceneError.noPicture }
            let half = raster.width / 2
            return (
                (0..<raster.height).flatMap { pixels[$0 * raster.width..<$0 * raster.width + half] },
                (0..<raster.height).flatMap { pixels[$0 * raster.width + half..<($0 + 1) * raster.width] }
            )
        }
        let frame = try SideBySide.frame(of: scene)
        #expect((frame.width, frame.height) == (1920, 720))
        let (picture, depth) = try columns(frame)
        guard case .uint8(let pixels) = try scene.color().in8Bits.pixels else { throw SceneError.noPicture }
        #expect(picture == pixels)
        #expect(depth.allSatisfy { $0.red == $0.green && $0.red == $0.blue })
        let meters = try scene.depth().meters
        let known = meters.indices.filter { !meters[$0].isNaN }
        let nearest = try #require(known.min { meters[$0] < meters[$1] })
        // The map has 192 x 144 samples of the picture's 960 x 720 pixels.
        #expect(depth[(nearest / 192 * 5 + 2) * 960 + nearest % 192 * 5 + 2].red > 240)
        #expect(depth.map(\.red).min() == 0 && frame.record?.contains("white") == true)
    }
}
