internal import ArgumentParser
internal import CSystemShims
internal import Glibc
internal import Isobath

/// Parses the arguments that `main` got and runs them. Ends the process on failure.
@_cdecl("isobath_tool_main")
public func runIsobath(_ count: Int32, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>) {
    // SAFETY: the system passes `main` an array of this many C strings.
    unsafe IsobathCommand.main(UnsafeBufferPointer(start: arguments, count: Int(count)))
}

struct IsobathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "isobath",
        abstract: "Depth, disparity and mattes out of photos and recordings, in real units.",
        discussion: """
            Results go to standard output, remarks to standard error.

            Exit status: 0 done; 1 an input could not be read, data of it is lost, or an output not written; 3 the file has no such \
            plane; 64 wrong usage.

            'isobath help VERB' is short, 'isobath VERB --help' complete; 'isobath help input', 'frames', 'depth', 'batches', \
            'networks' and 'limits' explain the flags that verbs share.

            Examples:
              isobath info IMG_0001.HEIC
              isobath extract IMG_0001.HEIC
              isobath composite IMG_0001.HEIC -o cutout.png
            """,
        version: isobathVersion,
        subcommands: [
            Info.self, Extract.self, Composite.self, Blur.self, Cloud.self, Embed.self, Convert.self,
            View.self, Animate.self, Follow.self, Detect.self, Worker.self,
        ])

    static func main(_ arguments: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?>) {
        // Otherwise the C library keeps the full-size planes of one step while the next step allocates new ones.
        // Returning them costs no time.
        isobath_return_freed_memory(2 << 20)
        if unsafe decodesHEIF(arguments) { prepareHEVCDecoder() }
        unsafe ProgramArguments.keep(arguments)
        let arguments = ProgramArguments.all
        if arguments.first == IsolatedMain.name { IsolatedMain.run() }
        run(Array(arguments.dropFirst()))
    }

    /// Parses and runs the arguments.
    private static func run(_ arguments: [String]) {
        prepareStandardStreams()
        // Scripts ask for the version often, and it needs no subcommand.
        if arguments == ["--version"] { finish(printing: isobathVersion + "\n") }
        if let problem = FirstWord.problem(in: arguments) { refuse(problem, see: nil) }
        if let text = ShortHelp.text(for: arguments) { finish(printing: text) }
        if let file = fileLikeFlag(arguments.dropFirst()) {
            refuse(
                "'\(file)' begins with a dash and is a file: give it after '--', or as './\(file)'", see: nil)
        }
        let subcommand = configuration.subcommands.first { $0.configuration.commandName == arguments.first }
        do {
            // Parsing the subcommand directly skips the completion scripts, which would be two more commands to parse.
            var command =
                if let subcommand, !arguments.contains(where: isForRoot) {
                    try subcommand.parseAsRoot(Array(arguments.dropFirst()))
                } else {
                    try parseAsRoot(arguments)
                }
            try command.run()
        } catch {
            if let error = error as? OutputError { finish(error) }
            if let status = error as? ExitCode { end(status) }
            // Help, the version, and scripts for shells.
            if exitCode(for: error) == .success {
                let text = ShortHelp.completing(fullMessage(for: error)) + "\n"
                if HelpText.page(text) { end(.success) }
                finish(printing: text)
            }
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            if let problem = RemovedFlags.problem(in: arguments) { refuse(problem, see: nil) }
            let type = subcommand ?? self
            // Further lines describe the flag.
            let message = type.message(for: error).split(separator: "\n").first.map(String.init) ?? ""
            refuse(
                UsageMessage(type).text(for: message, Array(arguments.dropFirst())),
                see: "help" + (subcommand?.configuration.commandName.map { " " + $0 } ?? ""))
        }
    }

    /// Arguments that only the root command answers completely.
    private static func isForRoot(_ argument: String) -> Bool {
        argument == "--generate-completion-script" || argument.hasPrefix("--generate-completion-script=")
            || argument == "--experimental-dump-help" || argument == "--help" || argument == "-h"
            || argument == "--version" || argument == "--help-hidden"
    }

    /// Prints the requested text, and ends the process.
    private static func finish(printing text: String) -> Never {
        do throws(OutputError) {
            try StandardOutput.write(Array(text.utf8)[...])
        } catch {
            finish(error)
        }
        end(.success)
    }

    /// Ends the process. ArgumentParser's own function first makes a help text that nobody sees.
    private static func end(_ status: ExitCode) -> Never { Glibc.exit(status.rawValue) }

    /// Ends the process after an error of standard output. A reader that has closed it has read enough.
    private static func finish(_ error: OutputError) -> Never {
        guard !StandardOutput.isClosed(error) else { end(.success) }
        Console.printError(error.message, of: error.output)
        end(.failure)
    }

    /// Prints the error in the arguments, and ends the process.
    private static func refuse(_ problem: String, see help: String?) -> Never {
        Console.printError(problem + (help.map { "; see 'isobath \($0)'" } ?? ""), of: nil)
        end(.validationFailure)
    }

    /// An existing file among the arguments that the parser would read as flags, such as `-h.jpg`, which would show
    /// the help. No flag contains a dot.
    private static func fileLikeFlag(_ arguments: ArraySlice<String>) -> String? {
        arguments.prefix { $0 != "--" }.first { argument in
            argument.hasPrefix("-") && argument.contains(".") && !argument.contains("=")
                && FileIdentity(path: argument) != nil
        }
    }

    /// Whether an HEIF image will probably be decoded, judging by file names.
    private static func decodesHEIF(_ arguments: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?>) -> Bool {
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
}
