internal import Isobath

/// Blurs a photo by its depth.
struct BlurJob: PictureJob {
    static let subcommand = "blur"

    var limits = DecodingLimits()
    var reading = InputReading()
    var treatment = MapTreatment()
    /// Whether the steps of 8-bit depth are removed.
    var dequantizesCoarse = true
    /// The network that computes depth or a matte.
    var network: NetworkUse?
    var blur = BlurOptions()
    /// The object in focus; takes precedence over ``blur``, whose position is in fractions.
    var focus: PicturePosition?
    var output: PictureOutput

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        let path = output.destination.path(for: file)
        guard try output.wants(path, keeping: originals, reporter, of: input) else { return }
        let scene = try openScene(
            file, treatment: treatment, dequantizesCoarse: dequantizesCoarse, network: network, reporter)
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
            "\(blurred.picture.size), focus \(blurred.focusOrigin.words)\(distance(of: blurred, try scene.scale())), "
                + "f/\(blurred.aperture.fNumber.short) \(blurred.apertureOrigin.words)"
                + (blurred.pictureOrigin == .original ? ", from the unblurred original → " : " → ")
                + PictureOutput.shown(path), of: input)
    }

    /// The distance in focus, if it is known in meters.
    private func distance(of blurred: BlurredScene, _ scale: DepthScale) -> String {
        guard scale.isMetric else { return "" }
        let focus = blurred.aperture.focusDisparity
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
