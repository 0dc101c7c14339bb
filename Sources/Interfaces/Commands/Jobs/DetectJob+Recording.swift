internal import Embedded
internal import Isobath
internal import Networks
internal import Scenes

extension DetectJob {
    /// Finds objects in each frame of a recording. Prints the lines of a frame as soon as it is processed, and writes
    /// a movie with the boxes if requested.
    func detect(
        in source: any SceneSequence, of file: Input, keeping originals: Set<FileIdentity>,
        _ reporter: Reporter
    ) throws {
        let input = file.path
        closeOnInterrupt()
        try source.prepare([.picture])
        guard let size = source.description.colorSize else { throw SequenceError.noColor }
        let run = SequenceRun(source, of: file, for: self, selection, reporter)
        run.begin()
        let network = try search.network.open(limits)
        try search.network.aboutItself { try network.checkFindsObjects() }
        var count = 0
        let effect = FrameEffect([.picture, .depth]) { frame, output in
            let picture = try frame.color()
            let found = try network.detections(in: picture, atLeast: search.minimumScore)
            count += found.count
            report(try frame.measured(found), in: frame, of: input, network, reporter)
            if self.output != nil { output.picture = FramePlane(picture.drawing(found.map(\.box))) }
        }
        if let output {
            guard let kind = Self.kind(of: output) else {
                throw Failure(
                    "this is a recording: '\(output.forTerminal)' is one picture; use .mp4, .mkv, .webp, .png, .y4m, or frames such as 'f-%04d.jpg'"
                )
            }
            let target = SequenceOutput(output, kind, quality: quality, existing: existing)
            if try target.prepare(keeping: originals) {
                _ = try run.render(effect, to: target, keeping: originals)
            } else {
                reporter.countSkipped(output)
            }
        } else {
            try run.run(effect, NoSink())
        }
        run.reportDamage()
        run.reportStop()
        let losses = run.losses
        if !losses.isEmpty {
            reporter.conclude("\(run.report.written) frames\(losses)", of: input, isLossy: true)
        }
        run.recordLosses()
        if count == 0 { reporter.remark("nothing found", of: input) }
        reporter.add([
            ("width", .integer(size.width)), ("height", .integer(size.height)),
            ("profile", .text(network.profile.name)), ("frames", .integer(run.report.written)),
        ])
    }

    /// The form that a file name's extension specifies for frames; `nil` for one picture.
    private static func kind(of path: String) -> SequenceOutput.Kind? {
        guard FramePattern(path) != nil else { return SequenceOutput.Kind(movieName: path) }
        return FrameFormat(fileName: path).map { .frames($0) }
    }

    /// Prints the objects of a frame.
    private func report(
        _ detections: [Detection], in frame: DepthScene, of input: String, _ network: Network,
        _ reporter: Reporter
    ) {
        let description = frame.description
        let picture = description.colorSize ?? PixelSize(width: 0, height: 0)
        let results = detections.map {
            DetectionResult($0, picture: picture, scale: description.depth?.scale)
        }
        let time = ((description.time ?? 0) * 1e6).rounded() / 1e6
        guard json else {
            let lines = results.map { "\(input.forTerminal): \(time) s: \($0.line)\n" }
            if !lines.isEmpty { reporter.print(Array(lines.joined().utf8)) }
            return
        }
        let record = JSONValue.object([
            ("schema", .text("isobath.detect.frame/1")), ("input", .text(input)),
            ("frame", .integer(description.index ?? 0)), ("time", .number(time)),
            ("width", .integer(picture.width)), ("height", .integer(picture.height)),
            ("profile", .text(network.profile.name)), ("detections", .array(results.map(\.record))),
        ])
        reporter.print(Array("\(record.serialized)\n".utf8))
    }
}
