internal import Embedded
internal import Isobath
internal import PhotoFormats

/// The results of `extract` for one input.
struct ExtractResult: Sendable {
    var remarks: [String] = []
    /// The outcome of each plane.
    private(set) var outcomes: [String] = []
    var errors: [any Error] = []
    /// Lost data. The rest of the input is used.
    private(set) var losses: [Diagnostic] = []
    private(set) var outputs: [Output] = []

    /// A file that was written, or an existing one that was kept.
    struct Output: Sendable {
        var path: String
        var isSkipped: Bool
        var fields: [(String, JSONValue)]
    }

    /// Records a file that was kept; `kind` if it is known.
    mutating func skip(_ path: String, _ kind: String?) {
        let field = kind.map(JSONValue.text) ?? .null
        outputs.append(Output(path: path, isSkipped: true, fields: [("kind", field)]))
        remarks.append("\(kind.map { "\($0) " } ?? "")already exists and was kept: \(path)")
    }

    /// Records a picture that was written.
    mutating func write(_ path: String, _ name: String, size: (width: Int, height: Int)) {
        let fields: [(String, JSONValue)] = [
            ("kind", .text(name)), ("width", .integer(size.width)), ("height", .integer(size.height)),
        ]
        outputs.append(Output(path: path, isSkipped: false, fields: fields))
        outcomes.append("\(name) \(size.width) × \(size.height) → \(Self.shown(path))")
    }

    /// Records a plane that was written; `record` is what is known of it.
    mutating func write(_ path: String, _ plane: ExportedPlane, of kind: String, _ record: JSONValue) {
        outputs.append(
            Output(path: path, isSkipped: false, fields: [("kind", .text(kind)), ("plane", record)]))
        outcomes.append("\(kind) \(plane.summary(of: kind)) → \(Self.shown(path))")
        note(plane.diagnostics)
    }

    /// Records errors in an input, and assumptions about it.
    mutating func note(_ diagnostics: [Diagnostic]) {
        remarks += diagnostics.filter { !$0.isLoss }.remarks
        losses += diagnostics.filter(\.isLoss)
    }

    /// The line of `isobath.extract/1` for the input.
    func record(input: String) -> JSONValue {
        .object([
            ("schema", .text("isobath.extract/1")),
            ("path", .text(input)),
            (
                "outputs",
                .array(
                    outputs.map { output in
                        .object(
                            [("path", .text(output.path)), ("skipped", .bool(output.isSkipped))]
                                + output.fields)
                    })
            ),
            ("remarks", .array((remarks + outcomes).map(JSONValue.text))),
            (
                "errors",
                .array(losses.map(\.lossRecord) + errors.map { errorRecord($0, advice: advice(for: $0)) })
            ),
        ])
    }

    private static func shown(_ path: String) -> String { path == "-" ? "standard output" : path }
}

extension ExportedPlane {
    /// Size, range and accuracy on one line, without the kind if the line already names it.
    fileprivate func summary(of plane: String) -> String {
        let size = "\(raster.width) × \(raster.height)"
        guard let values else { return size }
        let (low, high) = values.occurring ?? (values.minimum, values.maximum)
        let range = "\(Float(low).short) to \(Float(high).short) \(values.unit ?? "(no unit)")"
        let unknown = values.unknownCount > 0 ? ", \(values.unknownCount) unknown" : ""
        let quantity = values.quantity.rawValue == plane ? "" : "\(values.quantity.rawValue) "
        let accuracy = values.accuracy == .unknown ? "accuracy unknown" : values.accuracy.rawValue
        return "\(size), \(quantity)\(range), \(accuracy)\(unknown)"
    }
}
