internal import ByteParsing
internal import DepthModel
internal import EmbeddedFormats
internal import ImageContainers

extension SampleEncoding {
    /// The record in a file's own words; `nil` when they are not a record's, which leaves the samples without one.
    init?(parsing text: String, limits: DecodingLimits) {
        guard let json = try? JSONValue(parsing: Array(text.utf8), limits: limits),
            let quantity = json["quantity"]?.text.flatMap(DepthQuantity.init(rawValue:)),
            let minimum = json["minimum"]?.double, let maximum = json["maximum"]?.double,
            minimum.isFinite, maximum.isFinite, let unknown = json["unknown"]
        else { return nil }
        let unit = json["unit"]?.text
        guard unit == nil || unit == quantity.unit else { return nil }
        self.init(
            quantity: quantity,
            scale: DepthScale(
                json["accuracy"]?.text.flatMap(DepthAccuracy.init(rawValue:)) ?? .unknown,
                hasUnit: unit != nil),
            minimum: minimum, maximum: maximum, unknown: unknown)
    }

    /// The value of an integer sample, of which `highest` is the largest.
    func value(ofCode code: Int, highest: Int) -> Float {
        let first = unknown.integer == 0 ? 1 : 0
        guard code >= first, highest > first else { return .nan }
        let share = Double(code - first) / Double(highest - first)
        return Float(minimum + share * (maximum - minimum))
    }
}
