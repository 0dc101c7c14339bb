internal import Isobath

/// What a subcommand does with each of its inputs: everything that its flags say, as plain data, so that an isolated
/// process can be sent it.
protocol Job: Codable, Sendable {
    /// The subcommand, as on the command line.
    static var subcommand: String { get }
    /// The limits of parsing and decoding.
    var limits: DecodingLimits { get }
    /// The folders in which files are made.
    var outputFolders: [String] { get }
    /// The files that are read besides inputs; `-` is standard input.
    var otherFiles: [String] { get }
    /// Whether a file is written to standard output.
    var writesStandardOutput: Bool { get }

    /// Works on one input. Nothing in `originals` is ever written.
    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws

    /// Reports what kept an input from being worked on to its end.
    func report(_ error: any Error, on input: Input, _ reporter: Reporter)
}

/// The jobs that isolated processes know.
let jobTypes: [any Job.Type] = [
    InfoJob.self, ExtractJob.self, CompositeJob.self, BlurJob.self, OccludeJob.self, CloudJob.self,
]

extension Job {
    func report(_ error: any Error, on input: Input, _ reporter: Reporter) {
        reporter.fail(error, ofInput: input.path)
    }

    /// Works on one input, and reports an error.
    func performReporting(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) {
        do {
            try perform(on: input, keeping: originals, reporter)
        } catch {
            report(error, on: input, reporter)
        }
    }

    /// The identities of all files that are read for these inputs.
    func originals(of inputs: [String]) -> Set<FileIdentity> {
        FileIdentity.inputs(
            inputs + (inputs + otherFiles).flatMap(DepthInput.depthImages) + otherFiles)
    }
}
