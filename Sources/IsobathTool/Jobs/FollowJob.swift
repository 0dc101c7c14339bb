internal import EmbeddedFormats
internal import Glibc
internal import Isobath
internal import Movies
internal import Sequences

/// Writes the track of an object through a sequence.
struct FollowJob: Job {
    static let subcommand = "follow"

    var limits: DecodingLimits
    var reading: SequenceReading
    var place: FollowView.Start
    /// Seconds.
    var start: Double?
    var end: Double?
    var filters: [FilterSetting]
    var showsStatistics: Bool
    var output: String
    var movie: String?
    var existing: ExistingFiles

    var outputFolders: [String] { OutputFile.folders(of: output) + (movie.map(OutputFile.folders) ?? []) }
    var otherFiles: [String] { reading.files }
    var writesStandardOutput: Bool { output == "-" }
    var recordSchema: String? { nil }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        closeOnInterrupt()
        let input = input.path
        for path in [output] + [movie].compactMap(\.self) {
            guard try existing.wants(path, keeping: originals) else {
                reporter.countSkipped(path)
                return reporter.remark("left as it is: \(path)", of: input)
            }
        }
        let source = try reading.open(input, limits: limits)
        let noted = source.diagnostics
        for remark in noted.remarks { reporter.remark(remark, of: input) }
        guard source.description.colorSize != nil else { throw SequenceError.noColor }
        let failures = FailureCount(input, reporter)
        var summary = Summary()
        try publish(output, reporter) { descriptor in
            let track = TrackWriter(descriptor, isJSON: output.pathExtension == "jsonl")
            try withMovie(of: input, rate: source.description.rate ?? 30, reporter) { sink in
                let view = FollowView(place, draws: movie != nil) { seen, _ in
                    summary.add(seen)
                    try track.add(seen)
                }
                var pipeline = FramePipeline()
                (pipeline.start, pipeline.end) = (start ?? 0, end ?? .infinity)
                pipeline.shouldStop = { Interruption.isRequested }
                pipeline.reportFailure = { failures.add($0, frame: $1) }
                let report = try pipeline.run(
                    source, FilteredView(FilterSetting.filters(filters), view), sink)
                guard report.written > 0 else { throw NoFrames(failed: report.failed) }
                summary.report = report
            }
            try track.finish()
        }
        for remark in source.diagnostics.filter({ !noted.contains($0) }).remarks {
            reporter.remark(remark, of: input)
        }
        failures.summarize()
        reporter.countWritten(output)
        if let movie { reporter.countWritten(movie) }
        reporter.remark("\(summary.text) → \(PictureOutput.shown(output))", of: input)
        if showsStatistics { summary.report.describe(["decode", "follow", "write"], of: input, reporter) }
    }

    /// Calls `body` with a sink for frames with the box drawn, or with one that takes nothing.
    private func withMovie(
        of input: String, rate: Double, _ reporter: Reporter, _ body: (any FrameSink) throws -> Void
    ) throws {
        guard let movie else { return try body(NoSink()) }
        let sound =
            input == "-"
            ? -1 : unsafe input.withFileName { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        defer { if sound >= 0 { close(sound) } }
        let target = SequenceOutput(
            path: movie, kind: .movie(MovieFormat(fileName: movie) ?? .mp4), quality: 92, existing: existing)
        // Sound begins with the first frame: of a part, it would not fit.
        _ = try target.write(
            rate: rate, sound: start == nil && sound >= 0 ? sound : nil, keeping: [], reporter, body)
    }

    private func publish(_ path: String, _ reporter: Reporter, _ body: (Int32) throws -> Void) throws {
        let target = SequenceOutput(path: path, kind: .stream(.y4m), quality: 92, existing: existing)
        _ = try target.publish(reporter, inOrder: true, body)
    }

    /// What became of the object.
    private struct Summary {
        var frames = 0
        var seen = 0
        var report = FramePipeline.Report()

        mutating func add(_ observation: ObjectTracker.Observation) {
            frames += 1
            if !observation.isLost { seen += 1 }
        }

        var text: String { "seen in \(seen) of \(frames) frames" }
    }
}

/// Writes observations as lines of CSV or JSON.
private final class TrackWriter {
    private let descriptor: Int32
    private let isJSON: Bool
    private var bytes: [UInt8] = []

    init(_ descriptor: Int32, isJSON: Bool) {
        (self.descriptor, self.isJSON) = (descriptor, isJSON)
        if !isJSON { bytes += Array("frame,time,x,y,width,height,distance,speed,confidence,state\n".utf8) }
    }

    func add(_ seen: ObjectTracker.Observation) throws {
        let (box, state) = (seen.box, seen.isLost ? "lost" : "found")
        let numbers: [(String, Double?, Double)] = [
            ("time", seen.time, 1e6), ("x", box.left, 100), ("y", box.top, 100), ("width", box.width, 100),
            ("height", box.height, 100), ("distance", seen.distance.map { Double($0) }, 1e4),
            ("speed", seen.speed, 1e3), ("confidence", seen.confidence, 1e3),
        ]
        let rounded = numbers.map { name, value, scale in (name, value.map { ($0 * scale).rounded() / scale })
        }
        if isJSON {
            let record = JSONValue.object(
                [("frame", .integer(seen.index))]
                    + rounded.map { ($0.0, $0.1.map { .number($0) } ?? .null) } + [("state", .text(state))])
            bytes += Array("\(record.serialized)\n".utf8)
        } else {
            let fields = rounded.map { $0.1.map { "\($0)" } ?? "" }.joined(separator: ",")
            bytes += Array("\(seen.index),\(fields),\(state)\n".utf8)
        }
        if bytes.count > 1 << 15 { try finish() }
    }

    func finish() throws {
        try writeAll(bytes, to: descriptor)
        bytes.removeAll(keepingCapacity: true)
    }
}
