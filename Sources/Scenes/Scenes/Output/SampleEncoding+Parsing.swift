internal import Bytes
internal import DepthTypes
internal import Embedded
internal import PhotoFormats

extension SampleEncoding {
    /// The record in a file or a line of `extract --json`; `nil` if the JSON is not such a record.
    init?(_ json: JSONValue) {
        guard let quantity = json["quantity"]?.text.flatMap(DepthQuantity.init(rawValue:)),
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
        step = json["step"]?.double
        if case .bool(true) = json["heights"] { isHeight = true }
    }

    /// The integer coding of the source; `nil` if the record has no step.
    var coding: SceneDescription.Coding? {
        guard let step, step > 0 else { return nil }
        let count = ((maximum - minimum).magnitude / step).rounded() + 1
        guard count >= 2, count <= 65536 else { return nil }
        return SceneDescription.Coding(step: Float(step), codeCount: Int(count))
    }

    /// The value of an integer sample; `highest` is the largest possible one.
    func value(ofCode code: Int, highest: Int) -> Float {
        let first = unknown.integer == 0 ? 1 : 0
        guard code >= first, highest > first else { return .nan }
        let share = Double(code - first) / Double(highest - first)
        return Float(minimum + share * (maximum - minimum))
    }
}
