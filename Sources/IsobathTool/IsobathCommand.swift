internal import ArgumentParser
internal import Glibc
internal import Isobath

@main
struct IsobathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "isobath",
        abstract: "Depth, disparity and mattes out of photos, in real units.",
        discussion: """
            Results go to standard output, remarks to standard error.

            Exit status: 0 done; 1 an input could not be read or an output not written; 3 the file is fine but has \
            no such plane; 64 wrong usage.
            """,
        version: isobathVersion,
        subcommands: [Info.self, Extract.self, Composite.self, Blur.self, Occlude.self, Cloud.self])

    static func main() {
        guard !CommandLine.arguments.isEmpty else {
            // That is where Swift has them from.
            let text = "isobath: /proc is not there, which tells the arguments\n"
            _ = unsafe write(2, text, text.utf8.count)
            exit(withError: ExitCode.failure)
        }
        do {
            var command = try parse()
            try command.run()
        } catch {
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            // The parser quotes arguments, such as the name of a file that begins with a dash, as they are.
            let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
            let text = lines.map { String($0).forTerminal + "\n" }.joined()
            _ = unsafe write(2, text, text.utf8.count)
            exit(withError: ExitCode.validationFailure)
        }
    }

    /// A verb parsed by itself takes two thirds of the time that it takes as a part of the whole. What it cannot
    /// parse, its help too, is the whole's to tell of.
    private static func parse() throws -> any ParsableCommand {
        let words = CommandLine.arguments.dropFirst()
        let verb = configuration.subcommands.first { $0.configuration.commandName == words.first }
        if let command = try? verb?.parse(Array(words.dropFirst())) { return command }
        return try parseAsRoot()
    }
}
