internal import ArgumentParser
internal import Glibc
internal import Isobath
internal import Synchronization

/// One run of a verb over its inputs: several at once, told of in their order, in worker processes where asked for.
struct InputRun {
    /// Works on one input, and tells of it. An error that is thrown is told, too.
    typealias Work = @Sendable (Input, Reporter) throws -> Void

    /// The files that must not be written: the inputs, and those that belong to them.
    let originals: Set<FileIdentity>

    private let common: CommonOptions
    private let jobs: Int
    private let folders: [String]
    private let console: Console
    private let workers: WorkerCrew?
    private var begun = 0

    /// Prepares a run that writes nothing but files in `folders`. `total` is the number of inputs, where it is known;
    /// `hasResults` when results go to standard output.
    ///
    /// `originals` is not called in a worker, which is sent them.
    init(
        _ common: CommonOptions, jobs: Int = 1, total: Int? = 1, hasResults: Bool = false,
        writingIn folders: [String] = [], originals: () -> Set<FileIdentity> = { [] }
    ) {
        prepareStandardStreams()
        self.common = common
        self.jobs = jobs
        self.folders = folders
        let progress = Progress(total: total, isQuiet: common.quiet, hasResults: hasResults)
        console = Console(isQuiet: common.quiet, progress: progress)
        let isWorker = common.isolation.isWorker
        self.originals = isWorker ? Worker.receiveOriginals() : originals()
        workers =
            common.isolation.isolate && !isWorker
            ? WorkerCrew(limits: common.limits, originals: self.originals) : nil
    }

    /// Works on inputs, and returns when all are done. `explain` tells what kept an input from being worked on to its end.
    ///
    /// In a worker process inputs come from the process that started it, until there are no more; this never returns then.
    mutating func perform(
        _ inputs: [Input], explain: @Sendable (any Error, Input, Reporter) -> Void = Self.explain,
        _ work: Work
    ) throws {
        if common.isolation.isWorker { Worker.serve(common.limits, writingIn: folders, explain, work) }
        let first = begun
        begun += inputs.count
        let next = Atomic(0)
        let (console, workers) = (console, workers)
        forEachBand(of: min(jobs, inputs.count), minimum: 1, most: jobs) { band in
            for _ in band {
                while !console.isEnding {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < inputs.count else { return }
                    let input = inputs[index]
                    let reporter = Reporter { console.tell($0, of: first + index) }
                    do {
                        if let workers {
                            try workers.work(on: input, reporter)
                        } else {
                            try work(input, reporter)
                        }
                    } catch {
                        explain(error, input, reporter)
                    }
                    console.finish(first + index)
                }
            }
        }
        if console.isEnding { try finish() }
    }

    /// Counts an input that cannot even be worked on.
    mutating func fail(
        _ input: Input, _ error: any Error, explain: (any Error, Input, Reporter) -> Void
    ) throws {
        let number = begun
        begun += 1
        explain(error, input, Reporter { [console] in console.tell($0, of: number) })
        console.finish(number)
        if console.isEnding { try finish() }
    }

    /// Does something that all inputs need. When that fails, its error is told, and the run ends.
    func prepare(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            Reporter { [console] in console.tell($0, of: 0) }.fail(error, ofInput: "")
            console.finish(0)
            try finish()
        }
    }

    /// Says what was done where there were several inputs, and throws the exit status unless all went well.
    func finish() throws {
        workers?.dismiss()
        let (tally, outcome) = console.close()
        if tally.inputs > 1, !common.quiet, !console.isEnding { Console.printError(tally.summary, of: nil) }
        if outcome != .done || console.isEnding { throw ExitCode(outcome.rawValue) }
    }

    /// Does everything there is to do for one input.
    mutating func perform(_ input: String, _ work: @Sendable (Reporter) throws -> Void) throws {
        try perform([Input(path: input)]) { _, reporter in try work(reporter) }
        try finish()
    }

    @Sendable
    private static func explain(_ error: any Error, _ input: Input, _ reporter: Reporter) {
        reporter.fail(error, ofInput: input.path)
    }
}

/// Lets a write to a closed pipe, or beyond the size that files may have, fail instead of killing the process, and fills
/// standard streams that were closed before the start: the next file opened would take their place. What is written to
/// such a standard output is an error.
private func prepareStandardStreams() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    for descriptor in [0, 1, 2] as [Int32] where fcntl(descriptor, F_GETFD) < 0 {
        _ = unsafe open("/dev/null", descriptor == 2 ? O_WRONLY : O_RDONLY)
    }
}
