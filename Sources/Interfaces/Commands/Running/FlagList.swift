internal import ArgumentParser
internal import Embedded
internal import Isobath
internal import Synchronization

/// The flags that a subcommand declares, as ArgumentParser describes them.
struct FlagList: Sendable {
    struct Flag: Sendable {
        /// The long name, without dashes.
        var name: String
        var letter: Character?
        var takesValue: Bool
        var isRepeating: Bool
        /// The values that it accepts; empty for any.
        var values: [String]
        var help: String
        /// The name of its value in the help.
        var valueName: String
        /// The title of the part of the help that it is in.
        var section: String

        /// What its value must be, if that is a number of something.
        var unitRule: String? {
            switch valueName {
            case "n" where name != "frame-rate": "write a whole number"
            case "meters":
                "write meters as a number, such as 2.5" + (name == "near" || name == "far" ? ", or 30%" : "")
            case "seconds": "write seconds as a number, such as 2.5"
            default: nil
            }
        }

        /// What its value must be.
        var rule: String {
            if let unitRule { return unitRule }
            guard values.isEmpty else { return "it must be " + OutputOptions.list(values) }
            return "this flag takes: " + help.prefix(1).lowercased() + help.dropFirst().prefix { $0 != "." }
        }
    }

    let flags: [Flag]

    private static let known = Mutex<[String: FlagList]>([:])

    /// The flags of a subcommand, which are listed once: ArgumentParser takes milliseconds.
    static func of(_ verb: any Verb.Type) -> FlagList {
        known.withLock { known in
            let list = known[verb.name] ?? FlagList(of: verb)
            known[verb.name] = list
            return list
        }
    }

    init(of verb: any ParsableCommand.Type) {
        let text = try? JSONValue(parsing: Array(verb._dumpHelp().utf8), limits: DecodingLimits())
        flags = (text?["command"]?["arguments"]?.elements ?? []).compactMap { argument in
            let names = (argument["names"]?.elements ?? []).compactMap { $0["name"]?.text }
            guard let name = names.first(where: { $0.count > 1 }) else { return nil }
            return Flag(
                name: name, letter: names.first { $0.count == 1 }?.first,
                takesValue: argument["kind"]?.text == "option",
                isRepeating: argument["isRepeating"]?.serialized == "true",
                values: (argument["allValues"]?.elements ?? []).compactMap(\.text),
                help: argument["abstract"]?.text ?? "", valueName: argument["valueName"]?.text ?? "",
                section: argument["sectionTitle"]?.text ?? "Options")
        }
    }

    subscript(name: String) -> Flag? { flags.first { $0.name == name } }

    /// Flags, each as one word with its long name and its value, and inputs.
    func split(_ words: [String]) -> (flags: [(name: String, word: String)], inputs: [String]) {
        var (found, inputs): ([(String, String)], [String]) = ([], [])
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                inputs += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                inputs.append(word)
                continue
            }
            let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let given =
                word.hasPrefix("--")
                ? [self[String(sides[0].dropFirst(2))]]
                : sides[0].dropFirst().map { letter in flags.first { $0.letter == letter } }
            for flag in given.compactMap(\.self) {
                let value = flag.takesValue ? sides.count > 1 ? String(sides[1]) : rest.popFirst() : nil
                found.append((flag.name, "--\(flag.name)" + (value.map { "=" + $0 } ?? "")))
            }
        }
        return (found, inputs)
    }
}
