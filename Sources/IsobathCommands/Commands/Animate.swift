internal import ArgumentParser
internal import Isobath

/// `isobath animate`
struct Animate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "animate",
        _superCommandName: "isobath",
        abstract: "Set a photo in motion by its depth, or make a stereo picture of it.",
        discussion: """
            The camera moves a little, and what comes into view behind edges continues the surface beside them; or the focus \
            moves. Movies are .mp4, .mkv, animated .webp, .png (APNG) and .gif, and repeat without a seam. --stereo and \
            --quilt make still pictures: .png, .jpg, .tiff.

            Examples:
              isobath animate IMG_0001.HEIC -o wiggle.mp4
              isobath animate IMG_0001.HEIC --move dolly --seconds 5 -o dolly.gif
              isobath animate IMG_0001.HEIC --stereo anaglyph -o anaglyph.jpg
            """)

    @Argument(help: "Photos, or recordings with --frame; - is standard input.", completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "Motion") var motion: MotionOptions

    @OptionGroup(title: "Output") var files: OutputOptions

    @OptionGroup(title: "Output") var size: SizeOptions

    @OptionGroup(title: "Output") var quality: QualityOptions

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Common") var common: CommonOptions

    func validate() throws {
        try files.check(inputs)
        try size.check(16...16384)
        let kinds = [
            ("move", motion.move != nil), ("stereo", motion.stereo != nil), ("quilt", motion.quilt != nil),
        ].filter(\.1)
        guard kinds.count < 2 else {
            throw ValidationError("--\(kinds[0].0) and --\(kinds[1].0) exclude each other")
        }
        if motion.aspect != nil, motion.quilt == nil {
            throw ValidationError("--aspect has no effect without --quilt")
        }
        if motion.aperture.aperture != nil, motion.move != .focus {
            throw ValidationError("--aperture has no effect without --move focus")
        }
        if isStill {
            let kind = motion.stereo != nil ? "stereo" : "quilt"
            if motion.seconds != nil { throw ValidationError("--seconds has no effect with --\(kind)") }
            if rate != nil { throw ValidationError("--frame-rate has no effect with --\(kind)") }
        }
        if motion.pivot != nil, motion.move == .focus {
            throw ValidationError("--pivot has no effect with --move focus")
        }
        if let rate, !(1...240).contains(rate) {
            throw ValidationError("--frame-rate is \(rate); it must be 1 to 240")
        }
        let format = try format()
        if !isStill || format != .jpeg, quality.quality != nil {
            throw ValidationError("--quality has no effect on .\(format.fileExtension); it is for .jpg")
        }
        if let output = files.file, let quilt, let named = Quilt(suffixOf: output.pathStem), named != quilt {
            throw ValidationError(
                "--quilt is \(quilt.columns)x\(quilt.rows), but the name '\(output.forTerminal)' gives another layout; end it in \(quilt.suffix)"
            )
        }
    }

    /// The format of the output. Throws for a format that cannot hold the movie or the still picture.
    private func format() throws -> AnimationFormat {
        let known = AnimationFormat.allCases.filter { $0.isStill == isStill || $0 == .png }
        let product = isStill ? "still pictures" : "movies"
        let format =
            try files.format(AnimationFormat.self, for: product, of: known) ?? (isStill ? .png : .mp4)
        guard known.contains(format) else {
            throw ValidationError(
                ".\(format.fileExtension) is a \(format.isStill ? "still picture" : "movie"); \(product) are \(OutputOptions.list(known.map { ".\($0.fileExtension)" }))"
            )
        }
        return format
    }

    func run() throws {
        // Checked by `validate()`.
        let format = try format()
        var job = AnimateJob(
            limits: common.limits, reading: reading, kind: kind, seconds: motion.seconds ?? 3, format: format,
            quality: quality.orUsual,
            destination: files.destination(suffix: suffix, fileExtension: format.fileExtension),
            json: files.json, nameFile: files.batch.nameFile, existing: files.existing)
        (job.pivot, job.strength) = (motion.pivot, motion.strength.map { Float($0.value) })
        (job.aperture, job.longestSide, job.rate) = (motion.aperture.aperture, size.size, rate)
        try InputRun.perform(job, on: inputs, files, common)
    }

    /// How inputs are read. `--rate` sets the movie's frame rate, not a stream's.
    private var reading: InputReading {
        var reading = input.reading(files.batch, inputs)
        reading.rate = nil
        return reading
    }

    private var rate: Double? { input.frameRate }

    private var isStill: Bool { motion.stereo != nil || quilt != nil }

    /// The quilt that the flags or the output's name specify.
    private var quilt: Quilt? {
        let named =
            motion.move == nil && motion.stereo == nil
            ? files.file.flatMap { Quilt(suffixOf: $0.pathStem) } : nil
        return motion.quilt.map { Quilt(columns: $0.columns, rows: $0.rows, aspect: motion.aspect ?? 0.75) }
            ?? named
    }

    private var kind: AnimateJob.Kind {
        if let form = motion.stereo { return .stereo(form) }
        if let quilt { return .quilt(quilt) }
        return .move(motion.move ?? .wiggle)
    }

    private var suffix: String {
        switch kind {
        case .stereo(let form): "-\(form.rawValue)"
        case .quilt(let quilt): quilt.suffix
        case .move(let move): "-\(move.rawValue)"
        }
    }
}

