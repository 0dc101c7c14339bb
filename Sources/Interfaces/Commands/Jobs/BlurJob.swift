internal import Isobath
internal import Scenes

/// Blurs a photo, or each frame of a recording, by its depth.
struct BlurJob: PictureJob {
    static let readsFrames = true

    var arguments: VerbArguments
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
    /// Which frames.
    var selection = FrameSelection()

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        let path = output.destination.path(for: file)
        if output.frames == nil {
            guard try output.existing.wants(path, keeping: originals, reporter, of: input) else { return }
        }
        var file = file
        let opened = try open(&file, asFrames: output.frames != nil, reporter)
        guard let still = opened.still else {
            return try blur(opened, file, keeping: originals, reporter)
        }
        try output.destination.checkStill(output.frames)
        reporter.report(opened.diagnostics, of: input)
        let scene = try scene(
            of: still, file, treatment: treatment, dequantizesCoarse: dequantizesCoarse, network: network,
            reporter)
        try output.checkHDR(of: scene, arguments, file, reporter)
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
        _ source: any SceneSequence, _ file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter
    ) throws {
        let run = SequenceRun(source, of: file, for: self, selection, reporter)
        (run.network, run.treatment) = (network, treatment)
        run.refusalOfMatte = "this network gives a matte, and blur needs depth"
        var last = ""
        try run.write(to: output.sequence(named: "blur", of: file), keeping: originals) { frames in
            var blur = blur
            if let focus, let size = frames.colorSize { blur.focus = try focus.fractions(of: size) }
            return .blur(blur) { last = $0.words(frames.depth?.scale ?? .unitless) }
        } finish: {
            if !last.isEmpty { reporter.remark("the last frame: \(last)", of: file.path) }
        }
    }
}

extension BlurredScene {
    /// Focus and f-number, for a person.
    func words(_ scale: DepthScale) -> String {
        "focus \(focusOrigin.words)\(distance(scale)), f/\(aperture.fNumber.short) \(apertureOrigin.words)"
    }

    /// The distance in focus, if it is known in meters.
    private func distance(_ scale: DepthScale) -> String {
        guard scale.hasUnit else { return "" }
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
        case .standout: "on the object that stands out most"
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
