internal import ArgumentParser
internal import CSystemShims
internal import Glibc
internal import Isobath
internal import Scenes
internal import Synchronization

/// One run of a job over its inputs: several at once, reported in their order, and in isolated processes if requested.
struct InputRun {
    private let job: any Job
    private let isQuiet: Bool
    private let jobs: Int
    private let threads: ThreadUse
    private let console: Console
    private let originals: Set<FileIdentity>
    private let isolated: IsolatedProcessPool?
    private var begun = 0
    /// The inputs that remain.
    var search = InputSearch([], isRecursive: false)

    /// Prepares a run. `inputs` are the paths that the user named, or that the file `names` has; `total` is the number of all inputs, if known;
    /// `hasResults` is whether results go to standard output.
    init(
        _ job: any Job, _ common: CommonOptions, inputs: [String], names: String? = nil, jobs: Int = 1,
        total: Int? = 1, hasResults: Bool = false
    ) throws {
        (self.job, isQuiet) = (job, common.quiet)
        self.jobs = min(jobs, common.threads ?? .max)
        threads = ThreadUse(most: common.threads, inputs: min(self.jobs, total ?? .max))
        console = Console(
            isQuiet: isQuiet, progress: Progress(total: total, isQuiet: isQuiet, hasResults: hasResults))
        originals = job.outputFolders.isEmpty ? [] : job.originals(of: inputs + [names].compactMap(\.self))
        if common.isolate, !isQuiet { noteMissingProtection() }
        do {
            isolated =
                try common.isolate
                ? IsolatedProcessPool(
                    job: job, originals: originals,
                    readsStandardInput: (inputs + job.otherFiles).contains("-"), threads: threads) : nil
        } catch {
            Console.printError("\(error)", of: nil)
            throw ExitCode(Outcome.failed.rawValue)
        }
    }

    /// Processes one input.
    static func perform(
        _ job: any Job, on input: String, _ common: CommonOptions, hasResults: Bool = false
    ) throws {
        var run = try InputRun(job, common, inputs: [input], hasResults: hasResults)
        try run.perform(on: input)
    }

    /// Processes one input, the only one of the run.
    mutating func perform(on input: String) throws {
        var inputs = [Input(path: input)]
        try perform(&inputs)
        try finish()
    }

    /// Processes all remaining inputs, and returns when they are done. `names` assigns the names of
    /// outputs.
    mutating func perform(_ inputs: inout [Input], naming names: OutputNames? = nil) throws {
        let first = begun
        begun += inputs.count
        let next = Atomic(0)
        let (console, isolated, job, originals, all, threads) = (
            console, isolated, job, originals, inputs, threads
        )
        inputs.removeAll(keepingCapacity: true)
        let workers = min(jobs, all.count)
        parallelFor(count: workers, minimum: 1, most: jobs) { band in
            for _ in band {
                while !console.isEnding, !Interruption.isRequested {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < all.count else { return }
                    let input = names?.begin(index) ?? all[index]
                    defer { names?.end(index) }
                    let reporter = Reporter { message in
                        names?.note(message, of: index)
                        console.tell(message, of: first + index)
                    }
                    if let isolated {
                        do {
                            let replaced = job.replacedFile(for: input).flatMap { ReplacedFile(path: $0) }
                            try isolated.work(on: input, reporter)
                            replaced?.restoreAttributes()
                        } catch {
                            job.reportAlone(error, on: input, reporter)
                        }
                    } else {
                        threads.run {
                            withShareOfCores(ofEachOf: workers) {
                                job.performReporting(on: input, keeping: originals, reporter)
                            }
                        }
                    }
                    console.finish(first + index)
                }
            }
        }
        if console.isEnding { try finish() }
    }

    /// Counts an input that could not even be started.
    mutating func fail(_ input: Input, _ error: any Error) throws {
        let number = begun
        begun += 1
        let reporter = Reporter { [console] message in console.tell(message, of: number) }
        job.reportAlone(error, on: input, reporter)
        console.finish(number)
        if console.isEnding { try finish() }
    }

    /// Skips bystanders, counts them and prints a remark on each kind.
    mutating func passOver(_ bystanders: Bystanders) throws {
        for (path, remark) in bystanders.remarks {
            if !remark.isEmpty { console.tell(.remark(remark, file: path), of: begun) }
            console.tell(.passedOver, of: begun)
            console.finish(begun)
            begun += 1
        }
        if console.isEnding { try finish() }
    }

    /// Runs a step that all inputs need. If it fails, reports its error and ends the run.
    func prepare(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            Reporter { [console] message in console.tell(message, of: 0) }.fail(error, ofInput: "")
            console.finish(0)
            try finish()
        }
    }

    /// Prints a summary if there were several inputs, and throws the exit status unless all succeeded.
    func finish() throws {
        isolated?.dismiss()
        let (tally, outcome) = console.close()
        if tally.inputs > 1, !isQuiet, !console.isEnding { Console.printLine(tally.summary, of: nil) }
        if tally.passedOver > 0, tally.passedOver == tally.inputs {
            Console.printError("there is no photo, raster or recording among these files", of: nil)
            throw ExitCode(Outcome.failed.rawValue)
        }
        // The status that shells report for a process ended by a signal.
        if let signal = Interruption.signal { throw ExitCode(128 + signal) }
        if outcome != .done || console.isEnding { throw ExitCode(outcome.rawValue) }
    }
}

/// Makes writes to a closed pipe, or beyond the file size limit, fail instead of killing the process. Opens standard
/// streams that were closed at the start, because the next opened file would get their descriptors. Writing to such a
/// standard output is an error.
///
/// Signals that end the process remove incomplete outputs first.
func prepareStandardStreams() {
    isobath_clean_up_on_signals()
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    for descriptor in [0, 1, 2] as [Int32] where fcntl(descriptor, F_GETFD) < 0 {
        _ = unsafe open("/dev/null", descriptor == 2 ? O_WRONLY : O_RDONLY)
    }
}

/// Notes what `--isolate` cannot protect on this system.
func noteMissingProtection() {
    guard isobath_can_restrict_writing() == 0 else { return }
    let note =
        "this kernel has no Landlock, or it is off: with --isolate, a decoder that a file has taken over can still change every file that you can change"
    Console.printLine(Console.note(note), of: nil)
}
