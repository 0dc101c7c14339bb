import ByteParsing
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
            // Cut between two fields of the outermost message, a file is whole but for what is missing.
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

    @Test("Parameters in another file are refused before anything opens that")
    func externalData() throws {
        var file = OnnxFile()
        file.input("x", [1, 3, 8, 8])
        file.externalConstant("weights", file: "../../etc/passwd", shape: [1000, 1000])
        file.node("Add", ["x", "weights"], ["y"])
        file.output("y", [1, 3, 8, 8])
        let error = try #require(throws: ContainerError.self) {
            try NetworkModel(parsing: file.bytes, limits: DecodingLimits())
        }
        #expect(error.code == "unsupported")
        #expect(error.message.contains("external data"))
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
