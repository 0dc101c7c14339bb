internal import Isobath

/// What a subcommand does with each of its inputs: everything that its flags say, as plain data, so that an isolated
/// process can be sent it.
protocol Job: Codable, Sendable {
    /// The subcommand, as on the command line.
    static var subcommand: String { get }
    /// Whether it works on the frames of streams.
    static var readsFrames: Bool { get }
    /// The limits of parsing and decoding.
    var limits: DecodingLimits { get }
    /// How inputs are read.
    var reading: InputReading { get }
    /// The folders in which files are made.
    var outputFolders: [String] { get }
    /// The files that are read besides inputs; `-` is standard input.
    var otherFiles: [String] { get }
    /// Whether a file is written to standard output.
    var writesStandardOutput: Bool { get }
    /// The schema of the line of JSON that is printed for each input; `nil` where none is, and for jobs that print their own.
    var recordSchema: String? { get }

    /// The same job with its output at this path. Jobs whose output is several files, or none, stay as they are.
    func directed(to output: String) -> any Job

    /// The name in a folder that identifies the outputs of an input with this stem: two inputs that share it would have the same outputs.
    func outputName(of stem: String) -> String

    /// Loads what an isolated process must load before it loses the right to.
    func prepare()

    /// Works on one input. Nothing in `originals` is ever written.
    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws

    /// Reports what kept an input from being worked on to its end.
    func report(_ error: any Error, on input: Input, _ reporter: Reporter)
}

/// The jobs that isolated processes know.
let jobTypes: [any Job.Type] = [
    InfoJob.self, ExtractJob.self, CompositeJob.self, BlurJob.self, CloudJob.self, EmbedJob.self,
    ConvertJob.self, FollowJob.self, ViewJob.self, ServedJob.self, AnimateJob.self, DetectJob.self,
]

extension Job {
    static var readsFrames: Bool { false }
    func directed(to output: String) -> any Job { self }
    func outputName(of stem: String) -> String { stem }
    func prepare() {}

    func report(_ error: any Error, on input: Input, _ reporter: Reporter) {
        guard input.isNamed || !error.isForeignFile else { return reporter.countPassedOver() }
        reporter.fail(error, ofInput: input.path)
    }

    /// Reports an input that could not be worked on at all, with its line of JSON.
    func reportAlone(_ error: any Error, on input: Input, _ reporter: Reporter) {
        recording(input, reporter) { report(error, on: input, $0) }
    }

    /// Calls `body` with a reporter, and prints the line of JSON for what it reports, where one is wanted.
    private func recording(_ input: Input, _ reporter: Reporter, _ body: (Reporter) -> Void) {
        guard let recordSchema else { return body(reporter) }
        let record = InputRecord()
        body(reporter.recording(in: record))
        let line = record.json(schema: recordSchema, subcommand: Self.subcommand, input: input.path)
        reporter.print(Array("\(line)\n".utf8))
    }

    /// Works on one input, and reports an error.
    func performReporting(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) {
        if let output = input.output {
            var input = input
            input.output = nil
            let originals = originals.union(
                self.originals(
                    of: input.source == nil && input.root == nil ? [input.path] : []))
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
            named + named.flatMap(DepthScene.depthImages) + inputs.flatMap(FrameSequence.files(ofPattern:)))
    }
}

extension Error {
    /// Whether a file is simply of another kind: text, a video, an empty one.
    var isForeignFile: Bool { (self as? ContainerError)?.code == "unrecognized" }
}
