import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Effects
import Scenes
import TestSupport
import Testing

@testable import Networks

/// Networks whose answers follow from arithmetic, run by ONNX Runtime.
@Suite("Depth of networks", .needsNetworks)
struct NetworkDepthTests {
    let folder: TemporaryFolder

    init() throws { folder = TemporaryFolder() }

    private func network(_ file: OnnxFile, profile: String? = nil) throws -> Network {
        try Network(contentsOf: folder.write(file.bytes, to: "network.onnx"), profile: profile)
    }

    /// A picture of one color.
    private func flat(_ color: RGB<UInt8>, width: Int, height: Int) -> ColorImage {
        ColorImage(
            width: width, height: height, pixels: .uint8(Array(repeating: color, count: width * height)),
            colorProfile: [])
    }

    @Test("Input sizes are multiples of 14, and the answer has the picture's shape")
    func answerSize() throws {
        let network = try network(OnnxFile.affineDisparity(a: 1, b: 0, c: 0))
        // As DPTImageProcessor has it: 518/768 of 1024 is 690.67, and round(690.67 / 14) · 14 is 686.
        let plan = network.input.plan(for: PixelSize(width: 1024, height: 768))
        #expect(plan.size == PixelSize(width: 686, height: 518))
        #expect(
            network.input.plan(for: PixelSize(width: 3024, height: 4032)).size
                == PixelSize(width: 518, height: 686))
    }

    @Test("Disparity is a · luma + b · row + c")
    func affine() throws {
        let network = try network(OnnxFile.affineDisparity(a: 2, b: 0.01, c: 0.5))
        let image = flat(RGB(red: 255, green: 128, blue: 0), width: 280, height: 280)
        guard case .affine(let map) = try network.depth(of: image, camera: usualCamera) else {
            Issue.record("the disparity is not affine")
            return
        }
        #expect(map.width == 518 && map.height == 518)
        #expect(map.scale == .affine)
        // The picture has one color, so resizing leaves it as it is.
        let luma = 0.2126 * 1 + 0.7152 * 128 / 255.0
        for row in [0, 100, 517] {
            let expected = Float(2 * luma + 0.01 * Double(row) + 0.5)
            // Sums of 32-bit floats up to 10.
            #expect(abs(map.reciprocalMeters[row * 518 + 300] - expected) < 1e-4)
        }
    }

    @Test("A scene with affine disparity refuses meters")
    func refusal() throws {
        let scene = try estimated(alignment: .none)
        #expect(try scene.scale() == .affine)
        #expect(throws: DepthScaleError.affine) { try scene.depth() }
        #expect(throws: DepthScaleError.affine) { try scene.cloud() }
        #expect(try scene.disparity().scale == .affine)
        #expect(scene.diagnostics.contains { $0.message.contains("scale and shift are unknown") })
    }

    /// A picture whose gray falls from top to bottom, 280 × 280: the network receives its luma.
    private var ramp: ColorImage {
        let pixels = (0..<280 * 280).map { index in
            let code = UInt8(250 - index / 280 * 200 / 280)
            return RGB(red: code, green: code, blue: code)
        }
        return ColorImage(width: 280, height: 280, pixels: .uint8(pixels), colorProfile: [])
    }

    /// The scene of ``ramp`` with the depth of a network that sees `3 · luma + 1`, where 1/Z is `luma`.
    private func estimated(alignment: DepthAlignment, stored: DisparityMap? = nil) throws -> DepthScene {
        try network(OnnxFile.affineDisparity(a: 3, b: 0, c: 1)).scene(
            for: DepthScene(TestScene(image: ramp, stored: stored)), alignment: alignment)
    }

    @Test("Two anchors give disparity meters")
    func anchors() throws {
        // Rows 28 and 252 of 280 have the codes 230 and 70.
        let scene = try estimated(
            alignment: .anchors([
                NormalizedPoint(x: 0.5, y: 0.1): 255 / 230.0, NormalizedPoint(x: 0.5, y: 0.9): 255 / 70.0,
            ]))
        #expect(try scene.scale() == .absolute)
        let depth = try scene.depth()
        let middle = depth.meters[depth.height / 2 * depth.width + depth.width / 2]
        // The code of row 140 is 150; codes are whole numbers, so 1/Z is within a code.
        #expect(abs(1 / middle - 150 / 255.0) < 1.0 / 255)
    }

    @Test("A stored plane with 30 % outliers gives scale and shift to 1e-3")
    func stored() throws {
        var random = SplitMix(seed: 7)
        // A coarse plane of 70 × 70: the mean of 4 rows of codes, except for wrong samples.
        let values = (0..<70 * 70).map { index -> Float in
            if random.fraction() < 0.3 { return 3 * random.fraction() }
            let row = index / 70
            let codes = (0..<4).map { Float(250 - (4 * row + $0) * 200 / 280) }
            return codes.reduce(0, +) / 4 / 255
        }
        let stored = DisparityMap(width: 70, height: 70, reciprocalMeters: values, scale: .relative)
        let scene = try estimated(alignment: .stored, stored: stored)
        #expect(try scene.scale() == .relative)
        let map = try scene.disparity()
        for row in [60, 259, 460] {
            let code = 250 - (Double(row) + 0.5) / 518 * 280 * 200 / 280
            // Codes are whole numbers, rounded up, and resizing rounds them once more.
            #expect(abs(Double(map.reciprocalMeters[row * 518 + 259]) - code / 255) < 2.0 / 255)
        }
        let note = try #require(scene.diagnostics.first { $0.code == .computedDepth })
        #expect(note.message.contains("aligned to the stored depth"))
    }

    @Test("Depth of the caller is aligned to the stored plane, or keeps its values")
    func supplied() throws {
        let known = (0..<70 * 70).map { index in Float(250 - index / 70) / 255 }
        let stored = DisparityMap(width: 70, height: 70, reciprocalMeters: known, scale: .relative)
        let scene = DepthScene(TestScene(image: ramp, stored: stored))
        let values = DisparityMap(
            width: 70, height: 70, reciprocalMeters: known.map { 3 * $0 + 1 }, scale: .affine)
        let aligned = try scene.replacingDepth(with: values)
        #expect(try aligned.scale() == .relative)
        #expect(try zip(aligned.disparity().reciprocalMeters, known).allSatisfy { abs($0 - $1) < 1e-4 })
        let triple = DepthMap(width: 70, height: 70, meters: known.map { 3 / $0 }, scale: .absolute)
        #expect(
            try zip(scene.replacingDepth(with: triple).depth().meters, known)
                .allSatisfy { abs($0 * $1 - 1) < 1e-3 })
        let kept = try scene.replacingDepth(with: triple, alignment: .none)
        #expect(try kept.scale() == .absolute && kept.depth().meters == triple.meters)
        let plain = DepthScene(TestScene(image: ramp, stored: nil))
        #expect(throws: SceneError.self) { try plain.replacingDepth(with: values) }
    }

    @Test("Aligned depth is nearer the truth than the stored plane or two anchors of it")
    func better() throws {
        // The truth is luma in codes; the plane has a quarter of the samples in each direction, noise of ±3 %, and 5 bits.
        var random = SplitMix(seed: 11)
        let values = (0..<70 * 70).map { index -> Float in
            let codes = (0..<4).map { Float(250 - (4 * (index / 70) + $0) * 200 / 280) }
            let exact = codes.reduce(0, +) / 4 / 255
            return ((exact + 0.06 * (random.fraction() - 0.5)) * 31).rounded() / 31
        }
        let stored = DisparityMap(width: 70, height: 70, reciprocalMeters: values, scale: .relative)
        let places = [NormalizedPoint(x: 0.3, y: 0.15), NormalizedPoint(x: 0.7, y: 0.85)]
        let anchors = places.reduce(into: [NormalizedPoint: Double]()) { anchors, place in
            anchors[place] = 1 / Double(values[Int(place.y * 70) * 70 + Int(place.x * 70)])
        }
        func error(_ map: DisparityMap) -> Double {
            let squares = (0..<map.height).flatMap { row in
                let place = (Double(row) + 0.5) / Double(map.height) * 280
                let exact = Double(250 - Int(place) * 200 / 280) / 255
                return (0..<map.width).map { column in
                    let difference = Double(map.reciprocalMeters[row * map.width + column]) - exact
                    return difference * difference
                }
            }
            return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
        }
        let aligned = try error(estimated(alignment: .stored, stored: stored).disparity())
        let anchored = try error(estimated(alignment: .anchors(anchors)).disparity())
        #expect(aligned < error(stored.resampled(toWidth: 518, height: 518, by: .bilinear)) / 3)
        #expect(aligned < anchored)
    }

    @Test("Samples of equal frames are equal, whatever else is in the frame: nothing is stretched to a range")
    func steady() throws {
        let network = try network(OnnxFile.affineDisparity(a: 3, b: 0, c: 1))
        /// Gray in the left half, and this in the right one.
        func frame(_ code: UInt8) -> ColorImage {
            let pixels = (0..<56 * 56).map { $0 % 56 < 28 ? UInt8(102) : code }
            return ColorImage(
                width: 56, height: 56,
                pixels: .uint8(pixels.map { RGB(red: $0, green: $0, blue: $0) }), colorProfile: [])
        }
        for code: UInt8 in [0, 102, 255] {
            let map = try network.scene(for: DepthScene(TestScene(image: frame(code), stored: nil)))
                .disparity()
            // 3 · 102/255 + 1
            #expect(map.scale == .affine && abs(map.reciprocalMeters[259 * map.width + 100] - 2.2) < 1e-4)
        }
    }

    @Test("Without alignment the stored plane is left out")
    func unaligned() throws {
        let stored = DisparityMap(
            width: 70, height: 70, reciprocalMeters: Array(repeating: 1, count: 4900), scale: .absolute)
        #expect(try estimated(alignment: .none, stored: stored).scale() == .affine)
    }

    /// The scene of ``ramp`` with the depth of a network that answers in meters: 1 + 4 · luma.
    private func metric(_ alignment: DepthAlignment) throws -> DepthScene {
        var file = OnnxFile.affineDisparity(a: 4, b: 0, c: 1, profile: nil)
        file.metadata("isobath.profile", "depth-anything-metric")
        return try network(file).scene(
            for: DepthScene(TestScene(image: ramp, stored: nil)), alignment: alignment)
    }

    @Test("One anchor is enough for a network that answers in meters: all distances change by one factor")
    func oneAnchor() throws {
        let plain = try metric(.none).depth()
        // Row 140 has the code 150: 1 + 4 · 150/255 m, but declared as 8 m.
        let scene = try metric(.anchors([NormalizedPoint(x: 0.5, y: 0.5): 8]))
        #expect(try scene.scale() == .absolute)
        let depth = try scene.depth()
        let factor = 8 / (1 + 4 * 150 / 255.0)
        for row in [10, 140, 270] {
            let index = row * depth.height / 280 * depth.width + depth.width / 2
            #expect(abs(Double(depth.meters[index] / plain.meters[index]) / factor - 1) < 0.01)
        }
        #expect(scene.diagnostics.contains { $0.message.contains("aligned to one anchor") })
    }

    @Test("One anchor, and depth without a unit, are refused")
    func badAlignment() {
        #expect(throws: NetworkError.self) {
            try estimated(alignment: .anchors([NormalizedPoint(x: 0, y: 0): 1]))
        }
        let unitless = DisparityMap(
            width: 70, height: 70, reciprocalMeters: Array(repeating: 1, count: 4900), scale: .unitless)
        #expect(throws: DepthScaleError.unitless) { try estimated(alignment: .map(unitless)) }
        let wide = DisparityMap(
            width: 70, height: 20, reciprocalMeters: Array(repeating: 1, count: 1400), scale: .absolute)
        #expect(throws: SceneError.self) { try estimated(alignment: .map(wide)) }
    }

    @Test("Meters and the focal length of a second output")
    func metric() throws {
        let file = OnnxFile.constantAnswers(
            input: [1, 3, 32, 32], profile: #"{"like": "depth-pro", "size": 32}"#,
            [
                ("predicted_depth", (0..<1024).map { 1 + Float($0 / 32) }, [1, 32, 32]),
                ("focallength_px", [40], [1, 1]),
            ])
        let scene = try network(file).scene(
            for: DepthScene(TestScene(image: flat(.white, width: 64, height: 64), stored: nil)))
        let depth = try scene.depth()
        #expect(depth.scale == .relative)
        #expect(abs(depth.meters[0] - 1) < 1e-5)
        #expect(abs(depth.meters[1023] - 32) < 1e-3)
        // 40 pixels of an input of 32 are 80 of a picture of 64.
        #expect(scene.description.calibration?.focalLengthX == 80)
    }

    @Test("An input of another shape is widened to the picture's")
    func widened() throws {
        let file = OnnxFile.constantAnswers(
            input: [1, 3, 32, 32], profile: "midas",
            [("depth", Array(repeating: 1, count: 1024), [1, 32, 32])])
        let network = try network(file)
        #expect(
            network.answerSize(for: PixelSize(width: 400, height: 300)) == PixelSize(width: 43, height: 32))
        #expect(
            network.answerSize(for: PixelSize(width: 300, height: 400)) == PixelSize(width: 32, height: 43))
    }
}

