internal import CSystemShims
internal import Glibc
internal import Isobath
internal import Synchronization

/// The isolated process: takes inputs from a pipe, works on one after the other, and reports through another.
///
/// This program is one where its first argument (`argv[0]`) is ``name``, and it then needs the descriptors that only
/// ``IsolatedProcess`` hands over. It never looks at other arguments, and it cannot start a process.
enum IsolatedMain {
    /// The name that it is started with.
    static let name = "isobath-isolated"

    /// The exit status where libseccomp cannot be loaded (`EX_UNAVAILABLE`): nobody can be told otherwise before the request
    /// is read.
    static let withoutFilter: Int32 = 69

    /// What it inherits, besides the standard streams.
    enum Descriptor: Int32 {
        /// Where inputs come in.
        case inputs = 3
        /// Where messages go out.
        case messages
        /// The sealed ``IsolatedRequest``.
        case request
    }

    /// Works until there are no more inputs.
    static func run() -> Never {
        // Before anything is read: no processes, no programs, no sockets, no capabilities.
        let answer = isobath_drop_privileges()
        guard Int(answer) != ISOBATH_NO_FILTER else {
            exit(withoutFilter)
        }
        guard answer == 0, isobath_is_sealed(Descriptor.request.rawValue) == 1 else {
            fail("isolated processes are started by isobath only")
        }
        _ = signal(SIGPIPE, SIG_IGN)
        heedEndingSignal()
        isobath_spare_address_space()
        do {
            let request = try IsolatedRequest(decoding: contents(of: Descriptor.request.rawValue))
            request.job.prepare()
            try restrict(to: request)
            serve(request)
        } catch {
            fail("the isolated process could not be set up: \(error)")
        }
    }

    /// All of a file whose offset other processes share.
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

    /// Ends with the process that asked, and takes the limits: from then on files can be made in the job's folders only.
    private static func restrict(to request: IsolatedRequest) throws(IsolationError) {
        let bytes = UInt64(request.job.limits[.memoryBytes])
        guard isobath_end_with_parent(request.parent) == 0,
            isobath_close_others(Descriptor.request.rawValue) == 0 || errno == ENOSYS,
            isobath_end_without_reader(Descriptor.messages.rawValue) == 0,
            isobath_limit_address_space(bytes) == 0, isobath_limit_file_size(bytes) == 0,
            limitWriting(to: request.job.outputFolders) >= 0
        else { throw IsolationError(description: systemMessage(errno)) }
    }

    private static func limitWriting(to folders: [String]) -> Int32 {
        let paths = unsafe folders.map { unsafe $0.withFileName { unsafe strdup($0) } }
        defer { unsafe paths.forEach { unsafe free($0) } }
        var pointers = unsafe paths.map { unsafe UnsafePointer($0) }
        return unsafe isobath_restrict_writing(&pointers, Int32(clamping: folders.count))
    }

    private static func serve(_ request: IsolatedRequest) -> Never {
        let (inputs, messages) = (
            Pipe(descriptor: Descriptor.inputs.rawValue), Pipe(descriptor: Descriptor.messages.rawValue)
        )
        let room = Atomic(Frame.mostForAnInput)
        let reporter = Reporter { message in
            var frame = Frame(message)
            let left = room.wrappingSubtract(frame.size, ordering: .relaxed).newValue
            // The rest is for messages that say so.
            if left < Frame.mostForAnInput >> 8, let output = message.passedOutput {
                room.wrappingAdd(frame.size, ordering: .relaxed)
                frame = Frame(
                    .failure(
                        "\(output.count) bytes of output are more than an isolated process passes on: "
                            + "name a file for it, or leave out --isolate", file: output.name, .failed))
            }
            // Nobody listens any more: there is nothing to work for.
            if !frame.write(to: messages) { exit(Int32(Outcome.failed.rawValue)) }
        }
        while let announced = Frame(from: inputs)?.input {
            room.store(Frame.mostForAnInput, ordering: .relaxed)
            var input = announced.input
            if let count = announced.suppliedBytes {
                let source = CachingSource(byteCount: count, limits: request.job.limits) {
                    (ranges) throws(ContainerError) in
                    try Self.ask(for: ranges, messages, inputs)
                }
                input = announced.supplied(by: source)
            }
            // Several cores may work for as long as one may take.
            _ = isobath_limit_processor_time(UInt64(request.job.limits[.seconds]) * UInt64(coreCount))
            request.job.performReporting(on: input, keeping: request.originals, reporter)
            guard Frame(kind: .done).write(to: messages) else { break }
        }
        exit(Int32(Outcome.done.rawValue))
    }

    /// The most bytes that are asked for at once: a range may be longer than a frame.
    private static let part = 1 << 26

    /// Gets the bytes of some ranges from the process that has them.
    private static func ask(
        for ranges: [Range<Int>], _ messages: Pipe, _ inputs: Pipe
    ) throws(ContainerError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        let parts = ranges.map { range in
            stride(from: range.lowerBound, to: range.upperBound, by: part)
                .map { $0..<min($0 + part, range.upperBound) }
        }
        guard Frame(need: parts.flatMap(\.self)).write(to: messages) else {
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
    /// The output that goes through the pipe in place of a file: where it goes, and how many bytes it has.
    fileprivate var passedOutput: (name: String, count: Int)? {
        switch self {
        case .file(let path, let bytes): (path, bytes.count)
        case .output(let bytes): ("standard output", bytes.count)
        default: nil
        }
    }
}
