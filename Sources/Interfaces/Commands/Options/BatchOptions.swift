internal import ArgumentParser
internal import Glibc
internal import Isobath

/// Flags of subcommands that accept many inputs.
struct BatchOptions: FlagGroup {
    static let kinds: FlagKinds = ["jobs": .all, "files0-from": .all, "recursive": .all]

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("Process N inputs at once (default: one for each core).", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Read the names of inputs from this file, each ended by a zero byte as by 'find -print0'; - is standard input.",
            valueName: "file"), completion: .file())
    var files0From: String?

    @Flag(name: .shortAndLong, help: "Search folders, and all below them, for photos and recordings.")
    var recursive = false

    /// The file with the names of inputs.
    var nameFile: String? { files0From }

    /// How many inputs are processed at once.
    var concurrency: Int { jobs ?? coreCount }

    /// How many threads each input may use when several are processed at once.
    func threadsForEach(of inputs: Int) -> Int {
        max(1, concurrency / max(1, min(concurrency, nameFile == nil && !recursive ? inputs : .max)))
    }

    /// Whether there may be several inputs.
    func isBatch(_ inputs: [String]) -> Bool { inputs.count > 1 || nameFile != nil || recursive }

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs is \(jobs); it must be 1 or more") }
    }

    /// Throws unless inputs are named in one way, and standard input is used at most once.
    func check(_ inputs: [String]) throws {
        if nameFile == nil, inputs.isEmpty { throw ValidationError("no input is named") }
        if nameFile != nil, let input = inputs.first {
            throw ValidationError("--files0-from names all inputs, and '\(input.forTerminal)' is another")
        }
        if inputs.filter({ $0 == "-" }).count > 1 {
            throw ValidationError("'-' is given twice; standard input can be read only once")
        }
    }

    /// Throws if `-o` names one file and there may be several inputs. The message quotes the inputs: the value after a
    /// misspelled flag is parsed as one.
    func checkOneOutput(for inputs: [String]) throws {
        let advice = "-o DIR/ names a folder"
        if nameFile != nil {
            throw ValidationError("-o names one file, and --files0-from many inputs; \(advice)")
        }
        if recursive {
            throw ValidationError("-o names one file, and --recursive finds many inputs; \(advice)")
        }
        guard inputs.count > 1 else { return }
        let names = inputs.prefix(3).map { "'\($0.forTerminal)'" } + (inputs.count > 3 ? ["…"] : [])
        throw ValidationError(
            "-o names one file, and there are \(inputs.count) inputs, \(names.joined(separator: ", ")); \(advice)"
        )
    }

    /// The inputs of the command line, or of the file of names. Ends the program if that file cannot be read.
    func names(_ inputs: [String], _ common: CommonOptions) throws -> [String] {
        guard let nameFile else { return inputs }
        do {
            return try Self.names(in: nameFile, common.limits)
        } catch {
            Console.printError(advised(error), of: nameFile)
            throw ExitCode(Outcome.failed.rawValue)
        }
    }

    private static func names(in nameFile: String, _ limits: DecodingLimits) throws -> [String] {
        let bytes = try contents(of: nameFile, limits)
        let names = bytes.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(fileNameBytes: $0) }
        // Text after the last zero byte is a name, unless it is empty.
        let given = names.last == "" ? names.dropLast() : names[...]
        if given.contains("") { throw Failure("a name in the list is empty") }
        if nameFile == "-", given.contains("-") {
            throw Failure("the names come from standard input, so it cannot be an input as well")
        }
        return Array(given)
    }

    /// All bytes of a file, which may be a pipe; `-` is standard input.
    private static func contents(of path: String, _ limits: DecodingLimits) throws(ContainerError) -> [UInt8]
    {
        let descriptor = path == "-" ? 0 : unsafe path.withFileName { unsafe open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw ContainerError(.unreadable(errno: errno)) }
        defer { if path != "-" { close(descriptor) } }
        let source = try FileSource.contents(ofStream: descriptor, limits: limits)
        return try source.read(0..<source.byteCount)
    }
}
