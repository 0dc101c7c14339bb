internal import Embedded
internal import Isobath
internal import Networks

/// One object, in pixels of the upright picture.
struct DetectionResult {
    let measured: MeasuredDetection
    let label: String
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    let accuracy: String?

    init(_ measured: MeasuredDetection, labels: [String], picture: PixelSize, scale: DepthScale?) {
        self.measured = measured
        let number = measured.detection.classNumber
        label = labels.indices.contains(number) ? labels[number] : "class \(number)"
        let box = measured.detection.box
        left = Int((box.left * Double(picture.width)).rounded())
        top = Int((box.top * Double(picture.height)).rounded())
        width = Int((box.right * Double(picture.width)).rounded()) - left
        height = Int((box.bottom * Double(picture.height)).rounded()) - top
        accuracy = measured.distance == nil ? nil : scale?.accuracy.rawValue
    }

    var line: String {
        var text = "\(label.forTerminal) \(measured.detection.confidence.short)"
        text += ", \(width) × \(height) px at \(left),\(top)"
        if let distance = measured.distance {
            text += ", \(distance.short) m away"
            if let size = measured.size { text += ", \(size.x.short) × \(size.y.short) m" }
            text += accuracy == "absolute" ? "" : " (\(accuracy ?? "unknown") scale)"
        }
        return text
    }

    var record: JSONValue {
        .object([
            ("label", .text(label)), ("class", .integer(measured.detection.classNumber)),
            ("score", number(measured.detection.confidence)),
            (
                "box",
                .object([
                    ("x", .integer(left)), ("y", .integer(top)), ("width", .integer(width)),
                    ("height", .integer(height)),
                ])
            ),
            ("distance", measured.distance.map(number) ?? .null),
            (
                "size",
                measured.size.map { .object([("width", number($0.x)), ("height", number($0.y))]) }
                    ?? .null
            ),
            ("unit", measured.distance == nil ? .null : .text("m")), ("accuracy", .optional(accuracy)),
        ])
    }

    private func number(_ value: Float) -> JSONValue {
        .number(Double(value.description) ?? Double(value))
    }
}
