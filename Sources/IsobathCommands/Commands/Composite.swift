public import ArgumentParser
public import Isobath

/// `isobath composite`
struct Composite: PictureCommand {
    static let configuration = CommandConfiguration(
        commandName: "composite",
        _superCommandName: "isobath",
        abstract: "Set the subject of a photo before another background.",
        discussion: """
            The subject is what the photo's portrait matte says, else its opacity (alpha), else what a mask cut from its \
            depth says. What is transparent in the photo stays out. Edges follow the photo, the old background is taken out of hair and soft edges, and light is mixed linearly. The output \
            has the photo's size, upright, its color profile, Exif and XMP. A background that is a folder, or a numbered \
            sequence such as 'sea-%04d.jpg', gives a sequence: -o then needs a place for the number, too.
            """)

    @Argument(help: "Photos; - is standard input.")
    var inputs: [String] = []

    @OptionGroup(title: "Composite") var subject: CompositeSubjectOptions

    @OptionGroup(title: "Depth masks") var mask: DepthMaskOptions

    @OptionGroup(title: "Networks") var networks: NetworkOptions

    @OptionGroup(title: "Output") var picture: PictureOutputOptions

    @OptionGroup(title: "Treatment of the depth") var treatment: TreatmentOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if subject.background == .none, !picture.resolvedFormat(standardFormat).holdsOpacity {
            throw ValidationError("JPEG has no transparency; use .png or .tiff with '--background none'.")
        }
        if mask.isGiven, let matte = subject.matte, matte != .depth {
            throw ValidationError("The flags of depth masks go with --matte depth.")
        }
        try picture.files.check(inputs, others: [backgroundPath, mattePath])
        let isNumbered = picture.files.output.map { FramePattern($0) != nil } ?? false
        let isSequence = subject.background.isSequence
        if isSequence, !isNumbered {
            throw ValidationError(
                "Several backgrounds make several pictures: give -o a place for the number, as in 'out-%04d.jpg'."
            )
        }
        if isNumbered, !isSequence {
            throw ValidationError(
                "A numbered output needs a folder or a numbered sequence as background.")
        }
    }

    /// What the flags say is done with each input.
    var job: CompositeJob {
        CompositeJob(
            limits: common.limits, reading: rasters.reading, treatment: treatment.treatment,
            network: networks.use(picture.files.batch, inputs: inputs.count),
            background: subject.background, matte: subject.matte ?? (mask.isGiven ? .depth : nil),
            cut: mask.cut, fit: subject.fit, refines: !subject.leavesMatteUnrefined,
            decontaminates: !subject.leavesOldColors,
            output: picture.pictureOutput(suffix: "-composite", standard: standardFormat))
    }

    /// The format where nothing says it: with transparency where there is some.
    private var standardFormat: PictureFormat { subject.background == .none ? .png : .jpeg }

    private var backgroundPath: String? { subject.background.path }

    private var mattePath: String? { subject.matte?.path }
}

extension BackgroundFit: ExpressibleByArgument {}

/// What is cut out, and what it stands before.
struct CompositeSubjectOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A picture, a color such as '#20a0ff' or 'white' (sRGB), or 'none' for a transparent background.",
            valueName: "file|color|none"))
    var background: BackgroundChoice

    @Option(
        help: ArgumentHelp(
            "What the subject is: portrait, alpha (the photo's opacity), depth, a picture whose gray is coverage, or mattes such as hair+skin.",
            valueName: "matte"))
    var matte: MatteChoice?

    @Option(help: "How a picture fills the photo's frame: cover, contain or stretch.")
    var fit: BackgroundFit = .cover

    @Flag(name: .customLong("no-refine"), help: "Enlarge the matte evenly, not along the photo's edges.")
    var leavesMatteUnrefined = false

    @Flag(
        name: .customLong("no-decontaminate"), help: "Leave the old background's color in soft edges.")
    var leavesOldColors = false
}
