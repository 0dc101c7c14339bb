/// The type of a stored sample. The raw value is its name, as NumPy spells it.
package enum SampleType: String, CaseIterable, Hashable, Sendable {
    /// Unsigned, 8 bits.
    case uint8
    /// Unsigned, 16 bits.
    case uint16
    /// Unsigned, 32 bits.
    case uint32
    /// Unsigned, 64 bits.
    case uint64
    /// Signed, 8 bits.
    case int8
    /// Signed, 16 bits.
    case int16
    /// Signed, 32 bits.
    case int32
    /// Signed, 64 bits.
    case int64
    /// IEEE 754 binary16.
    case float16
    /// IEEE 754 binary32.
    case float32
    /// IEEE 754 binary64; its values are rounded to binary32 on reading.
    case float64

    /// Bytes of a sample.
    package var byteCount: Int {
        switch self {
        case .uint8, .int8: 1
        case .uint16, .int16, .float16: 2
        case .uint32, .int32, .float32: 4
        case .uint64, .int64, .float64: 8
        }
    }

    /// Whether samples are floating point numbers.
    package var isFloat: Bool {
        switch self {
        case .float16, .float32, .float64: true
        default: false
        }
    }

    /// The integer type with this width in bits; `nil` for other widths.
    package init?(integerOf bits: Int, isSigned: Bool) {
        self.init(rawValue: (isSigned ? "int" : "uint") + String(bits))
    }

    /// The floating point type with this width in bits; `nil` for other widths.
    package init?(floatOf bits: Int) {
        self.init(rawValue: "float" + String(bits))
    }
}
