internal import Glibc
internal import Isobath
internal import Synchronization

/// Processes the photos of a tar file, and writes the outputs into another in the same order: `concurrency` photos at
/// once, and never more of them in memory.
struct TarRun {
    private let job: ExtractJob
    private let common: CommonOptions
    private let concurrency: Int

    /// The job for each photo: planes as usual, and its line of JSON.
    init(_ job: ExtractJob, _ common: CommonOptions, concurrency: Int) {
        var job = job
        (job.destination, job.separator) = (.folder(".", suffix: "", fileExtension: ""), ".")
        (job.existing, job.json) = (.collected, true)
        (self.job, self.common, self.concurrency) = (job, common, concurrency)
    }

    /// Reads one tar file and writes the other. Throws the exit status unless all succeeded.
    func perform(from input: String, to output: OutputFile) throws {
        var run = try InputRun(
            job, common, inputs: [], jobs: concurrency, total: nil, hasResults: output.path == "-")
        try run.prepare {
            try output.checkIsFree()
            if output.path == "-", isatty(1) != 0 { throw OutputError("-", .terminal) }
        }
        let descriptor =
            input == "-" ? 0 : unsafe input.withFileName { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
        let code = errno
        try run.prepare {
            guard descriptor >= 0 else {
                throw FileFailure(
                    file: input, error: ContainerError(.unreadable(detail: systemMessage(code))))
            }
            guard input == "-" || FileIdentity(descriptor: descriptor) != FileIdentity(path: output.path)
            else {
                throw OutputError(output.path, .input)
            }
        }
        defer { if input != "-" { close(descriptor) } }
        var samples = TarSamples(descriptor, name: input, limits: job.limits)
        var stopped: (any Error)?
        do throws(OutputError) {
            try output.writeInOrder { (target) throws(WriteError) in
                do {
                    try copy(&samples, to: target, &run)
                } catch let error as WriteError {
                    throw error
                } catch {
                    stopped = error
                }
                try writeAll([UInt8](repeating: 0, count: 2 * TarHeader.size), to: target)
            }
        } catch {
            guard !StandardOutput.isClosed(error) else { return try run.finish() }
            try run.fail(Input(path: input), error, printsRecord: false)
        }
        if let stopped { throw stopped }
        if let absence = samples.absence, !common.quiet {
            Console.printLine(Console.note(absence), of: input)
        }
        try run.finish()
    }

    private func copy(_ samples: inout TarSamples, to target: Int32, _ run: inout InputRun) throws {
        var isAtEnd = false
        while !isAtEnd {
            var batch: [TarSamples.Sample] = []
            while batch.count < concurrency, !isAtEnd {
                switch samples.next() {
                case nil: isAtEnd = true
                case .sample(let sample)?: batch.append(sample)
                case .refused(let name, let error)?:
                    try work(on: &batch, to: target, &run)
                    try run.fail(Input(path: name), error, printsRecord: false)
                }
            }
            try work(on: &batch, to: target, &run)
        }
    }

    /// Processes some samples at once, then writes their results in order.
    private func work(
        on batch: inout [TarSamples.Sample], to target: Int32, _ run: inout InputRun
    ) throws {
        guard !batch.isEmpty else { return }
        let made = Mutex([[(name: String, bytes: [UInt8])]](repeating: [], count: batch.count))
        var inputs = batch.map { sample in
            var input = Input(path: sample.name)
            input.source = MemorySource(sample.bytes)
            return input
        }
        try run.perform(&inputs) { index, message in
            switch message {
            case .file(let path, let bytes):
                made.withLock { $0[index].append((path.lastPathComponent, bytes)) }
            case .output(let bytes): made.withLock { $0[index].append(("", bytes)) }
            default: return false
            }
            return true
        }
        let results = made.withLock(\.self)
        for (sample, files) in zip(batch, results) {
            for (name, bytes) in files {
                let member = name.isEmpty ? "\(sample.key).json" : sample.folder + name
                try writeAll(TarHeader.blocks(of: member, byteCount: bytes.count), to: target)
                try writeAll(bytes, to: target)
                try writeAll(TarHeader.padding(of: bytes.count), to: target)
            }
        }
        batch = []
    }
}