/// Networks for mattes and objects, run by ONNX Runtime.
@Suite("Scenes of other networks", .needsNetworks)
struct NetworkSceneTests {
    private let picture = ColorImage(
        width: 64, height: 64, pixels: .uint8(Array(repeating: .white, count: 64 * 64)), colorProfile: [])

    private func network(_ file: OnnxFile) throws -> Network {
        let folder = TemporaryFolder()
        return try Network(contentsOf: folder.write(file.bytes, to: "network.onnx"))
    }

    @Test("A matte becomes the scene's, the depth stays, and no alignment is taken")
    func matte() throws {
        // The upper half is the subject, to 60 %.
        let network = try network(
            OnnxFile.constantAnswers(
                input: [1, 3, 32, 32], profile: "modnet",
                [("matte", (0..<1024).map { $0 < 512 ? 0.6 : 0 }, [1, 1, 32, 32])]))
        #expect(network.answer == .matte)
        let stored = DisparityMap(
            width: 8, height: 8, reciprocalMeters: Array(repeating: 0.5, count: 64), scale: .absolute)
        let original = DepthScene(TestScene(image: picture, stored: stored))
        let scene = try network.scene(for: original)
        let matte = try #require(try scene.matte())
        #expect(matte.width == 32 && matte.height == 32)
        #expect(matte.coverage[100] == 153 && matte.coverage[900] == 0)
        #expect(try scene.disparity().reciprocalMeters == stored.reciprocalMeters)
        #expect(throws: NetworkError.alignment(.matte)) {
            try network.scene(for: original, alignment: .anchors([NormalizedPoint(x: 0, y: 0): 1]))
        }
    }

    @Test("Objects have the names of their classes and their distance; a scene gets nothing from them")
    func objects() throws {
        let network = try network(
            OnnxFile.constantAnswers(
                profile: #"{"like": "yolo-end-to-end", "labels": ["person", "car"]}"#,
                [("output0", [16, 16, 48, 48, 0.9, 1, 0, 0, 8, 8, 0.5, 7], [1, 2, 6])]))
        #expect(network.answer == .objects)
        let stored = DisparityMap(
            width: 8, height: 8, reciprocalMeters: Array(repeating: 0.5, count: 64), scale: .absolute)
        let scene = DepthScene(TestScene(image: picture, stored: stored))
        let found = try network.detections(in: scene)
        #expect(found.map(\.label) == ["car", nil] && found.map(\.distance) == [2, 2])
        #expect(try network.detections(in: scene, atLeast: 0.6).count == 1)
        let error = #expect(throws: NetworkError.self) { try network.scene(for: scene) }
        #expect(error?.description.contains("neither depth nor a matte: it is for boxes") == true)
    }
}

/// A picture, with stored disparity where there is some.
struct TestScene: SceneSource {
    let image: ColorImage
    let stored: DisparityMap?
    var camera: CameraCalibration?

    func describe() -> SceneDescription {
        var description = SceneDescription()
        description.colorSize = PixelSize(width: image.width, height: image.height)
        description.calibration = camera
        description.depth = stored.map {
            .init(size: PixelSize(width: $0.width, height: $0.height), quantity: .disparity, scale: $0.scale)
        }
        return description
    }

    func decode(_ id: PlaneID, as request: PlaneRequest, into plane: inout DecodedPlane) {
        switch id {
        case .picture: plane = DecodedPlane(image)
        case .plane(.disparity, 0): plane = stored.map { DecodedPlane($0) } ?? DecodedPlane()
        case .eye, .gainMap, .plane: return
        }
    }

    func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { (PictureMetadata(), []) }
    var diagnostics: [Diagnostic] { [] }
}

/// The camera of a picture about which nothing is known.
let usualCamera = CameraCandidates().camera(for: PixelSize(width: 8, height: 8))
