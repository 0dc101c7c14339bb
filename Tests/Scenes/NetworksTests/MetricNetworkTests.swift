import Bytes
import DepthMaps
import DepthTypes
import Scenes
import TestSupport
import Testing

@testable import Networks

/// Networks that answer in meters, as their makers export them, with answers that follow from a pinhole camera.
@Suite("Networks that answer in meters", .needsNetworks)
struct MetricNetworkTests {
    private let folder: TemporaryFolder
    /// The side of inputs.
    private let side = 28
    /// The focal length of ``plane``'s camera, in pixels of an input.
    private let focalLength = 40.0

    init() { folder = TemporaryFolder() }

    private func network(_ file: OnnxFile, profile: String) throws -> Network {
        try Network(contentsOf: folder.write(file.bytes, to: "network.onnx"), profile: profile)
    }

    private func scene(
        _ network: Network, width: Int = 56, height: Int = 56, focalLength: Double? = nil
    ) throws -> DepthScene {
        let image = ColorImage(
            width: width, height: height,
            pixels: .uint8(Array(repeating: RGB(red: 9, green: 99, blue: 199), count: width * height)),
            colorProfile: [])
        let camera = focalLength.map { CameraCalibration(focalLength: $0, width: width, height: height) }
        return try network.scene(for: DepthScene(TestScene(image: image, stored: nil, camera: camera)))
    }

    /// The point of a plane that is 2 m away at the left edge, and 2 cm farther in each column.
    private func point(_ row: Int, _ column: Int) -> [Double] {
        let z = 2 + 0.02 * Double(column)
        let (u, v) = (Double(column) + 0.5 - Double(side) / 2, Double(row) + 0.5 - Double(side) / 2)
        return [u / focalLength * z, v / focalLength * z, z]
    }

    private func expectPlane(_ depth: DepthMap, rows: Range<Int>) {
        #expect(depth.width == side && depth.height == side)
        #expect(depth.scale == .relative)
        for row in rows {
            for column in 0..<side {
                #expect(abs(Double(depth.meters[row * side + column]) / point(row, column)[2] - 1) < 1e-3)
            }
        }
    }

    /// MoGe-2's signature. The answer is in units of 2.5 m: 1/1000 of the number of tokens, which the network gets as its
    /// second input. Its z is too small by 0.7 m, and row 0 is not valid.
    private func moge(maskRows: Int = 28) -> OnnxFile {
        var file = OnnxFile()
        file.input("image", [1, 3, 28, 28])
        file.input("num_tokens", [], element: 7)
        let points = (0..<side * side).flatMap { index in
            let point = point(index / side, index % side)
            return [point[0] / 2.5, point[1] / 2.5, (point[2] - 0.7) / 2.5].map { Float($0) }
        }
        let mask = (0..<maskRows * side).map { $0 < side ? 0.2 : 0.9 as Float }
        file.node("Constant", [], ["points"], ["value": .floats(points, shape: [1, side, side, 3])])
        file.node("Constant", [], ["mask"], ["value": .floats(mask, shape: [1, maskRows, side])])
        file.node("Cast", ["num_tokens"], ["tokens"], ["to": .integer(1)])
        file.constant("thousandth", [0.001], shape: [])
        file.node("Mul", ["tokens", "thousandth"], ["metric_scale"])
        file.output("points", [1, 28, 28, 3])
        file.output("mask", [1, .fixed(maskRows), 28])
        file.output("metric_scale", [])
        return file
    }

    @Test("The points of MoGe-2 become meters, with the camera and the shift that they leave open")
    func affinePoints() throws {
        let scene = try scene(network(moge(), profile: "moge-2"))
        let depth = try scene.depth()
        expectPlane(depth, rows: 2..<side)
        #expect(depth.meters[5].isNaN)
        // 40 pixels of an input of 28 are 80 of a picture of 56.
        #expect(abs((scene.description.calibration?.focalLengthX ?? 0) - 80) < 0.1)
    }

