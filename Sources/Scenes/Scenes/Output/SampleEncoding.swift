package import DepthTypes
package import Embedded

/// The meaning of the samples of a written depth raster. Stored in the file, so that values can be restored.
///
/// For integers, the lowest sample that is a value (1 if 0 means unknown, else 0) is ``minimum``, the highest is ``maximum``,
/// and samples between them are linear.
package struct SampleEncoding: Sendable {
    /// What is measured.
    package var quantity: DepthQuantity
    /// What values mean.
    package var scale: DepthScale
    /// The value of the lowest sample; for Float32 samples, the smallest finite one.
    package var minimum: Double
    /// The value of the highest sample; for Float32 samples, the largest finite one.
    package var maximum: Double
    /// How unknown samples are stored: 0 or `nan`; `null` if no sample is unknown.
    package var unknown: JSONValue
    /// The difference between successive values, if the source has 8 bits or fewer; else `nil`.
    package var step: Double?
    /// Whether values are heights of a terrain, of any sign, and not distances.
    package var isHeight = false
    /// How many samples are unknown. Not stored in the file.
    package var unknownCount = 0
    /// The smallest and largest value that occurs, if the range of the samples is fixed by convention; else `nil`.
    package var occurring: (low: Double, high: Double)?

    /// `m` or `1/m`; `nil` if values have no unit.
    package var unit: String? { scale.hasUnit ? quantity.unit : nil }

    /// Whether values are true to scale.
    package var accuracy: DepthAccuracy { scale.accuracy }

    /// The record as it is written, with the camera as an additional field.
    package func json(with optics: (String, JSONValue)?) -> JSONValue {
        var fields: [(String, JSONValue)] = [
            ("quantity", .text(quantity.rawValue)), ("unit", .optional(unit)), ("minimum", .number(minimum)),
            ("maximum", .number(maximum)), ("unknown", unknown), ("accuracy", .text(accuracy.rawValue)),
        ]
        if isHeight { fields.append(("heights", .bool(true))) }
        if let step { fields.append(("step", .number(step))) }
        if let optics { fields.append(optics) }
        return .object(fields)
    }
}
