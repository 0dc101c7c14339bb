internal import Isobath

/// A subcommand's task for each of its inputs.
protocol Job: Sendable {
    /// Whether it processes frames of streams.
    static var readsFrames: Bool { get }
    /// The arguments that describe it.
    var arguments: VerbArguments { get }
    /// The limits of parsing and decoding.
    var limits: DecodingLimits { get }
    /// How inputs are read.
    var reading: InputFlags { get }
    /// The folders where files are created.
    var outputFolders: [String] { get }
    /// Whether an output is a folder, which is made in one of these folders.
    var makesFolders: Bool { get }
    /// The files that are read in addition to inputs; `-` is standard input.
    var otherFiles: [String] { get }
    /// Whether a file is written to standard output.
    var writesStandardOutput: Bool { get }
    /// The schema of the line of JSON printed for each input; `nil` for no line, and for jobs that print lines
    /// themselves.
    var recordSchema: String? { get }

    /// The same job with its output at this path. Jobs with several output files or without one return themselves.
    func directed(to output: String) -> any Job

    /// The name that identifies an input's outputs in a folder. Two inputs with the same name would write the same
    /// files.
    func outputName(of stem: String) -> String

    /// The file that the output for an input replaces, whose attributes the output gets; `nil` if it replaces none.
    func replacedFile(for input: Input) -> String?

    /// Processes one input. Never writes a file of `originals`.
    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws

    /// Reports the error that stopped work on an input.
    func report(_ error: any Error, on input: Input, _ reporter: Reporter)
}

extension Job {
    static var readsFrames: Bool { false }
    var makesFolders: Bool { false }
    func directed(to output: String) -> any Job { self }
    func outputName(of stem: String) -> String { stem }
    func replacedFile(for input: Input) -> String? { nil }

    func report(_ error: any Error, on input: Input, _ reporter: Reporter) {
        guard input.isNamed || !error.isForeignFile else { return reporter.countPassedOver() }
        reporter.fail(error, ofInput: input.path)
    }

    /// Reports an input that could not be processed at all, with its line of JSON.
    func reportAlone(_ error: any Error, on input: Input, _ reporter: Reporter) {
        recording(input, reporter) { report(error, on: input, $0) }
    }

    /// Calls `body` with a reporter, then prints the line of JSON for its reports if requested.
    private func recording(_ input: Input, _ reporter: Reporter, _ body: (Reporter) -> Void) {
        guard let recordSchema else { return body(reporter) }
        let record = InputRecord()
        body(reporter.recording(in: record))
        let line = record.json(schema: recordSchema, subcommand: arguments.verb.name, input: input.path)
        reporter.print(Array("\(line)\n".utf8))
    }

    /// Processes one input, and reports an error.
    func performReporting(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) {
        if let output = input.output {
            var input = input
            input.output = nil
            let originals = originals.union(
                self.originals(
                    of: input.source == nil ? [input.path] : []))
            return directed(to: output).performReporting(on: input, keeping: originals, reporter)
        }
        recording(input, reporter) { reporter in
            do {
                try perform(on: input, keeping: originals, reporter)
                if let renaming = input.renaming, !(self is ExtractJob) {
                    reporter.remark(renaming.remark, of: input.path)
                }
            } catch {
                report(error, on: input, reporter)
            }
        }
    }

    /// The identities of all files that are read for these inputs.
    func originals(of inputs: [String]) -> Set<FileIdentity> {
        let named = inputs + otherFiles
        return FileIdentity.inputs(
            named + named.flatMap(DepthScene.depthImages) + inputs.flatMap(NumberedPictures.files(ofPattern:))
        )
    }
}

extension Error {
    /// Whether the error is only that the file is of another kind: text, a video, an empty file.
    var isForeignFile: Bool { (self as? ContainerError)?.code == "unrecognized" }
}
