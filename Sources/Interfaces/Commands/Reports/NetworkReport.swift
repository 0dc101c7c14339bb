internal import Embedded
internal import Isobath
internal import Networks

extension NetworkSummary {
    /// The network as lines for a person.
    func lines(path: String) -> String {
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
        if let profile, let origin {
            lines.append("  profile  \(profile.name), \(origin.rawValue): \(profile.purpose)".forTerminal)
        } else {
            lines.append(
                "  profile  unknown; --model-profile names it: \(NetworkProfile.names), or a file of JSON")
        }
        if let problem { lines.append("  problem  \(problem)".forTerminal) }
        return lines.joined(separator: "\n")
    }

    /// The network as a record of schema `isobath.model/1`.
    func record(path: String) -> JSONValue {
        .object([
            ("schema", .text("isobath.model/1")), ("path", .text(path)), ("bytes", .integer(model.byteCount)),
            ("sha256", .text(model.checksum)), ("producer", .text(model.producer)),
            ("operators", .integer(model.operatorCount)),
            ("operatorVersion", .integer(model.operatorVersion)),
            ("parameters", .integer(model.parameterCount)), ("inputs", .array(model.inputs.map(\.record))),
            ("outputs", .array(model.outputs.map(\.record))),
            ("metadata", .object(model.metadata.map { ($0.key, .text($0.value)) })),
            ("profile", .optional(profile?.name)),
            ("profileFrom", .optional(origin?.rawValue)),
            ("meaning", .optional(profile?.meaning.rawValue)),
            ("problem", .optional(problem)),
        ])
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
