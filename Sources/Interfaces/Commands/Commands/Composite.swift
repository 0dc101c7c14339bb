public import ArgumentParser
public import Isobath
internal import Movies
internal import Scenes

/// `isobath composite`
struct Composite: FileVerb {
    static let configuration = CommandConfiguration(
        commandName: "composite",
        _superCommandName: "isobath",
        abstract: "Put the subject before another background, or a picture into the scene.",
        discussion: """
            The subject is the portrait matte, else the photo's opacity (alpha), else a mask cut from its depth. Edges follow the \
            photo, the old background is removed from hair and soft edges, and light is mixed linearly. Without --background, the \
            background is transparent. --layer inserts a picture at a distance, hidden by what is nearer; alone, it keeps the \
            photo's own background. The output is upright, with the photo's size, color profile, \
            Exif and XMP.

            A background that is a folder, or a numbered sequence such as 'sea-%04d.jpg', gives a sequence: -o then needs a number, \
            too. Frames of recordings, movies and streams become a movie.

            Examples:
              isobath composite IMG_0001.HEIC -o cutout.png
              isobath composite IMG_0001.HEIC --background beach.jpg -o beach-portrait.jpg
              isobath composite recording/ --far 2 --background sea.mp4 -o before-sea.mp4
            """)

    static let ownKinds: FlagKinds = ["focus": .stills].merging(TreatmentOptions.kindsWithFrames) { $1 }

    @Argument(
        help: "Photos, recordings, movies and streams; - is standard input.", completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "Subject and background") var subject: SubjectOptions

    @OptionGroup(title: "Inserted picture") var layer: LayerOptions

    @OptionGroup(title: "Depth masks") var mask: MaskOptions

    @OptionGroup(title: "Output") var picture: PictureOutputOptions

    @OptionGroup(title: "Frames") var frames: FrameOptions

    @OptionGroup(title: "Frames") var movies: FrameOutputOptions

    @OptionGroup(title: "Depth") var depth: DepthSourceOptions

    @OptionGroup(title: "Depth") var treatment: TreatmentOptions

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Common") var common: CommonOptions

    func validate() throws {
        if treatment.upsample {
            throw ValidationError("--upsample has no effect: mattes and masks have the photo's size")
        }
        try depth.check(input)
        try picture.files.check(inputs, others: [subject.background?.path, subject.matte?.path, layer.layer])
        let (still, frames) = try formats()
        if mask.isGiven, let matte = subject.matte, matte != .depth {
            throw ValidationError(
                "--\(mask.range.given ?? (mask.focus != nil ? "focus" : "softness")) is for depth masks, and --matte names another matte"
            )
        }
        if isOnlyLayer {
            if let flag = subject.given {
                throw ValidationError("--\(flag) has no effect without --background where --layer is given")
            }
            if mask.isGiven {
                throw ValidationError(
                    "flags of depth masks have no effect without --background where --layer is given")
            }
        }
        if still == .jpeg, background == BackgroundChoice.none, !isOnlyLayer {
            throw ValidationError("JPEG has no transparency; use .png or .tiff, or give --background")
        }
        let isNumbered = picture.files.file.map { FramePattern($0) != nil } ?? false
        if subject.background?.isSequence ?? false, !isNumbered, frames == nil {
            throw ValidationError(
                "several backgrounds make several pictures; -o needs a number, as in 'out-%04d.jpg'")
        }
        if case .movie? = frames, background == BackgroundChoice.none, !isOnlyLayer {
            throw ValidationError("a movie has no transparency; give --background")
        }
        try movies.check(frames)
        if let frames {
            try picture.quality.check(isJPEG: frames == .frames(.jpeg), "these frames")
            try picture.checkHDR(nil, inputs)
        } else {
            let format = still ?? (background == BackgroundChoice.none && !isOnlyLayer ? .png : .jpeg)
            try picture.quality.check(isJPEG: format == .jpeg, format.rawValue)
            try picture.checkHDR(format, inputs)
        }
        if let path = background.path, path != "-", FileIdentity(path: path) == nil, FramePattern(path) == nil
        {
            throw ValidationError(
                "--background is '\(path.forTerminal)'; there is no such file, and no such color: colors are '#20a0ff' or a name such as 'white', and 'none' is transparent"
            )
        }
        if subject.fit != nil, background.path == nil {
            throw ValidationError("--fit has no effect: the background is not a picture")
        }
        if layer.layer == nil, input.baseline == nil, let camera = input.camera, input.rawDepth == nil {
            guard case .file = camera else {
                throw ValidationError("--camera has no effect without --layer or --baseline")
            }
        }
    }

    private func formats() throws -> (still: PictureFormat?, frames: SequenceOutput.Kind?) {
        try picture.files.formats(for: "pictures")
    }

    /// Whether a picture is inserted and the background kept.
    private var isOnlyLayer: Bool { layer.layer != nil && subject.background == nil }

    private var background: BackgroundChoice { subject.background ?? .none }

    var files: OutputOptions { picture.files }

    func job(_ arguments: VerbArguments) throws -> any Job {
        let (still, frames) = try formats()
        let usual = background == BackgroundChoice.none && !isOnlyLayer ? PictureFormat.png : .jpeg
        var job = CompositeJob(
            arguments: arguments, limits: common.limits, reading: input.reading(depth),
            output: picture.output(
                suffix: "-composite", still ?? frames.flatMap(\.picture) ?? usual, frames, movies.codec,
                arguments))
        job.treatment = treatment.treatment
        job.network = depth.network(threads: arguments.threads)
        job.background = isOnlyLayer ? nil : background
        job.matte = subject.matte ?? (mask.isGiven ? .depth : nil)
        (job.mask, job.focus, job.softness) = (mask.cut, mask.focus, mask.softness)
        (job.fit, job.refines) = (subject.fit ?? .cover, !subject.noRefine)
        job.layer = layer.inserted
        job.selection = movies.selection(self.frames)
        (job.near, job.far) = (mask.range.near?.value, mask.range.far?.value)
        job.hasFractions = mask.range.isFraction
        return job
    }
}

extension SequenceOutput.Kind {
    /// The picture format of numbered frames.
    var picture: PictureFormat? { if case .frames(let format) = self { format.picture } else { nil } }
}

extension BackgroundFit: ExpressibleByArgument {}

/// The subject to cut out, and the background behind it.
struct SubjectOptions: FlagGroup {
    static let kinds: FlagKinds = [
        "background": .all, "matte": [.stills, .recording, .movie], "fit": .stills, "no-refine": .stills,
    ]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A picture, a movie for frames, a color such as '#20a0ff' or 'white' (sRGB), or 'none' for a transparent background (default).",
            valueName: "file|color|none"), completion: .file())
    var background: BackgroundChoice?

    @Option(
        help: ArgumentHelp(
            "The subject: portrait, alpha (the photo's opacity), depth, a picture whose gray is coverage, or mattes such as hair+skin. Frames may have portrait, skin and sky.",
            valueName: "matte"))
    var matte: MatteChoice?

    @Option(help: "How a picture fills the photo's frame (default: cover).")
    var fit: BackgroundFit?

    @Flag(help: "Enlarge the matte evenly, and keep the old background's color in soft edges.")
    var noRefine = false

    /// The name of a flag that is given besides the background; `nil` without one.
    var given: String? {
        [("matte", matte != nil), ("fit", fit != nil), ("no-refine", noRefine)].first(where: \.1)?.0
    }
}
