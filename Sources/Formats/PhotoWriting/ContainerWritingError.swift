/// Why a container could not be written: always a mistake of the caller.
package enum ContainerWritingError: Error, Hashable, Sendable {
    /// A value is too large for its field.
    case tooLarge(field: String, limit: Int, actual: Int)
    /// A value has no representation in its field, such as a NaN or text with a NUL in it.
    case notRepresentable(field: String, value: String)
    /// Bytes passed as a complete JPEG stream are not one.
    case malformedJPEG(rule: String, offset: Int)
}

extension ContainerWritingError: CustomStringConvertible {
    /// One line: the rule, then both sides of the comparison.
    package var description: String {
        switch self {
        case .tooLarge(let field, let limit, let actual):
            "\(field) can hold at most \(limit), not \(actual)"
        case .notRepresentable(let field, let value):
            "\(field) cannot represent \(value)"
        case .malformedJPEG(let rule, let offset):
            "not a complete JPEG stream: \(rule) (byte \(offset))"
        }
    }
}

/// Narrows `value` to the width of the field called `field`, or throws if it does not fit.
func narrow<T: FixedWidthInteger>(
    _ value: some BinaryInteger, to _: T.Type = T.self, field: String
) throws(ContainerWritingError) -> T {
    guard let narrowed = T(exactly: value) else {
        throw .tooLarge(field: field, limit: Int(clamping: T.max), actual: Int(clamping: value))
    }
    return narrowed
}
