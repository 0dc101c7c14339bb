internal import ArgumentParser
internal import Glibc
internal import Isobath

/// A text of help, at most 80 characters wide. On a terminal its headings are bold, unless `NO_COLOR` is set.
struct HelpText {
    private(set) var text = ""
    private let isStyled =
        isatty(1) == 1 && Self.variable("NO_COLOR") == nil && Self.variable("TERM") != "dumb"

    /// Adds lines as they are.
    mutating func add(_ lines: String) { text += lines }

    mutating func heading(_ title: String) {
        let title = Self.wrapped(title + ":", from: 0, indent: 2)
        text += "\n" + (isStyled ? "\u{1B}[1m\(title)\u{1B}[0m" : title) + "\n"
    }

    /// Adds a line for each entry: a name and words about it, which are wrapped.
    mutating func entry(_ name: String, _ words: String) {
        let column = 24
        let name = "  " + name
        let start =
            name.count < column
            ? name.padded(to: column) : name + "\n" + String(repeating: " ", count: column)
        text += start + Self.wrapped(words, from: column, indent: column) + "\n"
    }

    /// Adds flags with words about each.
    mutating func list(_ flags: [FlagList.Flag], _ words: (FlagList.Flag) -> String) {
        // A flag and its opposite are one entry.
        let names = Set(flags.filter { !$0.takesValue }.map(\.name))
        for flag in flags
        where !(flag.name.hasPrefix("no-") && names.contains(String(flag.name.dropFirst(3)))) {
            let isPair = names.contains(flag.name) && names.contains("no-" + flag.name)
            let opposite = isPair ? "/--no-\(flag.name)" : ""
            let letter = flag.letter.map { "-\($0), " } ?? ""
            let value = flag.takesValue ? " <\(flag.valueName)>" : ""
            entry("\(letter)--\(flag.name)\(opposite)\(value)", words(flag))
        }
    }

    private static func wrapped(_ words: String, from start: Int, indent: Int) -> String {
        var (lines, column) = ("", start)
        for word in words.split(separator: " ") {
            if column > indent, column + word.count + 1 > 80 {
                lines += "\n" + String(repeating: " ", count: indent)
                column = indent
            } else if column > start || !lines.isEmpty {
                lines += " "
                column += 1
            }
            lines += word
            column += word.count
        }
        return lines
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// Shows a long text by the program that `PAGER` names, if standard output is a terminal. Returns `false` if it is not
    /// shown.
    static func page(_ text: String) -> Bool {
        guard isatty(1) == 1, let pager = variable("PAGER") else { return false }
        // What fits the screen is shown without waiting for a key.
        _ = unsafe setenv("LESS", "FRX", 0)
        guard let pipe = unsafe popen(pager, "w") else { return false }
        var bytes = Array(text.utf8)
        _ = unsafe fwrite(&bytes, 1, bytes.count, pipe)
        return unsafe pclose(pipe) == 0
    }
}

extension FlagList.Flag {
    /// What it does, with the values that it accepts.
    var completeHelp: String { help + (values.isEmpty ? "" : " (values: \(values.joined(separator: ", ")))") }

    /// The first clauses of what it does, with the values that it accepts unless they are named.
    var shortHelp: String {
        let ends = [". ", "; ", ": ", " (default"].flatMap { help.ranges(of: $0).map(\.lowerBound) }
        let end = ends.sorted().first { help.distance(from: help.startIndex, to: $0) >= 24 }
        var clause = String(help[..<(end ?? help.endIndex)])
        if clause.hasSuffix(".") { clause.removeLast() }
        let areNamed = values.allSatisfy { clause.contains($0) }
        return clause + (areNamed ? "" : ": " + values.joined(separator: ", "))
    }
}
