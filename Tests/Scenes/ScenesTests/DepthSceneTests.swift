import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Effects
import Geometry
import PhotoFormats
import Scenes
import Synchronization
import TestSupport
import Testing

/// A scene of 4 × 2 pixels, half of it 1 m and half 2 m away, that records what is decoded.
private final class CountingSource: SceneSource {
    let scale: DepthScale
    let decoded = Mutex<[String]>([])

    init(_ scale: DepthScale) { self.scale = scale }

    func describe() -> SceneDescription {
        var scene = SceneDescription()
        scene.colorSize = PixelSize(width: 4, height: 2)
        scene.depth = .init(size: PixelSize(width: 4, height: 2), quantity: .disparity, scale: scale)
        return scene
    }

    func decode(_ id: PlaneID, as request: PlaneRequest, into plane: inout DecodedPlane) {
        switch id {
        case .picture:
            decoded.withLock { $0.append("color") }
            plane = DecodedPlane(color())
        case .plane(.disparity, 0):
            decoded.withLock { $0.append("disparity") }
            plane = DecodedPlane(disparity())
        case .eye, .gainMap, .plane: return
        }
    }

    func color() -> ColorImage {
        let pixels = (0..<8).map { RGB<UInt8>(red: $0 % 4 < 2 ? 200 : 20, green: 100, blue: 50) }
        return ColorImage(width: 4, height: 2, pixels: .uint8(pixels), colorProfile: [])
    }

    private func disparity() -> DisparityMap {
        DisparityMap(
            width: 4, height: 2, reciprocalMeters: [1, 1, 0.5, 0.5, 1, 1, 0.5, 0.5], scale: scale)
    }

    func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { (PictureMetadata(), []) }
    var diagnostics: [Diagnostic] { [] }
}

@Suite("Depth scenes")
struct DepthSceneTests {
    private let folder = TemporaryFolder()

    @Test(
        "A scene decodes only what is asked for, and nothing twice"
    )
    func lazy() throws {
        let source = CountingSource(.absolute)
        let scene = DepthScene(source)
        #expect(scene.description.depth?.scale == .absolute)
        #expect(source.decoded.withLock(\.self) == [])
        #expect(try scene.depth().meters == [1, 1, 2, 2, 1, 1, 2, 2])
        #expect(try scene.depth().scale == .absolute)
        #expect(source.decoded.withLock(\.self) == ["disparity"])
        _ = try scene.color()
        _ = try scene.color()
        #expect(source.decoded.withLock(\.self) == ["disparity", "color"])
    }

    @Test("Depth, disparity, codes and an export share one decoding of the plane")
    func shared() throws {
        let source = CountingSource(.absolute)
        let scene = DepthScene(source)
        let plane = try scene.description.requirePlane(nil)
        #expect(plane.kind == .disparity && source.decoded.withLock(\.self) == [])
        #expect(try scene.disparity().reciprocalMeters == [1, 1, 0.5, 0.5, 1, 1, 0.5, 0.5])
        #expect(try scene.depth().meters == [1, 1, 2, 2, 1, 1, 2, 2])
        let export = try scene.export(plane, as: PlaneExport(format: .pfm, frame: .upright))
        #expect(export.raster.width == 4)
        #expect(try scene.plane(plane.id).size == PixelSize(width: 4, height: 2))
        #expect(source.decoded.withLock(\.self) == ["disparity"])
    }

    /// At 4 m, with a focal length of 2 samples and the axis in the middle, x is (column − 1.5) · 4 / 2.
    @Test("A scene is made of depth, a picture and a camera in memory")
    func made() throws {
        let depth = DepthMap(width: 4, height: 2, meters: [Float](repeating: 4, count: 8), scale: .absolute)
        let color = CountingSource(.absolute).color()
        let camera = CameraCalibration(focalLength: 4, width: 8, height: 4)
        let scene = DepthScene(depth: depth, color: color, camera: camera)
        #expect(scene.description.colorSize == PixelSize(width: 4, height: 2))
        #expect(scene.description.planes == [.depth] && scene.diagnostics.isEmpty)
        #expect(try scene.scale() == .absolute && scene.depth().meters == depth.meters)
        #expect(try scene.disparity().reciprocalMeters == [Float](repeating: 0.25, count: 8))
        let resolved = try scene.resolvedCamera()
        #expect(resolved.source == .file && resolved.calibration.focalLengthX == 2)
        let points = try scene.cloud().points().positions
        try #require(points.count == 8)
        for (index, point) in points.enumerated() {
            #expect(abs(point.x - (Float(index % 4) - 1.5) * 2) < 1e-5)
            #expect(abs(abs(point.y) - 1) < 1e-5 && abs(abs(point.z) - 4) < 1e-5)
        }
    }

    @Test("A scene in memory without a picture has depth and no effects")
    func depthAlone() throws {
        let depth = DepthMap(width: 4, height: 2, meters: [1, 1, 2, 2, 1, 1, 2, 2], scale: .absolute)
        let scene = DepthScene(depth: depth)
        #expect(throws: SceneError.noPicture) { try scene.color() }
        #expect(throws: SceneError.noPicture) { try scene.blurred() }
        #expect(try scene.depth().meters == depth.meters && scene.matte() == nil)
    }

