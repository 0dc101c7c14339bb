internal import EmbeddedFormats
internal import ImageContainers
internal import Isobath
internal import Networks

/// Shows what a network takes and gives.
struct ModelJob: Job {
    static let subcommand = "model"

    var limits: DecodingLimits
    /// The name of a profile, or a file.
    var profile: String?
    /// Whether a JSON object is printed, and not lines for a person.
    var json: Bool

    var outputFolders: [String] { [] }
    var otherFiles: [String] { profile.flatMap { $0.hasSuffix(".json") ? [$0] : nil } ?? [] }
    var writesStandardOutput: Bool { false }
    var recordSchema: String? { nil }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let summary = try NetworkSummary(contentsOf: input.path, profile: profile, limits: limits)
        let text = json ? record(summary, input.path) : lines(summary, input.path)
        reporter.print(Array("\(text)\n".utf8))
    }

    func report(_ error: any Error, on input: Input, _ reporter: Reporter) {
        if json {
            let record = JSONValue.object([
                ("schema", .text("isobath.model/1")), ("path", .text(input.path)),
                ("error", errorRecord(error, advice: advice(for: error))),
            ])
            reporter.print(Array("\(record.serialized)\n".utf8))
        }
        reporter.fail(error, ofInput: input.path)
    }

    private func lines(_ summary: NetworkSummary, _ path: String) -> String {
        let model = summary.model
        let size = "\(Float(Double(model.byteCount) / 1e6).short) MB"
        let facts = [
            "ONNX", size, model.producer.isEmpty ? nil : model.producer,
            "\(model.operatorCount) operators (version \(model.operatorVersion))",
            "\(Float(Double(model.parameterCount) / 1e6).short) million parameters",
        ]
        var lines = ["\(path.forTerminal): \(facts.compactMap(\.self).joined(separator: ", ").forTerminal)"]
        lines += model.inputs.map { "  input    \($0)".forTerminal }
        lines += model.outputs.map { "  output   \($0)".forTerminal }
        lines += model.metadata.map { "  metadata \($0.key) = \($0.value.prefix(200))".forTerminal }
        lines.append("  sha256   \(model.checksum)")
        if let profile = summary.profile, let origin = summary.origin {
            lines.append("  profile  \(profile.name), \(origin.rawValue): \(profile.purpose)".forTerminal)
        } else {
            lines.append(
                "  profile  unknown; --model-profile says it: \(NetworkProfile.names), or a file of JSON")
        }
        if let problem = summary.problem { lines.append("  problem  \(problem)".forTerminal) }
        return lines.joined(separator: "\n")
    }

    private func record(_ summary: NetworkSummary, _ path: String) -> String {
        let model = summary.model
        return JSONValue.object([
            ("schema", .text("isobath.model/1")), ("path", .text(path)), ("bytes", .integer(model.byteCount)),
            ("sha256", .text(model.checksum)), ("producer", .text(model.producer)),
            ("operators", .integer(model.operatorCount)),
            ("operatorVersion", .integer(model.operatorVersion)),
            ("parameters", .integer(model.parameterCount)), ("inputs", .array(model.inputs.map(\.record))),
            ("outputs", .array(model.outputs.map(\.record))),
            ("metadata", .object(model.metadata.map { ($0.key, .text($0.value)) })),
            ("profile", .optional(summary.profile?.name)),
            ("profileFrom", .optional(summary.origin?.rawValue)),
            ("meaning", .optional(summary.profile?.meaning.rawValue)),
            ("problem", .optional(summary.problem)),
        ]).serialized
    }
}

extension NetworkModel.Port {
    fileprivate var record: JSONValue {
        let sides = shape.map { shape in
            JSONValue.array(
                shape.map { side in
                    switch side {
                    case .fixed(let count): .integer(count)
                    case .open(let name): .text(name)
                    }
                })
        }
        return .object([
            ("name", .text(name)), ("type", .optional(element?.name)), ("shape", sides ?? .null),
        ])
    }
}
