internal import Embedded
internal import Isobath
internal import PhotoFormats
internal import Synchronization

/// Collects the reports about one input for its line of JSON.
final class InputRecord: Sendable {
    private struct Content {
        var fields: [(String, JSONValue)] = []
        var outputs: [JSONValue] = []
        var remarks: [String] = []
        var errors: [JSONValue] = []
    }

    private let content = Mutex(Content())

    func add(_ remark: String) { content.withLock { $0.remarks.append(remark) } }

    func add(_ error: any Error) {
        let record = errorRecord(error, advice: advice(for: error))
        content.withLock { $0.errors.append(record) }
    }

    /// Adds lost data.
    func add(_ loss: Diagnostic) { content.withLock { $0.errors.append(loss.lossRecord) } }

    func add(_ fields: [(String, JSONValue)]) { content.withLock { $0.fields += fields } }

    /// Adds a file that was written, or an existing one that was kept.
    func add(output path: String, isSkipped: Bool, size: PixelSize?) {
        let record = JSONValue.object([
            ("path", .text(path)), ("skipped", .bool(isSkipped)),
            ("width", .optional(size?.width)), ("height", .optional(size?.height)),
        ])
        content.withLock { $0.outputs.append(record) }
    }

    /// The line, without its line feed.
    func json(schema: String, subcommand: String, input: String) -> String {
        let content = content.withLock(\.self)
        var fields: [(String, JSONValue)] = [
            ("schema", .text(schema)), ("tool", .text("isobath \(isobathVersion)")),
            ("subcommand", .text(subcommand)), ("input", .text(input)),
        ]
        fields += content.fields
        fields.append(("outputs", .array(content.outputs)))
        fields.append(("remarks", .array(content.remarks.map(JSONValue.text))))
        fields.append(("errors", .array(content.errors)))
        return JSONValue.object(fields).serialized
    }
}
