internal import ArgumentParser
internal import Isobath

/// `isobath blur`
struct Blur: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blur",
        abstract: "Blur a photo by its depth, as a lens of wide aperture would.",
        discussion: """
            The focus is what --focus or --focus-distance says; else where the camera marked its focus or a face; else \
            the subject of the portrait matte; else the nearest large thing. The aperture is that of the file's own \
            portrait effect unless another is given. The output has the photo's size, upright, its color profile, Exif \
            and XMP.
            """)

    @Argument(help: "The photo; - is standard input.")
    var input: String

    @Option(
        help: ArgumentHelp(
            "Focus on what is seen here; 0,0 is the top left corner, 1,1 the bottom right.", valueName: "x,y")
    )
    var focus: NormalizedPoint?

    @Option(help: ArgumentHelp("Focus at this distance.", valueName: "meters"))
    var focusDistance: Float?

    @Option(
        help: ArgumentHelp(
            "The f-number, as of a full-frame camera: less is more blur.", valueName: "f"))
    var aperture: Float?

    @OptionGroup var picture: PictureOutputOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if focus != nil, focusDistance != nil {
            throw ValidationError("Give either --focus or --focus-distance.")
        }
        for (name, value) in [("focus-distance", focusDistance), ("aperture", aperture)] {
            guard let value, !(value > 0 && value.isFinite) else { continue }
            throw ValidationError("'--\(name)' must be a positive number.")
        }
    }

    func run() throws {
        var run = InputRun(common, writingIn: OutputFile.folders(of: picture.output))
        try run.perform(input, blur)
    }

    private func blur(_ reporter: Reporter) throws {
        guard
            try picture.wants(
                picture.output, isNoneOf: [input] + rasters.files, reporter, of: input)
        else { return }
        let (photo, remark) = try openDepthInput(input, reading: rasters.reading, limits: common.limits)
        if let remark { reporter.remark(remark, of: input) }
        let scene = try PhotoScene(photo)
        for remark in scene.remarks { reporter.remark(remark, of: input) }
        let (focus, place) = try focus(in: scene, of: photo)
        let (fNumber, origin) = fNumber(of: photo)
        let aperture = SyntheticAperture(
            focusDisparity: focus, fNumber: fNumber, focalLength: scene.focalLength)
        let blurred = scene.image.blurred(
            by: aperture, disparity: scene.disparity, matte: scene.matte, toneCurve: scene.curve)
        try picture.write(Picture(blurred, scene.metadata), to: picture.output, reporter, of: input)
        let distance =
            !photo.depthHasUnit ? "" : focus > 0 ? " at \((1 / focus).short) m" : " at infinity"
        reporter.remark(
            "\(blurred.width) × \(blurred.height), focus \(place)\(distance)\(distance.isEmpty ? "" : photo.scaleWords), "
                + "f/\(fNumber.short) \(origin) → \(picture.shownOutput)", of: input)
    }

    /// The disparity to focus at, and what is there.
    private func focus(in scene: PhotoScene, of photo: DepthInput) throws -> (Float, place: String) {
        let map = scene.disparity
        if let focusDistance {
            guard photo.depthHasUnit else {
                throw MaskError("its depth has no unit, so meters say nothing; use --focus x,y")
            }
            return (1 / focusDistance, "as given")
        }
        let marks = [
            focus.map { ($0, "as given") }, photo.focusMarks.first.map { ($0, "where the camera's was") },
            photo.faces.first.map { ($0, "on the face") },
        ]
        if let (point, words) = marks.compactMap(\.self).first, let disparity = map.focusDisparity(at: point)
        {
            return (disparity, words)
        }
        let words = scene.matte == nil ? "on the nearest large thing" : "on the subject"
        return (map.focusDisparity(of: scene.matte) ?? 0, words)
    }

    /// The f-number, and where it is from.
    private func fNumber(of photo: DepthInput) -> (Float, origin: String) {
        if let aperture { return (aperture, "as given") }
        let stored = (try? photo.depthPlane())?.blur?.simulatedAperture.map { Float($0) }
        if let stored, stored > 0, stored.isFinite { return (stored, "as in the file") }
        return (Self.usualFNumber, "by default")
    }

    /// What Apple's cameras open a portrait with.
    private static let usualFNumber: Float = 4.5
}
