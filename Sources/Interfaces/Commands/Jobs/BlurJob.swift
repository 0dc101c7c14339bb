internal import Isobath
internal import Scenes

/// Blurs a photo, or each frame of a recording, by its depth.
struct BlurJob: PictureJob {
    static let subcommand = "blur"
    static let readsFrames = true

    var limits = DecodingLimits()
    var reading = InputFlags()
    var treatment = MapTreatment()
    /// Whether the steps of 8-bit depth are removed.
    var dequantizesCoarse = true
    /// The network that computes depth or a matte.
    var network: NetworkUse?
    var blur = BlurOptions()
    /// The object in focus; takes precedence over ``blur``, whose position is in fractions.
    var focus: PicturePosition?
    var output: PictureOutput
    /// How frames are written.
    var frames = FrameSettings()

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        let path = output.destination.path(for: file)
        if frames.kind == nil {
            guard try output.wants(path, keeping: originals, reporter, of: input) else { return }
        }
        var file = file
        let opened = try open(&file, asFrames: frames.kind != nil, reporter)
        if let source = try opened.frames(isUpright: true) {
            return try blur(source, file, keeping: originals, reporter) {
                try opened.frames(isUpright: true) ?? source
            }
        }
        guard case .scene(let opened, let remark, _) = opened else { return }
        try frames.checkStill(output.destination.file)
        if let remark { reporter.remark(remark, of: input) }
        let scene = try scene(
            of: opened, file, treatment: treatment, dequantizesCoarse: dequantizesCoarse, network: network,
            reporter)
        try output.checkHDR(of: scene, reading.given, file, reporter)
        let keepsHDR = output.keepsHDR
        var blur = blur
        if let focus { blur.focus = try focus.fractions(of: scene.requireColorSize()) }
        let blurred = try withRemedy("use --focus x,y") { [blur] in
            try scene.blurredScene(blur, keepsHDR: keepsHDR)
        }
        reporter.report(blurred.diagnostics, of: input)
        try output.write(blurred.picture, to: path, reporter, of: input)
        reporter.conclude(
            "\(blurred.picture.size), \(blurred.words(try scene.scale()))"
                + (blurred.pictureOrigin == .original ? ", from the unblurred original → " : " → ")
                + PictureOutput.shown(path), of: input)
    }

    private func blur(
        _ source: any SceneSequence, _ file: Input, keeping originals: Set<FileIdentity>,
        _ reporter: Reporter,
        reopen: () throws -> any SceneSequence
    ) throws {
        var run = try frames.run(.blur, suffix: "blur", of: file, output)
        (run.blur, run.focus, run.treatment, run.network) = (blur, focus, treatment, network)
        try run.perform(
            on: source, of: file.path, limits: limits, keeping: originals, reporter, reopen: reopen)
    }
}

extension BlurredScene {
    /// Focus and f-number, for a person.
    func words(_ scale: DepthScale) -> String {
        "focus \(focusOrigin.words)\(distance(scale)), f/\(aperture.fNumber.short) \(apertureOrigin.words)"
    }

    /// The distance in focus, if it is known in meters.
    private func distance(_ scale: DepthScale) -> String {
        guard scale.isMetric else { return "" }
        let focus = aperture.focusDisparity
        return (focus > 0 ? " at \((1 / focus).short) m" : " at infinity") + scale.words
    }
}

extension BlurredScene.FocusOrigin {
    fileprivate var words: String {
        switch self {
        case .given: "as given"
        case .measured: "as measured in the photo"
        case .camera: "where the camera focused"
        case .face: "on the face"
        case .subject: "on the subject"
        case .nearest: "on the nearest large object"
        }
    }
}

extension BlurredScene.ApertureOrigin {
    fileprivate var words: String {
        switch self {
        case .given: "as given"
        case .measured: "as measured in the photo"
        case .file: "as in the file"
        case .standard: "by default"
        }
    }
}
