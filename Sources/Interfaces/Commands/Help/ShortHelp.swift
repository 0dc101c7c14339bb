internal import ArgumentParser

/// The help that `-h` and `help` show: what a subcommand does, examples, its own flags, and where the others are.
enum ShortHelp {
    /// The help that arguments ask for; `nil` for the complete help, and for arguments that ask for none.
    static func text(for arguments: [String]) -> String? {
        if arguments.count == 2, arguments[0] == "help" {
            if let topic = HelpTopic(rawValue: arguments[1]) { return topic.text.text }
            return verb(arguments[1]).map(text)
        }
        guard let name = arguments.first, let verb = verb(name),
            arguments.prefix(while: { $0 != "--" }).contains("-h")
        else { return nil }
        return text(of: verb)
    }

    /// A completion script of ArgumentParser, in which `help` is completed by subcommands and topics. Other text stays.
    static func completing(_ script: String) -> String {
        let names = FirstWord.helpSubjects.joined(separator: " ")
        let bash = "_isobath_help() {\n    repeating_flags"
        let fish = "__isobath_should_offer_completions_for_positional"
        var text = script.replacing(
            bash,
            with:
                "_isobath_help() {\n    COMPREPLY+=($(compgen -W '\(names)' -- \"${cur}\"))\n    repeating_flags"
        )
        text = text.replacing("'*:subcommands:'", with: "'1:subject:(\(names))'")
        guard text.contains("function " + fish) else { return text }
        return text + "\ncomplete -c 'isobath' -n '\(fish) \"isobath help\" -eq 1' -fka '\(names)'"
    }

    private static func verb(_ name: String) -> (any ParsableCommand.Type)? {
        IsobathCommand.configuration.subcommands.first { $0.configuration.commandName == name }
    }

    private static func text(of verb: any ParsableCommand.Type) -> String {
        let (configuration, flags) = (verb.configuration, FlagList(of: verb).flags)
        let name = "isobath " + (configuration.commandName ?? "")
        var text = HelpText()
        text.entry(name, configuration.abstract)
        text.heading("Examples")
        for example in configuration.discussion.components(after: "Examples:\n").prefix(3) {
            text.add("  \(example)\n")
        }
        let own = flags.filter {
            !["help", "version"].contains($0.name)
                && (HelpTopic(of: $0) == nil || HelpTopic.everyday.contains($0.name))
        }
        var sections: [String] = []
        for flag in own where !sections.contains(flag.section) { sections.append(flag.section) }
        for section in sections {
            text.heading(section)
            text.list(own.filter { $0.section == section }, \.shortHelp)
        }
        text.heading("More")
        let topics = Set(flags.compactMap(HelpTopic.init))
        for topic in HelpTopic.allCases where topics.contains(topic) {
            text.entry("isobath help \(topic.rawValue)", topic.title)
        }
        text.entry("--help", "everything")
        return text.text
    }
}

extension String {
    /// The lines after a mark, without spaces around them.
    fileprivate func components(after mark: String) -> [String] {
        guard let range = firstRange(of: mark) else { return [] }
        return self[range.upperBound...].split(separator: "\n").map { line in
            String(line.drop { $0 == " " })
        }
    }
}
