internal import ArgumentParser
internal import Isobath

/// The first argument, which names the subcommand. It is checked before all others: otherwise a misspelled subcommand
/// would be reported as a missing or unknown flag.
enum FirstWord {
    /// Subcommands of former versions, and their replacements.
    private static let former = [
        "sequence":
            "'isobath extract' writes depth or --plane photo, 'composite' masks and layers, 'convert --to rgbd' pictures beside depth",
        "occlude": "'isobath composite --layer FILE --layer-distance M' inserts a picture",
        "model": "'isobath info FILE.onnx' describes a network",
    ]

    private static let subcommands = IsobathCommand.configuration.subcommands.compactMap {
        $0.configuration.commandName
    }

    /// The error in the first argument, or in the second after `help`; `nil` without one.
    static func problem(in arguments: [String]) -> String? {
        guard let first = arguments.first, !first.hasPrefix("-"), !subcommands.contains(first) else {
            return nil
        }
        if let replacement = former[first] {
            return "'\(first)' is gone: \(replacement)"
        }
        if first == "help" {
            guard let topic = arguments.dropFirst().first, !topic.hasPrefix("-") else { return nil }
            if let replacement = former[topic] {
                return "'\(topic)' is gone: \(replacement)"
            }
            let known = subcommands + HelpTopic.allCases.map(\.rawValue)
            return problem(with: topic, known: known, kind: "help on")
        }
        if first.contains("/") || first.contains(".") || FileIdentity(path: first) != nil {
            return "say what to do with '\(first)', for example: isobath info \(first)"
        }
        return problem(with: first, known: subcommands, kind: "subcommand")
    }

    private static func problem(with word: String, known: [String], kind: String) -> String? {
        guard !known.contains(word) else { return nil }
        let near = UsageMessage.nearest(to: word, among: known)
        return "there is no \(kind) '\(word)'"
            + (near.map { "; did you mean '\($0)'?" } ?? "; see 'isobath --help'")
    }
}
