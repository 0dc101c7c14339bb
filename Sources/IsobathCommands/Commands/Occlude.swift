internal import ArgumentParser
internal import Isobath

/// `isobath occlude`
struct Occlude: PictureCommand {
    static let configuration = CommandConfiguration(
        commandName: "occlude",
        _superCommandName: "isobath",
        abstract: "Stand a picture in the scene of a photo, hidden by what is nearer.",
        discussion: """
            The picture stands upright at --distance, parallel to the image; its transparency counts. Its size follows \
            from --width and the camera, and is a third of what the photo shows there unless given. The output has the \
            photo's size, upright, its color profile, Exif and XMP.
            """)

    @Argument(help: "Photos; - is standard input.")
    var inputs: [String] = []

    @OptionGroup(title: "Inserted picture") var inserted: InsertedPictureOptions

    @OptionGroup(title: "Networks") var networks: NetworkOptions

    @OptionGroup(title: "Output") var picture: PictureOutputOptions

    @OptionGroup(title: "Treatment of the depth") var treatment: TreatmentOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        for (name, value) in [("distance", inserted.distance), ("width", inserted.width ?? 1)] {
            guard !(value > 0 && value.isFinite) else { continue }
            throw ValidationError("'--\(name)' must be a positive number of meters.")
        }
        try picture.files.check(inputs, others: [inserted.layer])
    }

    /// What the flags say is done with each input.
    var job: OccludeJob {
        OccludeJob(
            limits: common.limits, reading: rasters.reading, treatment: treatment.treatment,
            network: networks.use(picture.files.batch, inputs: inputs.count),
            layer: inserted.layer, distance: inserted.distance, position: inserted.position,
            width: inserted.width, output: picture.pictureOutput(suffix: "-occlude"))
    }
}

/// The picture that stands in the scene.
struct InsertedPictureOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The picture to insert.", valueName: "file"))
    var layer: String

    @Option(help: ArgumentHelp("How far away it stands.", valueName: "meters"), transform: decimal)
    var distance: Float

    @Option(
        help: ArgumentHelp(
            "Where its middle is seen; 0,0 is the top left corner, 1,1 the bottom right.", valueName: "x,y"))
    var position = NormalizedPoint(x: 0.5, y: 0.5)

    @Option(help: ArgumentHelp("How wide it is.", valueName: "meters"), transform: decimal)
    var width: Float?
}
