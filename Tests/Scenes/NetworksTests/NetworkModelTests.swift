import Bytes
import TestSupport
import Testing

@testable import Networks

@Suite("Structure of ONNX files")
struct NetworkModelTests {
    @Test("Inputs, outputs, constants and metadata are read without running anything")
    func structure() throws {
        let bytes = OnnxFile.affineDisparity(a: 1, b: 0, c: 0).bytes
        let model = try NetworkModel(parsing: bytes, limits: DecodingLimits())
        #expect(model.inputs.map(\.description) == ["pixel_values: float32 1 × 3 × height × width"])
        #expect(model.outputs.map(\.description) == ["predicted_depth: float32 1 × height × width"])
        // Three weights, a bias, three zeros, a slope, an axis and a channel.
        #expect(model.parameterCount == 10)
        #expect(model.operatorCount == 5)
        #expect(model.operatorVersion == 13)
        #expect(model.metadata("isobath.profile") == "depth-anything")
        #expect(model.producer == "isobath tests")
    }

    @Test("A file that is cut anywhere is an error and never a trap")
    func truncation() {
        let bytes = OnnxFile.affineDisparity(a: 1, b: 0, c: 0).bytes
        for count in 0..<bytes.count {
            // A file that is cut between two fields of the outermost message is valid, without the missing fields.
            _ = try? NetworkModel(parsing: Array(bytes.prefix(count)), limits: DecodingLimits())
        }
        #expect(throws: ContainerError.self) {
            try NetworkModel(parsing: Array(bytes.prefix(40)), limits: DecodingLimits())
        }
    }

    @Test("Mutated files are read or refused, and nothing else")
    func mutation() {
        let bytes = OnnxFile.affineDisparity(a: 1, b: 0, c: 0).bytes
        var random = SplitMix(seed: 18)
        for _ in 0..<2000 {
            var mutant = bytes
            for _ in 0..<3 {
                mutant[Int(random.next() % UInt64(mutant.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            _ = try? NetworkModel(parsing: mutant, limits: DecodingLimits())
        }
    }

    @Test(
        "Files of other kinds are not recognized",
        arguments: ["", "\u{8}", "PNG", "\u{8}hello, this is text"])
    func foreign(text: String) throws {
        let error = try #require(throws: ContainerError.self) {
            try NetworkModel(parsing: Array(text.utf8), limits: DecodingLimits())
        }
        #expect(["unrecognized", "truncated"].contains(error.code))
    }

    /// The field numbers of `onnx.proto` that lead from `ModelProto` to each `TensorProto`: `graph` 7, `training_info` 20, `functions` 25;
    /// of a graph `node` 1, `initializer` 5, `sparse_initializer` 15; of an attribute `t` 5, `g` 6, `tensors` 10, `graphs` 11,
    /// `sparse_tensor` 22, `sparse_tensors` 23; of a sparse tensor `values` 1, `indices` 2; of a function `node` 7, `attribute_proto` 11.
    static let tensorFields = [
        [7, 5], [7, 15, 1], [7, 15, 2], [7, 1, 5, 5], [7, 1, 5, 10], [7, 1, 5, 22, 1], [7, 1, 5, 22, 2],
        [7, 1, 5, 23, 1], [7, 1, 5, 23, 2], [7, 1, 5, 6, 5], [7, 1, 5, 11, 15, 1], [7, 1, 5, 6, 1, 5, 22, 1],
        [7, 1, 5, 11, 1, 5, 6, 15, 2], [25, 7, 5, 5], [25, 7, 5, 22, 2], [25, 7, 5, 6, 15, 1], [25, 11, 5],
        [25, 11, 6, 5], [20, 1, 5], [20, 1, 15, 1], [20, 2, 1, 5, 5],
    ]

    @Test("Parameters in another file are refused before anything opens that", arguments: tensorFields)
    func externalData(fields: [Int]) throws {
        var file = OnnxFile()
        file.input("x", [1, 3, 8, 8])
        file.node("Identity", ["x"], ["y"])
        file.output("y", [1, 3, 8, 8])
        var inline = file
        inline.tensor(at: fields)
        _ = try NetworkModel(parsing: inline.bytes, limits: DecodingLimits())
        file.tensor(at: fields, file: "../../etc/passwd")
        let error = try #require(throws: ContainerError.self) {
            try NetworkModel(parsing: file.bytes, limits: DecodingLimits())
        }
        #expect(error.code == "unsupported")
        #expect(error.message.contains("external data"))
    }

    @Test("A context that was compiled for one device names other files, and is refused")
    func compiledContext() throws {
        var file = OnnxFile()
        file.input("x", [1, 3, 8, 8])
        file.node("EPContext", ["x"], ["y"], ["embed_mode": .integer(0)])
        file.output("y", [1, 3, 8, 8])
        let error = try #require(throws: ContainerError.self) {
            try NetworkModel(parsing: file.bytes, limits: DecodingLimits())
        }
        #expect(error.code == "unsupported" && error.message.contains("EPContext"))
    }

    @Test("Bytes that are ONNX and ONNX Runtime's own format are refused")
    func ownFormat() throws {
        // A version, and the name of a producer that begins where the runtime looks for its mark.
        let bytes: [UInt8] = [8, 8, 0x12, 4] + Array("ORTM".utf8)
        let file = OnnxFile.affineDisparity(a: 1, b: 0, c: 0).bytes
        let error = try #require(throws: ContainerError.self) {
            try NetworkModel(parsing: bytes + file, limits: DecodingLimits())
        }
        #expect(error.code == "unsupported" && error.message.contains(".ort"))
    }

    @Test("A tensor that declares more elements than it has bytes is malformed")
    func oversizedConstant() throws {
        var file = OnnxFile()
        file.input("x", [1, 3, 8, 8])
        file.constant("huge", [0], shape: [1 << 20, 512])
        file.output("x", [1, 3, 8, 8])
        let error = try #require(throws: ContainerError.self) {
            try NetworkModel(parsing: file.bytes, limits: DecodingLimits())
        }
        #expect(error.code == "malformed")
    }
}
