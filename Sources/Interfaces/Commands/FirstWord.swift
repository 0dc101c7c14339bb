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

    /// What people call the work of a subcommand.
    private static let otherWords = [
        "info": ["list", "ls", "show", "identify", "inspect", "probe"],
        "extract": ["depth", "export", "dump", "frames", "save"],
        "composite": ["cutout", "cut", "mask", "matte", "segment", "background"],
        "blur": ["bokeh", "refocus", "focus"],
        "cloud": ["mesh", "fuse", "pointcloud", "reconstruct", "odometry"],
        "embed": ["inject", "insert", "add"], "convert": ["transcode"],
        "view": ["page", "html", "album", "web"],
        "animate": ["wiggle", "motion", "clip", "gif"], "follow": ["track"],
    ]

    private static let subcommands = IsobathCommand.configuration.subcommands.compactMap {
        $0.configuration.commandName
    }

    /// What `help` explains.
    static let helpSubjects = subcommands + HelpTopic.allCases.map(\.rawValue)

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
            return problem(with: topic, known: helpSubjects, kind: "help on")
        }
        if first.contains("/") || first.contains(".") || FileIdentity(path: first) != nil {
            return "say what to do with '\(first)', for example: isobath info \(first)"
        }
        return problem(with: first, known: subcommands, kind: "subcommand")
    }

    private static func problem(with word: String, known: [String], kind: String) -> String? {
        guard !known.contains(word) else { return nil }
        let meant = otherWords.first { $0.value.contains(word.lowercased()) }?.key
        let near = meant ?? UsageMessage.nearest(to: word, among: known)
        return "there is no \(kind) '\(word)'"
            + (near.map { "; did you mean '\($0)'?" } ?? "; see 'isobath --help'")
    }
}