    @Test("With the photo's own camera, the points of MoGe-2 give the shift only")
    func knownCamera() throws {
        let scene = try scene(network(moge(), profile: "moge-2"), focalLength: 80)
        expectPlane(try scene.depth(), rows: 2..<side)
        #expect(scene.description.calibration?.focalLengthX == 80)
    }

    @Test("A mask of another size than the points is refused, and so is a network without the scale")
    func badOutputs() throws {
        let error = #expect(throws: NetworkError.self) {
            try scene(network(moge(maskRows: 14), profile: "moge-2")).depth()
        }
        #expect(error?.description.contains("'mask' is 28 × 14, and the depth 28 × 28") == true)
        let file = OnnxFile.constantAnswers(
            input: [1, 3, 28, 28], profile: "moge-2", [("points", [1, 2, 3], [1, 3])])
        let missing = #expect(throws: NetworkError.self) { try network(file, profile: "moge-2") }
        #expect(missing?.description == "the network has no output 'metric_scale'; it has points")
    }

    @Test("Points that no camera sees, and an answer that is no points, are refused")
    func badPoints() throws {
        let profile = #"{"like": "moge-2", "output": "points", "name": "points"}"#
        for (values, shape, text) in [
            (
                [Float](repeating: 0, count: 28 * 28 * 3), [1, 28, 28, 3],
                "its points are not in the view of a camera"
            ),
            ([Float](repeating: 1, count: 28 * 28), [1, 28, 28], "'points' is 1 × 28 × 28, and not points"),
        ] {
            let file = OnnxFile.constantAnswers(
                input: [1, 3, 28, 28], profile: profile,
                [
                    ("points", values, shape), ("metric_scale", [1], [1]),
                    ("mask", .init(repeating: 1, count: 784), [28, 28]),
                ])
            let error = #expect(throws: NetworkError.self) {
                try scene(Network(contentsOf: folder.write(file.bytes, to: "network.onnx"))).depth()
            }
            #expect(error?.description.contains(text) == true, "\(String(describing: error))")
        }
    }

    @Test("UniDepth v2: points color by color, intrinsics, and a picture that fills a part of the input")
    func points() throws {
        let planes = (0..<3).flatMap { axis in
            (0..<side * side).map { Float(point($0 / side, $0 % side)[axis]) }
        }
        let file = OnnxFile.constantAnswers(
            input: [1, 3, 28, 28], profile: "unidepth-v2",
            [
                ("pts_3d", planes, [1, 3, side, side]),
                ("intrinsics", [40, 0, 14, 0, 40, 14, 0, 0, 1], [1, 3, 3]),
            ])
        // 56 × 28 is 28 × 14 in the middle of the input.
        let scene = try scene(network(file, profile: "unidepth-v2"), width: 56, height: 28)
        let depth = try scene.depth()
        #expect(depth.width == 28 && depth.height == 14)
        for column in 0..<side {
            #expect(abs(Double(depth.meters[7 * side + column]) / point(14, column)[2] - 1) < 1e-3)
        }
        #expect(scene.description.calibration?.focalLengthX == 80)
    }

    @Test("Depth Anything 3: meters are the answer times the focal length in pixels of the input, by 300")
    func canonical() throws {
        let file = OnnxFile.constantAnswers(
            input: [1, 3, 28, 28], profile: "depth-anything-3-metric",
            [("depth", (0..<784).map { 1 + Float($0 / 28) }, [1, 1, 28, 28])])
        let network = try network(file, profile: "depth-anything-3-metric")
        // 900 pixels of a picture of 56 are 450 of the input.
        let depth = try scene(network, focalLength: 900).depth()
        for row in [0, 9, 27] { #expect(abs(depth.meters[row * 28] / (1.5 * Float(row + 1)) - 1) < 1e-5) }
        let assumed = try scene(network)
        _ = try assumed.depth()
        let text = assumed.diagnostics.map(\.message).joined()
        #expect(text.contains("its meters follow from the camera: assumed, "), "\(text)")
    }
}
