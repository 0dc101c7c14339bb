internal import Embedded
internal import Isobath
internal import Networks
internal import Recordings
internal import Scenes

/// Describes the contents of a file.
struct InfoJob: Job {
    var arguments: VerbArguments
    var limits = DecodingLimits()
    var reading = InputFlags()
    /// Whether to print a JSON object instead of lines for a person.
    var json: Bool
    /// The name of a network's profile, or the profile's file.
    var profile: String?

    var outputFolders: [String] { [] }
    var otherFiles: [String] {
        reading.files + (profile.flatMap { $0.hasSuffix(".json") ? [$0] : nil } ?? [])
    }
    var writesStandardOutput: Bool { false }
    var recordSchema: String? { nil }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        var file = file
        let path = file.path
        if Self.isNetwork(file) {
            let summary = try NetworkSummary(contentsOf: path, profile: profile, limits: limits)
            return reporter.print(
                json ? line(of: summary.record(path: path)) : Array("\(summary.lines(path: path))\n".utf8))
        }
        if profile != nil {
            throw UsageError("--model-profile has no effect: this is not a network (.onnx)")
        }
        let opened = try open(&file, isPaired: false, reporter)
        let (still, recording) = (opened.still, opened.recording)
        let text = {
            still?.summary(path: path) ?? recording?.summary(path: path) ?? opened.summary(path: path)
        }
        reporter.print(json ? line(of: record(of: opened, path)) : Array(text().utf8))
        let diagnostics = still?.diagnostics ?? recording?.diagnostics ?? opened.diagnostics
        reporter.report(diagnostics.filter(\.isLoss), of: path)
    }

    /// The record of a source. If it has the picture with and without the camera's blur, both are decoded to measure its lens.
    private func record(of opened: any SceneSequence, _ path: String) -> JSONValue {
        guard let scene = opened.still else {
            return opened.recording?.record(path: path, describing: \.advised)
                ?? opened.record(path: path, warnings: opened.diagnostics.map(\.advised))
        }
        let record = scene.record(path: path, describing: \.advised)
        // A picture that cannot be decoded keeps its planes from nothing.
        guard case .object(let fields) = record, let lens = try? scene.measuredLensRecord()
        else { return record }
        return .object(fields + [("lens", lens)])
    }

    func report(_ error: any Error, on input: Input, _ reporter: Reporter) {
        guard input.isNamed || !error.isForeignFile else { return reporter.countPassedOver() }
        if json {
            let schema = Self.isNetwork(input) ? "isobath.model/1" : "isobath.info/1"
            reporter.print(
                line(
                    of: .object([
                        ("schema", .text(schema)), ("path", .text(input.path)),
                        ("error", errorRecord(error, advice: advice(for: error))),
                    ])))
        }
        reporter.fail(error, ofInput: input.path)
    }

    /// Whether an input is a network, by its name: network files have no signature.
    private static func isNetwork(_ input: Input) -> Bool {
        input.source == nil && input.path.pathExtension == "onnx"
    }

    /// A record as a line.
    private func line(of record: JSONValue) -> [UInt8] {
        var line: [UInt8] = []
        record.append(to: &line)
        line.append(0x0A)
        return line
    }
}
