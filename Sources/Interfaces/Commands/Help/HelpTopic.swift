internal import ArgumentParser

/// What flags that several subcommands have are about. The short help of a subcommand names the topics, and
/// `isobath help TOPIC` shows their flags.
enum HelpTopic: String, CaseIterable {
    case input, frames, depth, batches, networks, limits

    /// What its flags are about.
    var title: String {
        switch self {
        case .input: "facts about inputs that files do not contain"
        case .frames: "which frames, their poses, and movies that are made"
        case .depth: "where depth comes from, and how it is treated"
        case .batches: "many inputs, existing outputs, threads, quiet runs"
        case .networks: "depth, mattes and objects by a neural network"
        case .limits: "limits of reading, and isolated processes"
        }
    }

    /// The topic of a flag; `nil` for one that belongs to its subcommand.
    init?(of flag: FlagList.Flag) {
        switch flag.name {
        case "jobs", "files0-from", "recursive", "skip-existing", "threads", "quiet": self = .batches
        case "limit", "isolate": self = .limits
        case "model", "model-profile", "min-score", "anchor", "align", "no-align": self = .networks
        case "start", "end", "every", "real-time", "codec", "poses", "pose-convention": self = .frames
        case "depth-from", "min-confidence", "dequantize", "fill-holes", "smooth": self = .depth
        case "no-dequantize", "no-fill-holes", "no-smooth", "upsample": self = .depth
        default:
            guard flag.section == "Input" else { return nil }
            self = .input
        }
    }

    /// Flags that a person looks for first. They are in the short help, too.
    static let everyday: Set = ["frame", "recursive", "model", "scale"]

    /// The help on the topic: its flags, and the subcommands that have them.
    var text: HelpText {
        var text = HelpText()
        text.add(self == .limits ? LimitList.text : title.prefix(1).uppercased() + title.dropFirst() + ".\n")
        text.heading("Flags")
        var users: [String: [String]] = [:]
        var flags: [FlagList.Flag] = []
        let verbs = IsobathCommand.configuration.subcommands.compactMap { $0 as? any Verb.Type }
        for verb in verbs {
            for flag in FlagList.of(verb).flags where HelpTopic(of: flag) == self {
                if users[flag.name, default: []].isEmpty { flags.append(flag) }
                users[flag.name, default: []].append(verb.name)
            }
        }
        text.list(flags) { flag in
            let names = users[flag.name, default: []]
            return flag.completeHelp
                + (names.count < verbs.count ? " For \(names.joined(separator: ", "))." : "")
        }
        return text
    }
}
