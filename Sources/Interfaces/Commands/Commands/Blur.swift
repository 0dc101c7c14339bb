internal import ArgumentParser
internal import Isobath

/// `isobath blur`
struct Blur: FileVerb {
    static let configuration = CommandConfiguration(
        commandName: "blur",
        _superCommandName: "isobath",
        abstract: "Blur photos and frames by their depth, as a lens with a wide aperture would.",
        discussion: """
            Without --focus and --focus-distance, the focus of the camera's own blur is used; else where the camera marked it, a face \
            or its subject; else the subject of the portrait matte; else the distance of the subject in Exif; else the nearest large \
            object. Without --aperture, the camera's own blur gives the f-number. The output is upright, with \
            the photo's size, color profile, Exif and XMP.

            Frames of recordings, movies and streams become a movie, in which the focus moves smoothly.

            Examples:
              isobath blur IMG_0001.HEIC -o soft.jpg
              isobath blur IMG_0001.HEIC --focus 0.5,0.4 --aperture 1.8 -o soft.jpg
              isobath blur recording/ --focus 0.5,0.4 --aperture 2 -o soft.mp4
            """)

    static let ownKinds: FlagKinds = TreatmentOptions.kindsWithFrames

    @Argument(
        help: "Photos, recordings, movies and streams; - is standard input.", completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "Lens") var lens: LensOptions

    @OptionGroup(title: "Output") var picture: PictureOutputOptions

    @OptionGroup(title: "Frames") var frames: FrameOptions

    @OptionGroup(title: "Frames") var movies: FrameOutputOptions

    @OptionGroup(title: "Depth") var depth: DepthSourceOptions

    @OptionGroup(title: "Depth") var treatment: TreatmentOptions

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Common") var common: CommonOptions

    func validate() throws {
        if treatment.upsample {
            throw ValidationError("--upsample has no effect: depth is brought to the photo's size")
        }
        try depth.check(input)
        try picture.files.check(inputs)
        let (still, frames) = try formats()
        try movies.check(frames)
        if let frames {
            try picture.quality.check(isJPEG: frames == .frames(.jpeg), "these frames")
            try picture.checkHDR(nil, inputs)
        } else {
            let format = still ?? .jpeg
            try picture.quality.check(isJPEG: format == .jpeg, format.rawValue)
            try picture.checkHDR(format, inputs)
        }
        if lens.focus != nil, lens.focusDistance != nil {
            throw ValidationError("--focus and --focus-distance exclude each other")
        }
        if let distance = lens.focusDistance, !(distance > 0 && distance.isFinite) {
            throw ValidationError("--focus-distance is \(distance); it must be a positive number of meters")
        }
    }

    private func formats() throws -> (still: PictureFormat?, frames: SequenceOutput.Kind?) {
        try picture.files.formats(for: "pictures")
    }

    var files: OutputOptions { picture.files }

    func job(_ arguments: VerbArguments) throws -> any Job {
        let (still, frames) = try formats()
        var job = BlurJob(
            arguments: arguments, limits: common.limits, reading: input.reading(depth),
            output: picture.output(
                suffix: "-blur", still ?? frames.flatMap(\.picture) ?? .jpeg, frames, movies.codec, arguments)
        )
        job.selection = movies.selection(self.frames)
        (job.treatment, job.dequantizesCoarse) = (treatment.treatment, treatment.dequantize == nil)
        job.network = depth.network(threads: arguments.threads)
        (job.focus, job.blur.focusDistance, job.blur.fNumber) = (
            lens.focus, lens.focusDistance, lens.aperture.aperture
        )
        job.blur.pictureOrigin = lens.picture.picture
        return job
    }
}

/// The lens that blurs a photo.
struct LensOptions: FlagGroup {
    static let kinds: FlagKinds = ["focus-distance": .all]

    @OptionGroup var position: FocusOptions

    var focus: PicturePosition? { position.focus }

    @Option(help: ArgumentHelp("Focus at this distance.", valueName: "meters"), transform: decimal)
    var focusDistance: Float?

    @OptionGroup var aperture: ApertureOptions

    @OptionGroup var picture: PictureOriginOptions
}

/// The aperture of a lens.
struct ApertureOptions: FlagGroup {
    static let kinds: FlagKinds = ["aperture": .all]

    @Option(
        help: ArgumentHelp("The f-number, as of a full-frame camera: less is more blur.", valueName: "f"),
        transform: { try decimal($0.hasPrefix("f/") ? String($0.dropFirst(2)) : $0) })
    var aperture: Float?

    func validate() throws {
        if let aperture, !(aperture > 0 && aperture.isFinite) {
            throw ValidationError("--aperture is \(aperture); it must be a positive number")
        }
    }
}

/// The picture of a photo to use.
struct PictureOriginOptions: FlagGroup {
    static let kinds: FlagKinds = ["picture": .stills]

    @Option(
        help: ArgumentHelp(
            "Use the photo as it is, or the original from before the camera's own blur (default where there is one).",
            valueName: "picture"))
    var picture: PictureOrigin?
}
