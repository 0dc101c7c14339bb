package import DepthModel
package import EmbeddedFormats

/// What the samples of a written depth raster mean: kept inside the file, so that values can be restored.
///
/// For integers, the lowest sample that stands for a value (1 where 0 means unknown, else 0) is ``minimum``, the
/// highest is ``maximum``, and those between lie on the straight line.
package struct SampleEncoding: Sendable {
    /// What is measured.
    package var quantity: DepthQuantity
    /// What values mean.
    package var scale: DepthScale
    /// The value of the lowest sample; of Float32 samples, the smallest finite one.
    package var minimum: Double
    /// The value of the highest sample; of Float32 samples, the largest finite one.
    package var maximum: Double
    /// How unknown is coded: 0 or `nan`; `null` where nothing is unknown.
    package var unknown: JSONValue

    /// `m` or `1/m`; `nil` where values have no unit.
    package var unit: String? { scale.isMetric ? quantity.unit : nil }

    /// Whether values are true to scale.
    package var accuracy: DepthAccuracy { scale.accuracy }

    /// The record as it is written.
    package var json: JSONValue {
        .object([
            ("quantity", .text(quantity.rawValue)), ("unit", .optional(unit)), ("minimum", .number(minimum)),
            ("maximum", .number(maximum)), ("unknown", unknown), ("accuracy", .text(accuracy.rawValue)),
        ])
    }
}
