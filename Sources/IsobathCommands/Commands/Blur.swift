internal import ArgumentParser
internal import Isobath

/// `isobath blur`
struct Blur: PictureCommand {
    static let configuration = CommandConfiguration(
        commandName: "blur",
        _superCommandName: "isobath",
        abstract: "Blur a photo by its depth, as a lens of wide aperture would.",
        discussion: """
            The focus is what --focus or --focus-distance says; else where the camera marked its focus, a face or \
            its subject; else the subject of the portrait matte; else the distance of the subject in Exif; else the \
            nearest large thing. The aperture is the one of the file's own \
            portrait effect unless another is given. The output has the photo's size, upright, its color profile, Exif \
            and XMP.
            """)

    @Argument(help: "Photos; - is standard input.")
    var inputs: [String] = []

    @OptionGroup(title: "Lens") var lens: BlurLensOptions

    @OptionGroup(title: "Networks") var networks: NetworkOptions

    @OptionGroup(title: "Output") var picture: PictureOutputOptions

    @OptionGroup(title: "Treatment of the depth") var treatment: TreatmentOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try picture.files.check(inputs)
        if lens.focus != nil, lens.focusDistance != nil {
            throw ValidationError("Give either --focus or --focus-distance.")
        }
        for (name, value) in [("focus-distance", lens.focusDistance), ("aperture", lens.aperture)] {
            guard let value, !(value > 0 && value.isFinite) else { continue }
            throw ValidationError("'--\(name)' must be a positive number.")
        }
    }

    /// What the flags say is done with each input.
    var job: BlurJob {
        BlurJob(
            limits: common.limits, reading: rasters.reading, treatment: treatment.treatment,
            network: networks.use(picture.files.batch, inputs: inputs.count), blur: lens.blur,
            output: picture.pictureOutput(suffix: "-blur"))
    }
}

/// The lens that a photo is blurred as if by.
struct BlurLensOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Focus on what is seen here; 0,0 is the top left corner, 1,1 the bottom right.", valueName: "x,y")
    )
    var focus: NormalizedPoint?

    @Option(help: ArgumentHelp("Focus at this distance.", valueName: "meters"), transform: decimal)
    var focusDistance: Float?

    @Option(
        help: ArgumentHelp(
            "The f-number, as of a full-frame camera: less is more blur.", valueName: "f"), transform: decimal
    )
    var aperture: Float?

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "Blur the photo as it is, or the original from before the camera's own blur (default where there is one).",
            valueName: "picture"))
    var pictureOrigin: PictureOrigin?

    var blur: BlurOptions {
        var blur = BlurOptions()
        (blur.focus, blur.focusDistance, blur.fNumber) = (focus, focusDistance, aperture)
        blur.pictureOrigin = pictureOrigin
        return blur
    }
}
