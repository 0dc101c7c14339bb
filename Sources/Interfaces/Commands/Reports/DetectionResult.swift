internal import Embedded
internal import Isobath
internal import Networks

/// One object, in pixels of the upright picture.
struct DetectionResult {
    let detection: Detection
    let label: String
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    let accuracy: String?

    init(_ detection: Detection, picture: PixelSize, scale: DepthScale?) {
        self.detection = detection
        label = detection.label ?? "class \(detection.classNumber)"
        let box = detection.box
        left = Int((box.left * Double(picture.width)).rounded())
        top = Int((box.top * Double(picture.height)).rounded())
        width = Int((box.right * Double(picture.width)).rounded()) - left
        height = Int((box.bottom * Double(picture.height)).rounded()) - top
        accuracy = detection.distance == nil ? nil : scale?.accuracy.rawValue
    }

    var line: String {
        var text = "\(label.forTerminal) \(detection.confidence.short)"
        text += ", \(width) × \(height) px at \(left),\(top)"
        if let distance = detection.distance {
            text += ", \(distance.short) m away"
            if let size = detection.size { text += ", \(size.x.short) × \(size.y.short) m" }
            text += accuracy == "absolute" ? "" : " (\(accuracy ?? "unknown") scale)"
        }
        return text
    }

    var record: JSONValue {
        .object([
            ("label", .text(label)), ("class", .integer(detection.classNumber)),
            ("score", number(detection.confidence)),
            (
                "box",
                .object([
                    ("x", .integer(left)), ("y", .integer(top)), ("width", .integer(width)),
                    ("height", .integer(height)),
                ])
            ),
            ("distance", detection.distance.map(number) ?? .null),
            (
                "size",
                detection.size.map { .object([("width", number($0.x)), ("height", number($0.y))]) }
                    ?? .null
            ),
            ("unit", detection.distance == nil ? .null : .text("m")), ("accuracy", .optional(accuracy)),
        ])
    }

    private func number(_ value: Float) -> JSONValue {
        .number(Double(value.description) ?? Double(value))
    }
}
