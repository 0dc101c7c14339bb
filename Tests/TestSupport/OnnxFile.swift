/// An ONNX file, written field by field (`onnx.proto`): small networks whose answers are known.
public struct OnnxFile {
    /// A side of a tensor: a number, or a name where it is open.
    public enum Side: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
        case fixed(Int)
        case open(String)

        /// A number.
        public init(integerLiteral value: Int) { self = .fixed(value) }
        /// A name.
        public init(stringLiteral value: String) { self = .open(value) }
    }

    /// The value of an attribute.
    public enum Attribute {
        case integer(Int)
        case integers([Int])
        case floats([Float], shape: [Int])
    }

    /// The type of 32-bit floats.
    public static let float32 = 1

    private var graph: [UInt8] = []
    private var tail: [UInt8] = []

    /// A file without anything in its graph.
    public init() {}

    /// Adds an input.
    public mutating func input(_ name: String, _ shape: [Side], element: Int = float32) {
        graph += Self.message(11, Self.port(name, shape, element))
    }

    /// Adds an output.
    public mutating func output(_ name: String, _ shape: [Side], element: Int = float32) {
        graph += Self.message(12, Self.port(name, shape, element))
    }

    /// Adds an operator.
    public mutating func node(
        _ type: String, _ inputs: [String], _ outputs: [String],
        _ attributes: KeyValuePairs<String, Attribute> = [:]
    ) {
        var bytes =
            inputs.flatMap { Self.text(1, $0) } + outputs.flatMap { Self.text(2, $0) } + Self.text(4, type)
        for (name, value) in attributes {
            var attribute = Self.text(1, name)
            switch value {
            case .integer(let value): attribute += Self.integer(3, value) + Self.integer(20, 2)
            case .integers(let values):
                attribute += values.flatMap { Self.integer(8, $0) } + Self.integer(20, 7)
            case .floats(let values, let shape):
                attribute += Self.message(5, Self.tensor("", values, shape)) + Self.integer(20, 4)
            }
            bytes += Self.message(5, attribute)
        }
        graph += Self.message(1, bytes)
    }

    /// Adds a constant of 32-bit floats.
    public mutating func constant(_ name: String, _ values: [Float], shape: [Int]) {
        graph += Self.message(5, Self.tensor(name, values, shape))
    }

    /// Adds a constant of 64-bit integers.
    public mutating func constant(_ name: String, integers values: [Int], shape: [Int]) {
        let raw = values.flatMap { littleEndian($0, 8) }
        graph += Self.message(
            5,
            shape.flatMap { Self.integer(1, $0) } + Self.integer(2, 7) + Self.text(8, name)
                + Self.bytes(9, raw))
    }

    /// Adds a tensor of two floats, which are in another file where one is named, behind the numbers of the fields that lead to it from
    /// the file's outermost message.
    public mutating func tensor(at fields: [Int], file: String? = nil) {
        var bytes = Self.tensor("w", [1, 2], [2])
        if let file {
            let entry = Self.text(1, "location") + Self.text(2, file)
            bytes = Self.integer(1, 2) + Self.integer(2, 1) + Self.message(13, entry) + Self.integer(14, 1)
        }
        tail += fields.reversed().reduce(bytes) { Self.message($1, $0) }
    }

    /// Adds a sparse tensor of four floats, nested in the fields with these numbers. The first float is in another
    /// file.
    public mutating func sparseTensor(at fields: [Int], file: String) {
        let entry = Self.text(1, "location") + Self.text(2, file)
        let values =
            Self.integer(1, 1) + Self.integer(2, 1) + Self.text(8, "w") + Self.message(13, entry)
            + Self.integer(14, 1)
        let indices = Self.integer(1, 1) + Self.integer(2, 7) + Self.bytes(9, [0, 0, 0, 0, 0, 0, 0, 0])
        let bytes = Self.message(1, values) + Self.message(2, indices) + Self.integer(3, 4)
        tail += fields.reversed().reduce(bytes) { Self.message($1, $0) }
    }

    /// Adds a key to the metadata.
    public mutating func metadata(_ key: String, _ value: String) {
        tail += Self.message(14, Self.text(1, key) + Self.text(2, value))
    }

    /// The bytes of the file, with ONNX's operators of version 13.
    public var bytes: [UInt8] {
        Self.integer(1, 8) + Self.text(2, "isobath tests") + Self.message(7, graph + Self.text(2, "graph"))
            + Self.message(8, Self.integer(2, 13)) + tail
    }

    private static func port(_ name: String, _ shape: [Side], _ element: Int) -> [UInt8] {
        let sides = shape.flatMap { side in
            switch side {
            case .fixed(let count): message(1, integer(1, count))
            case .open(let name): message(1, text(2, name))
            }
        }
        return text(1, name) + message(2, message(1, integer(1, element) + message(2, sides)))
    }

    private static func tensor(_ name: String, _ values: [Float], _ shape: [Int]) -> [UInt8] {
        shape.flatMap { integer(1, $0) } + integer(2, 1) + text(8, name) + bytes(9, littleEndian(values))
    }

    private static func varint(_ value: Int) -> [UInt8] {
        var (rest, bytes) = (UInt64(bitPattern: Int64(value)), [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func integer(_ field: Int, _ value: Int) -> [UInt8] { varint(field << 3) + varint(value) }

    private static func bytes(_ field: Int, _ bytes: [UInt8]) -> [UInt8] {
        varint(field << 3 | 2) + varint(bytes.count) + bytes
    }

    private static func message(_ field: Int, _ message: [UInt8]) -> [UInt8] { bytes(field, message) }

    private static func text(_ field: Int, _ text: String) -> [UInt8] { bytes(field, Array(text.utf8)) }
}

extension OnnxFile {
    /// A network for depth: `a · luma + b · row + c`. Pixels are normalized by ImageNet's mean and deviation, and rows
    /// of the input start at 0. The output is 1 × H × W of any size.
    public static func affineDisparity(
        a: Float, b: Float, c: Float, name: String = "predicted_depth", profile: String? = "depth-anything"
    ) -> OnnxFile {
        let (mean, deviation): ([Float], [Float]) = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
        let luma: [Float] = [0.2126, 0.7152, 0.0722]
        var file = OnnxFile()
        file.input("pixel_values", [1, 3, "height", "width"])
        file.constant("weights", (0..<3).map { a * luma[$0] * deviation[$0] }, shape: [1, 3, 1, 1])
        let offset = (0..<3).reduce(c) { $0 + a * luma[$1] * mean[$1] }
        file.constant("bias", [offset], shape: [1])
        file.constant("zeros", [0, 0, 0], shape: [1, 3, 1, 1])
        file.constant("slope", [b], shape: [1])
        file.constant("rows", integers: [2], shape: [])
        file.constant("channel", integers: [1], shape: [1])
        file.node("Conv", ["pixel_values", "weights", "bias"], ["shade"])
        file.node("Conv", ["pixel_values", "zeros", "slope"], ["steps"])
        file.node("CumSum", ["steps", "rows"], ["ramp"], ["exclusive": .integer(1)])
        file.node("Add", ["shade", "ramp"], ["sum"])
        file.node("Squeeze", ["sum", "channel"], [name])
        file.output(name, [1, "height", "width"])
        if let profile { file.metadata("isobath.profile", profile) }
        return file
    }

    /// A network that returns these numbers for every picture.
    public static func constantAnswers(
        input: [Side] = [1, 3, 64, 64], profile: String,
        _ answers: [(name: String, values: [Float], shape: [Int])]
    ) -> OnnxFile {
        var file = OnnxFile()
        file.input("images", input)
        for answer in answers {
            file.node("Constant", [], [answer.name], ["value": .floats(answer.values, shape: answer.shape)])
            file.output(answer.name, answer.shape.map { .fixed($0) })
        }
        file.metadata("isobath.profile", profile)
        return file
    }
}
