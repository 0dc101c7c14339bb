internal import ArgumentParser
internal import CSystemShims
internal import Glibc
internal import Isobath

/// Reads the command line of this process, does what it says, and ends the process where that fails.
public func runIsobath() {
    IsobathCommand.main()
}

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
        subcommands: [
            Info.self, Extract.self, Composite.self, Blur.self, Occlude.self, Cloud.self, Embed.self,
            Convert.self,
            SequenceCommand.self, Follow.self, View.self, Animate.self, Detect.self, Model.self, Worker.self,
        ])

    static func main() {
        // Otherwise the C library keeps full-size planes of one step while the next makes its own. It takes no more time.
        isobath_return_freed_memory(2 << 20)
        if decodesHEIF() { prepareHEVCDecoder() }
        let arguments = arguments()
        guard let name = arguments.first else {
            Console.printError("cannot read the arguments: /proc is not mounted", of: nil)
            exit(withError: ExitCode.failure)
        }
        if name == IsolatedMain.name { IsolatedMain.run() }
        // Scripts ask for it often, and need none of the subcommands for it.
        if arguments.dropFirst().elementsEqual(["--version"]) { return print(isobathVersion) }
        if arguments.dropFirst().elementsEqual(["help", "limits"]) {
            return print(LimitOptions.list, terminator: "")
        }
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        if let problem = FirstWord.problem(in: Array(arguments.dropFirst()), subcommands: names) {
            Console.printError(problem, of: nil)
            exit(withError: ExitCode.validationFailure)
        }
        if let file = fileLikeFlags(arguments.dropFirst()) {
            Console.printError("the file begins with a dash: give it after '--', or as './\(file)'", of: file)
            exit(withError: ExitCode.validationFailure)
        }
        do {
            if let line = PlainCommandLine(arguments.dropFirst()) { return try line.run() }
            var command = try parse(Array(arguments.dropFirst()))
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

    /// An existing file among the arguments that the parser would take for flags, such as `-h.jpg`, which shows the help; no flag has a dot.
    private static func fileLikeFlags(_ arguments: ArraySlice<String>) -> String? {
        arguments.prefix { $0 != "--" }.first { argument in
            argument.hasPrefix("-") && argument.contains(".") && !argument.contains("=")
                && FileIdentity(path: argument) != nil
        }
    }

    /// Whether it looks as if an HEIF image is going to be decoded, as far as names tell.
    private static func decodesHEIF() -> Bool {
        let arguments = unsafe rawArguments
        guard arguments.count > 1, let verb = unsafe arguments[1], unsafe strcmp(verb, "info") != 0 else {
            return false
        }
        for index in 1..<arguments.count {
            guard let argument = unsafe arguments[index], let ending = unsafe strrchr(argument, 0x2E) else {
                continue
            }
            if unsafe strcasecmp(ending, ".heic") == 0 || strcasecmp(ending, ".heif") == 0 { return true }
        }
        return false
    }

    private static var rawArguments: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?> {
        unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    }

    /// The arguments, the name of the program among them, each with its bytes as they are.
    private static func arguments() -> [String] {
        unsafe rawArguments.compactMap { argument in
            guard let argument = unsafe argument else { return nil }
            let count = unsafe strlen(argument)
            return unsafe argument.withMemoryRebound(to: UInt8.self, capacity: count) {
                unsafe String(fileNameBytes: UnsafeBufferPointer(start: $0, count: count))
            }
        }
    }

    /// A subcommand parsed by itself takes half of the time that it takes below the root: one with a `_superCommandName` is not
    /// asked for completion scripts, which are two more commands to parse. Anything it cannot parse alone, including `--help`,
    /// is left to the root command.
    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        let subcommand = configuration.subcommands.first { $0.configuration.commandName == arguments.first }
        if let command = try? subcommand?.parse(Array(arguments.dropFirst())) { return command }
        return try parseAsRoot(arguments)
    }
}