/// The movement and its extent.
struct MotionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "wiggle (left and right, the default), orbit (around), dolly (away and back) or focus (near to far and back).",
            valueName: "name"))
    var move: CameraMove?

    @Option(
        help: ArgumentHelp(
            "A picture for both eyes: side-by-side, anaglyph (red and cyan glasses) or autostereogram (dots).",
            valueName: "form"))
    var stereo: StereoForm?

    @Option(
        help: ArgumentHelp(
            "Views for a display such as Looking Glass, as in 8x6; an output named a_qs8x6a0.75.png has the same effect.",
            valueName: "columns×rows"), transform: QuiltGrid.init)
    var quilt: QuiltGrid?

    @Option(
        help: ArgumentHelp("Width by height of a quilt's views (default: 0.75).", valueName: "ratio"),
        transform: decimal)
    var aspect: Double?

    @Option(
        help: ArgumentHelp(
            "Parallax between nearest and farthest point, as a fraction of the width such as 3% (default: 3%, quilts 6%).",
            valueName: "fraction"))
    var strength: Fraction?

    @Option(
        help: ArgumentHelp(
            "The point that does not move: fractions, or pixels such as 1200px,900px.",
            valueName: "x,y"))
    var pivot: PicturePosition?

    @OptionGroup var aperture: ApertureOptions

    @Option(
        help: ArgumentHelp("How long the movement takes (default: 3).", valueName: "seconds"),
        transform: decimal)
    var seconds: Double?

    func validate() throws {
        if let strength, !(strength.value > 0 && strength.value <= 0.2) {
            throw ValidationError(
                "--strength is \((strength.value * 100).formatted)%; it must be more than 0% and at most 20%")
        }
        if let seconds, !(seconds > 0 && seconds <= 600) {
            throw ValidationError("--seconds is \(seconds); it must be more than 0 and at most 600")
        }
        if let aspect, !(aspect > 0.05 && aspect < 20) {
            throw ValidationError("--aspect is \(aspect); it must be 0.05 to 20")
        }
    }
}

extension Double {
    /// The number, formatted with few digits.
    fileprivate var formatted: String { Float(self).short }
}

/// The columns and rows of a quilt, as in `8x6`.
struct QuiltGrid: Hashable, Sendable {
    var columns: Int
    var rows: Int

    init(_ text: String) throws {
        guard let grid = Quilt.grid(text) else {
            throw ValidationError("'\(text.forTerminal)' must be columns and rows, as in 8x6")
        }
        (columns, rows) = grid
    }
}

extension CameraMove: ExpressibleByArgument {}
extension StereoForm: ExpressibleByArgument {}
extension AnimationFormat: NamedFormat {}
