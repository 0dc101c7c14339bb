public import DepthModel
public import ImageContainers

/// What the samples of a written depth raster mean: kept inside the file, so that values can be restored.
///
/// For integers, the lowest sample that stands for a value (1 where 0 means unknown, else 0) is ``minimum``, the
/// highest is ``maximum``, and those between lie on the straight line.
public struct SampleEncoding: Sendable {
    /// What is measured.
    public var quantity: DepthQuantity
    /// What values mean.
    public var scale: DepthScale
    /// The value of the lowest sample; of Float32 samples, the smallest finite one.
    public var minimum: Double
    /// The value of the highest sample; of Float32 samples, the largest finite one.
    public var maximum: Double
    /// How unknown is coded: 0 or `nan`; `null` where nothing is unknown.
    public var unknown: JSONValue

    /// `m` or `1/m`; `nil` where values have no unit.
    public var unit: String? { scale.isMetric ? quantity.unit : nil }

    /// Whether values are true to scale.
    public var accuracy: DepthAccuracy { scale.accuracy }

    /// The record as it is written.
    public var json: JSONValue {
        .object([
            ("quantity", .text(quantity.rawValue)), ("unit", .optional(unit)), ("minimum", .number(minimum)),
            ("maximum", .number(maximum)), ("unknown", unknown), ("accuracy", .text(accuracy.rawValue)),
        ])
    }
}
