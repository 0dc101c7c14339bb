internal import Isobath

/// Sets the subject of a photo before another background, or before each of a sequence.
struct CompositeJob: PictureJob {
    static let subcommand = "composite"

    var limits = DecodingLimits()
    var reading = RasterInterpretation()
    var treatment = MapTreatment()
    /// The network that sees depth or a matte.
    var network: NetworkUse?
    var background: BackgroundChoice
    var matte: MatteChoice?
    var cut = DepthCut.automatic
    var fit = BackgroundFit.cover
    var refines = true
    var decontaminates = true
    var output: PictureOutput

    var ownFiles: [String] { [background.path, matte?.path].compactMap(\.self) }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        let frames = try self.frames(of: file).filter { frame in
            let background = FileIdentity.inputs([frame.background].compactMap(\.self))
            return try output.wants(
                frame.output, keeping: originals.union(background), reporter, of: input)
        }
        guard let start = frames.first else { return }
        let scene = try openScene(
            file, reading: reading, treatment: treatment, network: network, limits: limits, reporter)
        // Before anything is decoded. A matte in a file of its own needs nothing of the photo, and is decoded below.
        if case .file = matte {} else { try scene.check(selection()) }
        // Both take long, and the background needs no more than the decoded photo, for its color space.
        let (subject, first) = try concurrently(
            {
                let selection = try selection()
                return try withRemedy("use shares such as --near 30%") {
                    try scene.subject(selection, refines: refines, decontaminates: decontaminates)
                }
            },
            { Result { try readBackground(start, for: scene) } })
        reporter.report(subject.diagnostics, of: input)
        for remark in subject.found.remarks { reporter.remark(remark, of: input) }
        var next = first
        for (index, frame) in frames.enumerated() {
            let current = next
            let following = index + 1 < frames.count ? frames[index + 1] : nil
            let (written, read) = try concurrently(
                { Result { try write(subject, current.get(), frame, input, reporter) } },
                { Result { try following.map { try readBackground($0, for: scene) } ?? (.none, [], []) } })
            next = read
            // A frame that failed costs itself only.
            if case .failure(let error) = written {
                reporter.fail(error, ofInput: frame.background ?? input)
            }
        }
    }

    private func selection() throws -> MatteSelection? {
        switch matte {
        case nil: nil
        case .kinds(let kinds): .kinds(kinds)
        case .depth: .depth(cut)
        case .file(let path): .given(try readMatte(path))
        }
    }

    private func readMatte(_ path: String) throws -> Matte {
        do {
            return try openPicture(path, limits: limits).matte()
        } catch let error as ContainerError {
            throw FileFailure(file: path, error: error)
        }
    }

    /// One picture to be made.
    private struct Frame: Sendable {
        var background: String?
        var output: String
    }

    private func frames(of input: Input) throws -> [Frame] {
        guard let path = background.path, case .file(let output) = output.destination,
            let pattern = FramePattern(output)
        else {
            return [Frame(background: background.path, output: output.destination.path(for: input))]
        }
        do throws(ContainerError) {
            guard let sequence = try FrameSequence(path) else {
                throw ContainerError(.unreadable(detail: "it is not a folder any more"))
            }
            return sequence.frames.map { Frame(background: $0.path, output: pattern.path(number: $0.number)) }
        } catch {
            throw FileFailure(file: path, error: error)
        }
    }

    /// A background, and what is to be said of it.
    private typealias Backdrop = (background: SceneBackground, remarks: [String], diagnostics: [Diagnostic])

    private func readBackground(_ frame: Frame, for scene: DepthScene) throws -> Backdrop {
        switch background {
        case .none: return (.none, [], [])
        case .color(let color): return (.color(color), [], [])
        case .file(let path):
            let file = try openPicture(frame.background ?? path, limits: limits)
            let (background, diagnostics) = try file.background(for: scene, fit: fit)
            let remarks = file.hasAlpha ? ["what is transparent in the background becomes white"] : []
            return (background, remarks, diagnostics)
        }
    }

    /// Writes the subject before a background, and reports it.
    private func write(
        _ subject: SceneSubject, _ backdrop: Backdrop, _ frame: Frame, _ input: String, _ reporter: Reporter
    ) throws {
        let made = try subject.composite(over: backdrop.background, in16Bits: output.format.holds16Bits)
        for remark in backdrop.remarks { reporter.remark(remark, of: frame.background ?? input) }
        reporter.report(backdrop.diagnostics, of: frame.background ?? input)
        try output.write(made.picture, to: frame.output, reporter, of: input)
        reporter.remark(
            "\(made.picture.size), \(subject.found.words) → \(PictureOutput.shown(frame.output))", of: input)
    }
}
