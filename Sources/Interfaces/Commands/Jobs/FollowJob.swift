internal import Embedded
internal import Isobath
internal import Movies
internal import Scenes

/// Writes the track of an object through a sequence.
struct FollowJob: Job {
    static let readsFrames = true

    var arguments: VerbArguments
    var limits: DecodingLimits
    var reading: InputFlags
    /// Where the object is in the first frame; `nil` if a network finds it.
    var place: FrameEffect.ObjectStart?
    var search: ObjectSearch?
    /// The name or number of the object's class.
    var wantedClass: String?
    /// Which frames to use.
    var selection = FrameSelection()
    var output: String
    var movie: String?
    var codec: MovieCodec?
    var json: Bool
    var existing: ExistingFiles

    var outputFolders: [String] { OutputFile.folders(of: output) + (movie.map(OutputFile.folders) ?? []) }
    var otherFiles: [String] { reading.files + (search?.files ?? []) }
    var writesStandardOutput: Bool { output == "-" }
    var recordSchema: String? { json ? "isobath.track/1" : nil }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        closeOnInterrupt()
        var file = file
        let input = file.path
        let missing = try [output, movie].compactMap(\.self).filter { path in
            try existing.wants(path, keeping: originals, reporter, of: input)
        }
        guard !missing.isEmpty else { return }
        let movie = movie.flatMap { missing.contains($0) ? $0 : nil }
        if movie != nil { try MovieLibrary.load() }
        let source = try open(&file, asFrames: true, reporter)
        guard source.still == nil else {
            throw Failure("this is one picture, and follow needs a recording, a movie or a stream")
        }
        let run = SequenceRun(source, of: file, for: self, selection, reporter)
        run.begin()
        try source.prepare([.picture])
        guard source.description.colorSize != nil else { throw SequenceError.noColor }
        let find = try finder()
        var summary = Summary()
        let writesTrack = missing.contains(output)
        try publish(writesTrack ? output : nil, reporter) { descriptor in
            let track = TrackWriter(descriptor, isJSON: output.pathExtension == "jsonl")
            try withMovie(movie, of: source, input, reporter) { sink in
                let effect = FrameEffect.following(draws: movie != nil, find: find) { seen, frame in
                    let (index, time) = (frame.description.index ?? 0, frame.description.time ?? 0)
                    summary.add(seen, index: index, time: time)
                    try track.add(seen, index: index, time: time)
                }
                try run.run(effect, sink)
                guard summary.began != nil else {
                    throw Failure(
                        "the network finds \(wantedClass.map { "no '\($0.forTerminal)'" } ?? "nothing") in any frame;"
                            + " --min-score lets it be less sure")
                }
            }
            try track.finish()
        }
        run.reportDamage()
        run.reportStop()
        if writesTrack { reporter.countWritten(output) }
        if let movie { reporter.countWritten(movie) }
        if let began = summary.began, began.index > 0, search != nil {
            reporter.remark("first found in frame \(began.index), at \(Float(began.time).short) s", of: input)
        }
        reporter.add([
            ("frames", .integer(summary.frames)), ("seen", .integer(summary.seen)),
            ("milliseconds", run.report.milliseconds(["decode", "follow", "write"])),
        ])
        let losses = run.losses
        reporter.conclude(
            "\(summary.text)\(losses) → \(PictureOutput.shown(output))", of: input, isLossy: !losses.isEmpty)
    }

    /// Finds the object in the first frame.
    private func finder() throws -> ((DepthScene) throws -> TrackingBox?) {
        if let place { return { frame in try place.box(in: frame) } }
        return try search?.finder(ofClass: wantedClass, limits: limits) ?? { _ in nil }
    }

    /// Calls `body` with a sink that draws the box on frames, or with one that discards them.
    private func withMovie(
        _ movie: String?, of source: any SceneSequence, _ input: String, _ reporter: Reporter,
        _ body: (any FrameSink) throws -> Void
    ) throws {
        guard let movie else { return try body(NoSink()) }
        let target = SequenceOutput(
            movie, .movie(MovieFormat(fileName: movie) ?? .mp4), codec: codec, quality: 92, existing: existing
        )
        _ = try target.write(
            source, of: input, rate: source.extent.rate ?? 30, keeping: [], reporter, body)
    }

    /// Calls `body` with a descriptor of the track; `nil` if not written.
    private func publish(_ path: String?, _ reporter: Reporter, _ body: (Int32?) throws -> Void) throws {
        guard let path else { return try body(nil) }
        let target = SequenceOutput(path, .stream(.y4m), quality: 92, existing: existing)
        _ = try target.publish(reporter, inOrder: true, body)
    }

    /// What happened to the object.
    private struct Summary {
        var frames = 0
        var seen = 0
        /// The first frame that shows the object.
        var began: (index: Int, time: Double)?

        mutating func add(_ observation: ObjectTracker.Observation?, index: Int, time: Double) {
            frames += 1
            guard let observation else { return }
            if began == nil { began = (index, time) }
            if !observation.isLost { seen += 1 }
        }

        var text: String { "seen in \(seen) of \(frames) frames" }
    }
}

/// Writes observations as lines of CSV or JSON.
private final class TrackWriter {
    private let descriptor: Int32?
    private let isJSON: Bool
    private var bytes: [UInt8] = []

    init(_ descriptor: Int32?, isJSON: Bool) {
        (self.descriptor, self.isJSON) = (descriptor, isJSON)
        if !isJSON { bytes += Array("frame,time,x,y,width,height,distance,speed,confidence,state\n".utf8) }
    }

    /// Adds a frame's line; `seen` is `nil` before the object was found.
    func add(_ seen: ObjectTracker.Observation?, index: Int, time: Double) throws {
        let (box, state) = (seen?.box, seen?.isLost ?? true ? "lost" : "found")
        let numbers: [(String, Double?, Double)] = [
            ("time", time, 1e6), ("x", box?.left, 100), ("y", box?.top, 100), ("width", box?.width, 100),
            ("height", box?.height, 100), ("distance", seen?.distance.map { Double($0) }, 1e4),
            ("speed", seen?.speed, 1e3), ("confidence", seen?.confidence ?? 0, 1e3),
        ]
        let rounded = numbers.map { name, value, scale in (name, value.map { ($0 * scale).rounded() / scale })
        }
        if isJSON {
            let record = JSONValue.object(
                [("frame", .integer(index))]
                    + rounded.map { ($0.0, $0.1.map { .number($0) } ?? .null) } + [("state", .text(state))])
            bytes += Array("\(record.serialized)\n".utf8)
        } else {
            let fields = rounded.map { $0.1.map { "\($0)" } ?? "" }.joined(separator: ",")
            bytes += Array("\(index),\(fields),\(state)\n".utf8)
        }
        if bytes.count > 1 << 15 { try finish() }
    }

    func finish() throws {
        if let descriptor { try writeAll(bytes, to: descriptor) }
        bytes.removeAll(keepingCapacity: true)
    }
}
