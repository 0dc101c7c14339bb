/// The declarations of an ONNX file, read without running it.
package struct NetworkModel: Sendable {
    /// A side of a tensor.
    package enum Dimension: Hashable, Sendable {
        /// A fixed number of elements.
        case fixed(Int)
        /// Any number; the name comes from the file, and may be empty.
        case open(String)

        /// The number, if it is fixed.
        package var count: Int? { if case .fixed(let count) = self { count } else { nil } }
    }

    /// An input or an output.
    package struct Port: Hashable, Sendable {
        /// Its name in the graph.
        package var name: String
        /// The type of its elements; `nil` if it is not a tensor.
        package var element: ElementType?
        /// Its sides; `nil` if the file does not even declare their number.
        package var shape: [Dimension]?
        /// Whether it is a 64-bit integer alone.
        var isInteger: Bool { element == .int64 && shape?.isEmpty != false }
    }

    /// A type of elements, by its number in ONNX (`TensorProto.DataType`).
    package struct ElementType: RawRepresentable, Hashable, Sendable {
        package var rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// 32 bits, floating point.
        package static let float32 = ElementType(rawValue: 1)
        /// 64 bits, signed.
        package static let int64 = ElementType(rawValue: 7)

        /// The name in ONNX, in lowercase.
        package var name: String {
            let names = [
                "undefined", "float32", "uint8", "int8", "uint16", "int16", "int32", "int64", "string",
                "bool",
                "float16", "float64", "uint32", "uint64", "complex64", "complex128", "bfloat16",
            ]
            return names.indices.contains(rawValue) ? names[rawValue] : "type \(rawValue)"
        }
    }

    /// The inputs that are not constants of the file.
    package var inputs: [Port] = []
    /// The outputs, in file order.
    package var outputs: [Port] = []
    /// The producer, such as `pytorch 1.9`; empty if not stated.
    package var producer = ""
    /// The version of ONNX's standard operators; 0 if missing.
    package var operatorVersion = 0
    /// The number of operators, including those of inner graphs.
    package var operatorCount = 0
    /// The number of learned parameters in the file.
    package var parameterCount = 0
    /// The file's additional keys and values (`metadata_props`).
    package var metadata: [(key: String, value: String)] = []
    /// The number of bytes of the file.
    package var byteCount = 0
    /// The SHA-256 of the file, in lowercase hexadecimal digits.
    package var checksum = ""

    /// The value of a key of ``metadata``.
    package func metadata(_ key: String) -> String? { metadata.first { $0.key == key }?.value }
}

extension NetworkModel.Port: CustomStringConvertible {
    /// As in `pixel_values: float32 1 × 3 × height × width`.
    package var description: String {
        guard let element else { return "\(name): not a tensor" }
        guard let shape else { return "\(name): \(element.name) of any shape" }
        let sides = shape.map { side in
            switch side {
            case .fixed(let count): "\(count)"
            case .open(let name): name.isEmpty ? "?" : name
            }
        }
        return "\(name): \(element.name) " + (sides.isEmpty ? "(one value)" : sides.joined(separator: " × "))
    }
}
