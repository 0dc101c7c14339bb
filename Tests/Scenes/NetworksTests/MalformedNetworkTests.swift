import Bytes
import DepthMaps
import TestSupport
import Testing

@testable import Networks

/// Networks that cannot be used: one error each.
@Suite("Networks that cannot be used")
struct MalformedNetworkTests {
    private let folder = TemporaryFolder()

    private let image = ColorImage(
        width: 16, height: 16, pixels: .uint8(Array(repeating: .white, count: 256)), colorProfile: [])

    private func network(_ file: OnnxFile, limits: DecodingLimits = DecodingLimits()) throws -> Network {
        try Network(
            contentsOf: folder.write(file.bytes, to: "network.onnx"), profile: "midas", limits: limits)
    }

    /// A network of one operator.
    private func file(
        _ shape: [Int] = [1, 3, 8, 8], element: Int = OnnxFile.float32, operator name: String = "Identity"
    ) -> OnnxFile {
        let sides = shape.map { OnnxFile.Side.fixed($0) }
        var file = OnnxFile()
        file.input("x", sides, element: element)
        file.node(name, ["x"], ["y"])
        file.output("y", sides, element: element)
        return file
    }

    @Test("Two inputs")
    func twoInputs() {
        var file = file()
        file.input("mask", [1, 1, 8, 8])
        expect("has 2 inputs and not one", file)
    }

    @Test("An input of half floats")
    func halfFloats() {
        expect("is not float32", file(element: 10))
    }

    @Test("An input that is not a picture", arguments: [[1, 8], [1, 4, 8, 8], [2, 3, 8, 8]])
    func noPicture(shape: [Int]) {
        expect("the network's input", file(shape))
    }

    @Test("A tensor of 2 GB")
    func largeTensor() throws {
        var file = OnnxFile()
        file.input("x", [1, 3, 13377, 13377])
        file.node("ReduceMean", ["x"], ["y"], ["axes": .integers([1])])
        file.output("y", [1, 1, 13377, 13377])
        let network = try network(file)
        let error = try #require(throws: ContainerError.self) {
            try network.depth(of: image, camera: usualCamera)
        }
        #expect(error.code == "limit-exceeded")
        #expect(error.message.contains("bytes of a tensor"))
    }

    @Test("A file larger than the limit")
    func largeFile() throws {
        var limits = DecodingLimits()
        limits[.modelBytes] = 100
        let error = try #require(throws: ContainerError.self) {
            try network(OnnxFile.affineDisparity(a: 1, b: 0, c: 0), limits: limits)
        }
        #expect(error.code == "limit-exceeded")
    }

    @Test(
        "A profile that does not exist, or is wrong",
        arguments: [
            "nothing", "missing.json", #"{"meaning": "magic"}"#, #"{"like": "u2net", "size": -1}"#, "[]",
            #"{"like": "u2net", "deviation": 0}"#, #"{"like": "u2net", "color": "red"}"#,
        ])
    func profiles(text: String) throws {
        var given = text
        if !text.hasSuffix("json"), text != "nothing" {
            given = try folder.write(text: text, to: "profile.json")
        }
        let path = try folder.write(OnnxFile.affineDisparity(a: 1, b: 0, c: 0).bytes, to: "network.onnx")
        let error = try #require(throws: NetworkError.self) { try Network(contentsOf: path, profile: given) }
        guard case .profile = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("Nothing says what it is for")
    func unknown() throws {
        let file = OnnxFile.affineDisparity(a: 1, b: 0, c: 0, profile: nil)
        // A file name never selects a profile.
        let path = try folder.write(file.bytes, to: "depth-anything-v2-small.onnx")
        let error = try #require(throws: NetworkError.self) { try Network(contentsOf: path) }
        #expect(error.description.contains("pixel_values: float32 1 × 3 × height × width"))
    }

    @Test("Values that are not numbers", .needsNetworks)
    func notNumbers() {
        var file = OnnxFile()
        file.input("x", [1, 3, 8, 8])
        file.node("ReduceMean", ["x"], ["mean"], ["axes": .integers([1])])
        file.node("Sub", ["mean", "mean"], ["zero"])
        file.node("Div", ["zero", "zero"], ["y"])
        file.output("y", [1, 1, 8, 8])
        expect("infinite or not numbers", file)
    }

    @Test("An answer of another rank", .needsNetworks)
    func wrongRank() {
        expect("'y' is 1 × 3 × 8 × 8, and not one plane", file())
    }

    @Test("Operators that do not fit each other", .needsNetworks)
    func brokenGraph() {
        expect("ONNX Runtime cannot use this model", file(operator: "NoSuchOperator"))
    }

    private func expect(_ text: String, _ file: OnnxFile) {
        let error = #expect(throws: NetworkError.self) {
            try network(file).depth(of: image, camera: usualCamera)
        }
        #expect(error?.description.contains(text) == true, "\(String(describing: error))")
        #expect(error?.description.contains("\n") == false)
    }
}
