internal import EmbeddedFormats
internal import ImageContainers
internal import Isobath
internal import Recordings

/// Shows which planes a file holds.
struct InfoJob: Job {
    static let subcommand = "info"
    static let readsRecordings = true

    var limits = DecodingLimits()
    var reading = RasterInterpretation()
    /// Whether a JSON object is printed, and not lines for a person.
    var json: Bool
    /// Whether the objects are rows of a table, one for each plane.
    var flat = false

    var outputFolders: [String] { [] }
    var otherFiles: [String] { reading.files }
    var writesStandardOutput: Bool { false }
    var recordSchema: String? { nil }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        switch try openPhotoOrRecording(input, reading: reading, limits: limits) {
        case .source(let source):
            reporter.print(render(source, input.path))
            reporter.report(source.diagnostics.filter(\.isLoss), of: input.path)
        case .recording(let recording):
            reporter.print(render(recording, input.path))
            reporter.report(recording.diagnostics.filter(\.isLoss), of: input.path)
        }
    }

    func report(_ error: any Error, on input: Input, _ reporter: Reporter) {
        guard input.isNamed || (error as? ContainerError)?.isForeignFile != true else {
            return reporter.countPassedOver()
        }
        if json {
            let record = JSONValue.object([
                ("schema", .text("isobath.info/1")), ("path", .text(input.path)),
                ("error", errorRecord(error, advice: advice(for: error))),
            ])
            reporter.print(lines(of: record))
        }
        reporter.fail(error, ofInput: input.path)
    }

    private func render(_ recording: Recording, _ path: String) -> [UInt8] {
        json
            ? lines(of: recording.content.record(path: path, describing: \.advised))
            : Array(recording.summary(path: path).utf8)
    }

    private func render(_ source: any PlaneSource, _ path: String) -> [UInt8] {
        json
            ? lines(of: source.record(path: path, describing: \.advised))
            : Array(source.summary(path: path).utf8)
    }

    /// A record as a line, or as rows.
    private func lines(of record: JSONValue) -> [UInt8] {
        var lines: [UInt8] = []
        for row in flat ? FlatRecord.rows(of: record) : [record] {
            row.append(to: &lines)
            lines.append(0x0A)
        }
        return lines
    }
}

extension ContainerError {
    /// Whether the file is simply of another kind: text, a video, an empty one.
    fileprivate var isForeignFile: Bool {
        code == "unrecognized"
    }
}
