import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Effects
import Scenes
import TestSupport
import Testing

/// A scene of 96 × 64 pixels, half of it 1 m and half 2 m away, with the marks of a camera.
private struct MarkedSource: SceneSource {
    var marks = SceneDescription()
    /// Whether a pixel of the far half is a lamp.
    var hasLamp = false
    /// The factor of a gain map; `nil` if it is broken.
    var gain: Float? = 1
    var scale = DepthScale.absolute

    func describe() -> SceneDescription {
        var scene = marks
        scene.colorSize = PixelSize(width: 96, height: 64)
        scene.depth = .init(size: PixelSize(width: 96, height: 64), quantity: .disparity, scale: scale)
        scene.hasGainMap = true
        return scene
    }

    func decode(_ id: PlaneID, as request: PlaneRequest, into plane: inout DecodedPlane) throws {
        switch id {
        case .picture: plane = DecodedPlane(color())
        case .gainMap: plane.content = .gainMap(try gainMap())
        case .plane(.disparity, 0): plane = DecodedPlane(disparity())
        case .eye, .plane: return
        }
    }

    private func color() -> ColorImage {
        var pixels = (0..<96 * 64).map { RGB<UInt8>(red: $0 % 96 < 48 ? 200 : 20, green: 60, blue: 50) }
        if hasLamp { pixels[32 * 96 + 72] = .white }
        return ColorImage(width: 96, height: 64, pixels: .uint8(pixels), colorProfile: [])
    }

    private func disparity() -> DisparityMap {
        DisparityMap(
            width: 96, height: 64, reciprocalMeters: (0..<96 * 64).map { $0 % 96 < 48 ? 1 : 0.5 },
            scale: scale)
    }

    private func gainMap() throws -> GainMap {
        guard let gain else { throw ContainerError(.malformed(rule: "a test"), at: 0) }
        return GainMap(width: 1, height: 1, factors: [[gain]], parameters: .apple(.light(64)))
    }

    func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { (PictureMetadata(), []) }
    var diagnostics: [Diagnostic] { [] }
}

@Suite("The focus of a blur")
struct BlurFocusTests {
    @Test(
        "The subject's distance in Exif is clamped to the depth, with a remark",
        arguments: [
            (Float(1.6), Float(1.6), nil), (0.4, 1, "nearer than any depth; 1 m is in focus"),
            (9, 2, "farther than any depth; 2 m is in focus"),
        ])
    func distance(exif: Float, focus: Float, remark: String?) throws {
        var source = MarkedSource()
        source.marks.subjectDistance = exif
        let blurred = try DepthScene(source).blurredScene(BlurOptions())
        #expect(abs(1 / blurred.aperture.focusDisparity - focus) < 1e-4)
        #expect(blurred.focusOrigin == .camera)
        let remarks = blurred.diagnostics.filter { $0.code == .assumedFocus }.map(\.message)
        #expect(remarks.count == (remark == nil ? 0 : 1))
        #expect(remarks.allSatisfy { $0.hasSuffix(remark ?? "") }, "\(remarks)")
    }

    @Test("Marks of a larger frame are mentioned if they are used")
    func cut() throws {
        var source = MarkedSource()
        source.marks.subjectMarks = [NormalizedPoint(x: 0.8, y: 0.5)]
        source.marks.isCutFromFrame = true
        var options = BlurOptions()
        func remarks() throws -> Int {
            try DepthScene(source).blurredScene(options).diagnostics.count { $0.code == .assumedFocus }
        }
        #expect(try remarks() == 1)
        options.focus = NormalizedPoint(x: 0.2, y: 0.5)
        #expect(try remarks() == 0)
    }

    @Test("A mark on the background yields to the object that stands out, a face does not")
    func background() throws {
        var source = MarkedSource()
        source.marks.subjectMarks = [NormalizedPoint(x: 0.8, y: 0.5)]
        let blurred = try DepthScene(source).blurredScene(BlurOptions())
        #expect(blurred.focusOrigin == .standout && abs(blurred.aperture.focusDisparity - 1) < 1e-5)
        // The second frame's mark is on the near half.
        source.marks.subjectMarks.append(NormalizedPoint(x: 0.2, y: 0.5))
        #expect(try DepthScene(source).blurredScene(BlurOptions()).focusOrigin == .camera)
        source.marks.faces = [NormalizedPoint(x: 0.8, y: 0.5)]
        let face = try DepthScene(source).blurredScene(BlurOptions())
        #expect(face.focusOrigin == .face && abs(face.aperture.focusDisparity - 0.5) < 1e-5)
    }

    @Test("The lens that a file declares gives focus and aperture, unless others are given")
    func declared() throws {
        var source = MarkedSource(scale: .unitless)
        // A point at infinity is blurred by 3 % of the longer side: 2.88 pixels.
        source.marks.effectLens = RenderedLens(focus: 0.8, blurAtInfinity: 0.03)
        source.marks.focusMarks = [NormalizedPoint(x: 0.8, y: 0.5)]
        var options = BlurOptions()
        let blurred = try DepthScene(source).blurredScene(options)
        #expect(blurred.focusOrigin == .camera && blurred.apertureOrigin == .file)
        #expect(abs(blurred.aperture.focusDisparity - 0.8) < 1e-5)
        let disc = blurred.aperture.circleOfConfusion(ofDisparity: 0, width: 96, height: 64)
        #expect(abs(disc - 5.76) < 1e-3)
        options.focus = NormalizedPoint(x: 0.2, y: 0.5)
        options.fNumber = 3
        let given = try DepthScene(source).blurredScene(options)
        #expect(given.focusOrigin == .given && given.apertureOrigin == .given)
        #expect(given.aperture.focusDisparity == 1 && given.aperture.fNumber == 3)
    }

    @Test("A gain map gives the light of a lamp; a broken one is mentioned where light is estimated instead")
    func gainMap() throws {
        var options = BlurOptions()
        options.focusDistance = 1
        options.fNumber = 0.3
        func lamp(_ gain: Float?, hasLamp: Bool = true) throws -> (red: Int, remarks: Int) {
            let scene = DepthScene(MarkedSource(hasLamp: hasLamp, gain: gain))
            let blurred = try scene.blurredScene(options)
            guard case .uint8(let pixels) = blurred.picture.color.pixels else { return (-1, -1) }
            let remarks = blurred.diagnostics.count { $0.code == .unreadablePlane && $0.severity == .note }
            return (Int(pixels[32 * 96 + 72].red), remarks)
        }
        let (plain, bright, broken) = (try lamp(1), try lamp(16), try lamp(nil))
        #expect(bright.red > plain.red + 40, "\(plain.red) \(bright.red)")
        #expect(broken.red > plain.red && broken.remarks == 1)
        #expect(plain.remarks == 0 && bright.remarks == 0)
        #expect(try lamp(nil, hasLamp: false).remarks == 0)
    }
}