    @Test(
        "Distances in meters are refused before anything is decoded",
        arguments: [DepthScale.affine, .unitless])
    func meters(scale: DepthScale) {
        let source = CountingSource(scale)
        let scene = DepthScene(source)
        let expected: DepthScaleError = scale == .affine ? .affine : .unitless
        var blur = BlurOptions()
        blur.focusDistance = 1
        #expect(throws: expected) { try scene.blurred(blur) }
        let layer = Picture(source.color())
        #expect(throws: expected) { try scene.inserting(layer, at: 1) }
        #expect(throws: expected) { try scene.composited(over: .none, .depth(.meters(far: 1.5))) }
        #expect(source.decoded.withLock(\.self).filter { $0 == "disparity" } == [])
    }

    @Test("A percentage cuts a mask at any scale", arguments: DepthScale.allCases)
    func percentages(scale: DepthScale) throws {
        let scene = DepthScene(CountingSource(scale))
        let matte = try scene.subjectMatte(.depth(.percent(far: 50)))
        guard case .depth(let mask, nil) = matte.origin else {
            Issue.record("not a mask")
            return
        }
        #expect(mask.scale == scale && abs(mask.selectedShare - 0.5) < 0.26)
    }

    @Test("A scene from memory is the scene of the file, with its stored samples and its camera")
    func memory() throws {
        let scene = try DepthScene(TestImages.bytes("portrait.heic"))
        #expect(try scene.depth().meters.count == 192 * 144)
        let camera = try scene.resolvedCamera()
        #expect(camera.source == .file && camera.calibration.width == 192)
        #expect(abs(camera.calibration.focalLengthX - 240) < 1e-9, "1200 px of 960")
        let hair = try #require(try scene.samples(of: .hair))
        let matte = try #require(try scene.matte(.hair))
        #expect(hair.bitDepth == 8 && Matte(hair) == matte)
        #expect(try scene.samples(of: .original) == nil && scene.confidence() == nil)
    }

    @Test("A background of another size is fitted to the picture, and the result says what was assumed")
    func background() throws {
        let scene = DepthScene(CountingSource(.unitless))
        let blue = RGB<UInt8>(red: 0, green: 0, blue: 255)
        let image = ColorImage(
            width: 40, height: 10, pixels: .uint8([RGB](repeating: blue, count: 400)), colorProfile: [])
        let matte = Matte(width: 4, height: 2, coverage: [UInt8](repeating: 0, count: 8))
        let picture = try scene.composited(over: .image(image, fit: .stretch), .given(matte))
        #expect(picture.size == PixelSize(width: 4, height: 2) && picture.isOpaque && picture.alpha == nil)
        guard case .uint8(let pixels) = picture.color.pixels else {
            Issue.record("not of 8 bits")
            return
        }
        #expect(pixels.allSatisfy { $0 == blue })
    }

    @Test("A picture that is written with its opacity is read with it")
    func opacity() throws {
        let colors = (0..<4).map { RGB<UInt8>(red: $0 * 60, green: 7, blue: 200) }
        let image = ColorImage(width: 4, height: 1, pixels: .uint8(colors), colorProfile: [])
        let alpha = Matte(width: 4, height: 1, coverage: [255, 128, 64, 0])
        try Picture(image, alpha: alpha).write(to: folder.file("cutout.png"))
        let read = try Picture(contentsOf: folder.file("cutout.png"))
        #expect(!read.isOpaque && read.alpha == alpha)
        guard case .uint8(let pixels) = read.color.pixels else {
            Issue.record("not of 8 bits")
            return
        }
        #expect(pixels == colors)
    }

    @Test("An effect without a picture is an error that says so")
    func missingPicture() throws {
        try DepthMap(width: 4, height: 2, meters: [1, 1, 2, 2, 1, 1, 2, 2], scale: .absolute)
            .write(to: folder.file("d.exr"))
        let scene = try DepthScene(contentsOf: folder.file("d.exr"))
        #expect(throws: SceneError.noPicture) { try scene.blurred() }
        #expect(try scene.depth().meters == [1, 1, 2, 2, 1, 1, 2, 2])
        #expect(scene.description.depth?.scale == .absolute)
    }

    /// The camera of `portrait.heic` in `expected.json`.
    @Test("A photo's mattes, scale and camera are described without decoding it")
    func photo() throws {
        let scene = try DepthScene(contentsOf: TestImages.path("portrait.heic"))
        #expect(
            scene.description.depth?.scale == .relative && scene.description.depth?.quantity == .disparity)
        #expect(scene.description.planes.contains(.matte) && scene.description.planes.contains(.hair))
        #expect(scene.description.colorSize == PixelSize(width: 960, height: 720))
        let camera = scene.description.cameras.camera(for: PixelSize(width: 960, height: 720))
        #expect(camera.source == .file && camera.calibration.focalLengthX == 1200)
    }

    @Test("A given focal length takes precedence over the file's for every effect")
    func givenCamera() throws {
        var reading = ReadingOptions()
        reading.camera = .focalLength(100)
        let scene = try DepthScene(contentsOf: TestImages.path("portrait.heic"), reading: reading)
        let camera = scene.description.cameras.camera(for: PixelSize(width: 192, height: 144))
        #expect(camera.source == .given && camera.calibration.focalLengthX == 100)
    }
}
