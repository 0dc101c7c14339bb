internal import ArgumentParser
internal import Isobath

/// A subcommand that runs a job on each of its inputs.
protocol Verb: ParsableCommand {
    /// The kinds of inputs that its own flags affect, and flags of groups where that differs.
    static var ownKinds: FlagKinds { get }
    /// The inputs that are named as arguments.
    var inputs: [String] { get }
    /// The flags about several inputs; `nil` if there is one.
    var batch: BatchOptions? { get }
    /// The flags as a job takes them.
    func job(_ arguments: VerbArguments) throws -> any Job
}

extension Verb {
    static var ownKinds: FlagKinds { [:] }
    /// The kinds of inputs that a flag affects; `nil` for a flag that is not declared.
    static func kinds(of flag: String) -> InputKinds? { ownKinds[flag] ?? FlagKinds.ofGroups[flag] }

    /// Its name, as on the command line.
    static var name: String { configuration.commandName ?? "" }

    var batch: BatchOptions? { nil }

    /// The job of this process's command line.
    func job() throws -> any Job {
        var arguments = VerbArguments(
            verb: Self.self, words: Array(ProgramArguments.all.dropFirst(2)))
        arguments.isBatch = batch?.isBatch(inputs) ?? false
        arguments.threads = batch?.threadsForEach(of: inputs.count) ?? coreCount
        return try job(arguments)
    }
}

/// A subcommand that writes files for several inputs.
protocol FileVerb: Verb {
    var files: OutputOptions { get }
    var common: CommonOptions { get }
}

extension FileVerb {
    var batch: BatchOptions? { files.batch }

    func run() throws {
        // Ask the isolated process to end, so that it closes the files it writes.
        if common.isolate { closeOnInterrupt() }
        try InputRun.perform(job(), on: inputs, files, common)
    }
}
