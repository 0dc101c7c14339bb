internal import ArgumentParser
internal import CSystemShims
internal import DepthMaps
internal import Glibc
internal import Isobath
internal import Synchronization

/// The isolated process: reads inputs from a pipe, processes them one by one, and reports through another pipe.
///
/// A process runs it if its first argument (`argv[0]`) is ``name``. It needs the descriptors that only
/// ``IsolatedProcess`` passes. It never looks at other arguments, and it cannot start a process.
enum IsolatedMain {
    /// The name under which the process is started.
    static let name = "isobath-isolated"

    /// The exit status if libseccomp cannot be loaded (`EX_UNAVAILABLE`). Before the request is read, the status is
    /// the only way to report this.
    static let withoutFilter: Int32 = 69

    /// The descriptors that the process inherits, besides the standard streams.
    enum Descriptor: Int32 {
        /// Reads inputs.
        case inputs = 3
        /// Writes messages.
        case messages
        /// The sealed ``IsolatedRequest``.
        case request
    }

    /// Processes inputs until there are no more.
    static func run() -> Never {
        guard isobath_load_filter() == 0 else { exit(withoutFilter) }
        guard isobath_is_sealed(Descriptor.request.rawValue) == 1 else {
            fail("isolated processes are started by isobath only")
        }
        _ = signal(SIGPIPE, SIG_IGN)
        heedEndingSignal()
        isobath_clean_up_on_signals()
        NewFileMode.takeUmask()
        isobath_spare_address_space()
        do {
            let request = try IsolatedRequest(decoding: contents(of: Descriptor.request.rawValue))
            try restrict(to: request)
            request.threads.run { serve(request) }
        } catch {
            fail("the isolated process could not be set up: \(error)")
        }
    }

    /// All bytes of a file whose offset other processes share.
    private static func contents(of descriptor: Int32) throws(IsolationError) -> [UInt8] {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw IsolationError(description: systemMessage(errno))
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        guard count == bytes.count else { throw IsolationError(description: "the request is incomplete") }
        return bytes
    }

    /// Ties the process's life to its parent's, applies the limits, and drops all privileges, before the first thread
    /// starts and before a byte of an input is read. From then on, files can be made in the job's folders only.
    private static func restrict(to request: IsolatedRequest) throws(IsolationError) {
        let limits = request.limits
        let bytes = UInt64(limits[.memoryBytes])
        guard isobath_end_with_parent(request.parent) == 0,
            isobath_close_others(Descriptor.request.rawValue) == 0 || errno == ENOSYS,
            limitWriting(to: request.outputFolders, makesFolders: request.makesFolders) >= 0,
            isobath_limit_address_space(bytes) == 0, isobath_limit_file_size(bytes) == 0,
            isobath_limit_processor_time(UInt64(processorSeconds(limits)) * 2) == 0,
            isobath_drop_privileges() == 0, isobath_end_without_reader(Descriptor.messages.rawValue) == 0
        else { throw IsolationError(description: systemMessage(errno)) }
    }

    /// The processor time that one input may take: the limit is in seconds of elapsed time, during which all cores may
    /// work. A process has twice as much, and is replaced before less than this remains.
    static func processorSeconds(_ limits: DecodingLimits) -> Int {
        min(limits[.seconds], 1_000_000_000) * coreCount + 1
    }

    private static func limitWriting(to folders: [String], makesFolders: Bool) -> Int32 {
        let paths = unsafe folders.map { unsafe $0.withFileName { unsafe strdup($0) } }
        defer { unsafe paths.forEach { unsafe free($0) } }
        var pointers = unsafe paths.map { unsafe UnsafePointer($0) }
        return unsafe isobath_restrict_writing(
            &pointers, Int32(clamping: folders.count), makesFolders ? 1 : 0)
    }

    private static func serve(_ request: IsolatedRequest) -> Never {
        let inputs = Pipe(descriptor: Descriptor.inputs.rawValue)
        let room = Atomic(Frame.mostForAnInput)
        let reporter = Reporter { message in
            var frame = Frame(message)
            let left = room.wrappingSubtract(frame.size, ordering: .relaxed).newValue
            // Keep the rest for the messages that report this.
            if left < Frame.mostForAnInput >> 8, let output = message.passedOutput {
                room.wrappingAdd(frame.size, ordering: .relaxed)
                frame = Frame(
                    .failure(
                        "\(output.count) bytes of output exceed what an isolated process passes on: "
                            + "name an output file, or omit --isolate", file: output.name, .failed))
            }
            // Nobody reads messages any more, so there is nothing to work for.
            if !send(frame) { exit(Int32(Outcome.failed.rawValue)) }
        }
        let shown = Mutex(ContinuousClock.now)
        LoopProgress.watch { place in
            let isDue = shown.withLock { last in
                guard place == nil || .now - last > .milliseconds(200) else { return false }
                last = .now
                return true
            }
            if isDue { reporter.pass(.progress(place)) }
        }
        let job = Result { try request.arguments.job() }
        while let announced = Frame(from: inputs)?.input {
            room.store(Frame.mostForAnInput, ordering: .relaxed)
            var input = announced.input
            if let count = announced.byteCount {
                input.source = CachingSource(byteCount: count, limits: request.limits) {
                    (ranges) throws(ContainerError) in
                    try Self.ask(for: ranges, inputs)
                }
            }
            switch job {
            case .success(let job): job.performReporting(on: input, keeping: request.originals, reporter)
            case .failure(let error):
                let message = request.arguments.verb.message(for: error)
                reporter.fail(
                    UsageError("the arguments have another meaning now: \(message)"), ofInput: input.path)
            }
            guard send(Frame(kind: .done)) else { break }
        }
        exit(Int32(Outcome.done.rawValue))
    }

    /// Loops report from several threads.
    private static let sending = Mutex(Pipe(descriptor: Descriptor.messages.rawValue))

    private static func send(_ frame: Frame) -> Bool { sending.withLock { frame.write(to: $0) } }

    /// The maximum bytes per request: a range may be longer than a frame.
    private static let part = 1 << 26

    /// Requests the bytes of some ranges from the parent.
    private static func ask(
        for ranges: [Range<Int>], _ inputs: Pipe
    ) throws(ContainerError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        let parts = ranges.map { range in
            stride(from: range.lowerBound, to: range.upperBound, by: part)
                .map { $0..<min($0 + part, range.upperBound) }
        }
        guard send(Frame(need: parts.flatMap(\.self))) else {
            exit(Int32(Outcome.failed.rawValue))
        }
        for parts in parts {
            var bytes: [UInt8] = []
            for _ in parts {
                guard let frame = Frame(from: inputs) else { exit(Int32(Outcome.failed.rawValue)) }
                guard frame.kind == .have else {
                    throw ContainerError(.unreadable(detail: String(decoding: frame.bytes, as: UTF8.self)))
                }
                bytes = bytes.isEmpty ? frame.bytes : bytes + frame.bytes
            }
            found.append(bytes)
        }
        return found
    }

    private static func fail(_ message: String) -> Never {
        Console.printError(message, of: nil)
        exit(Int32(Outcome.failed.rawValue))
    }
}

extension Message {
    /// The output that goes through the pipe instead of to a file: its path and byte count.
    fileprivate var passedOutput: (name: String, count: Int)? {
        switch self {
        case .file(let path, let bytes): (path, bytes.count)
        case .output(let bytes): ("standard output", bytes.count)
        default: nil
        }
    }
}
