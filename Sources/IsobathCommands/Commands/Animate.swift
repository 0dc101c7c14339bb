internal import ArgumentParser
internal import Isobath

/// `isobath animate`
struct Animate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "animate",
        _superCommandName: "isobath",
        abstract: "Set a photo in motion by its depth, or make a stereo picture of it.",
        discussion: """
            The camera moves a little, and what comes into sight behind edges is continued from beside them; or the focus \
            moves. Movies are .mp4, .mkv, animated .webp, .png (APNG) and .gif, and repeat without a seam. --stereo and \
            --quilt make still pictures: .png, .jpg, .tiff.
            """)

    @Argument(help: "Photos; - is standard input.")
    var inputs: [String] = []

    @OptionGroup(title: "Motion") var motion: MotionOptions

    @OptionGroup(title: "Output") var files: OutputOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try files.check(inputs)
        let kinds = [motion.move != nil, motion.stereo != nil, motion.quilt != nil].count(where: { $0 })
        if motion.aspect != nil, motion.quilt == nil { throw ValidationError("--aspect goes with --quilt.") }
        if motion.aperture != nil, motion.move != .focus {
            throw ValidationError("--aperture goes with --move focus.")
        }
        guard kinds < 2 else { throw ValidationError("Give one of --move, --stereo and --quilt.") }
        if let output = files.output, output != "-", motion.format == nil, format(of: output) == nil {
            let known = isStill ? ".png, .jpg and .tiff" : ".mp4, .mkv, .webp, .png and .gif"
            throw ValidationError("'\(output.forTerminal)' names no known format; use \(known), or --format.")
        }
        if let format = motion.format, format.isStill != isStill, format != .png {
            throw ValidationError(
                isStill ? "'\(format.rawValue)' is a movie." : "'\(format.rawValue)' is a still picture.")
        }
        if let output = files.output, let quilt, let named = Quilt(suffixOf: output.pathStem), named != quilt
        {
            throw ValidationError(
                "--quilt and the name '\(output.forTerminal)' disagree: it should end in \(quilt.suffix).")
        }
    }

    func run() throws {
        let format = motion.format ?? files.output.flatMap(format) ?? (isStill ? .png : .mp4)
        try InputRun.perform(
            AnimateJob(
                limits: common.limits, reading: rasters.reading, kind: kind,
                focus: motion.focus, strength: motion.strength, aperture: motion.aperture,
                longestSide: motion.size, seconds: motion.seconds, rate: motion.rate, format: format,
                quality: motion.quality,
                destination: files.destination(suffix: suffix, fileExtension: format.fileExtension),
                json: files.json, nameFile: files.batch.nameFile, existing: files.existing.existing),
            on: files.batch.names(inputs, common), files.batch, common, folder: files.outputDirectory,
            hasResults: files.json)
    }

    private var isStill: Bool { motion.stereo != nil || quilt != nil }

    /// The quilt of the flags, or of the output's name.
    private var quilt: Quilt? {
        let named =
            motion.move == nil && motion.stereo == nil
            ? files.output.flatMap { Quilt(suffixOf: $0.pathStem) } : nil
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

    private func format(of output: String) -> AnimationFormat? {
        AnimationFormat(fileName: output).flatMap { $0.isStill == isStill || $0 == .png ? $0 : nil }
    }
}

/// What moves, and how far.
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
            "Views for a display such as Looking Glass, as in 8x6; a name like a_qs8x6a0.75.png says the same.",
            valueName: "columns×rows"), transform: QuiltGrid.init)
    var quilt: QuiltGrid?

    @Option(
        help: ArgumentHelp("Width by height of a quilt's views (default: 0.75).", valueName: "ratio"),
        transform: decimal)
    var aspect: Double?

    @Option(
        help: ArgumentHelp(
            "How far the nearest and the farthest things part, in percent of the width (default: 3, quilts 6).",
            valueName: "percent"), transform: decimal)
    var strength: Float?

    @Option(
        help: ArgumentHelp(
            "What is seen here stays in its place; 0,0 is the top left corner, 1,1 the bottom right.",
            valueName: "x,y"))
    var focus: NormalizedPoint?

    @Option(
        help: ArgumentHelp("The f-number of '--move focus' (default: the file's, or 2).", valueName: "f"),
        transform: decimal)
    var aperture: Float?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Pixels on the longer side (default: 960; 480 for .gif; a quilt's width: 3360).",
            valueName: "pixels")
    )
    var size: Int?

    @Option(help: ArgumentHelp("How long the movement takes.", valueName: "seconds"), transform: decimal)
    var seconds = 3.0

    @Option(
        help: ArgumentHelp("Frames a second (default: 30; 15 for .gif, .webp and .png).", valueName: "n"),
        transform: decimal)
    var rate: Double?

    @Option(
        help: ArgumentHelp(
            "mp4, mkv, webp, png or gif; of still pictures png, jpeg or tiff, where the name given with -o does not say it.",
            valueName: "format"))
    var format: AnimationFormat?

    @Option(help: ArgumentHelp("The quality of JPEG, 1 to 100.", valueName: "q"))
    var quality = Raster.defaultJPEGQuality

    func validate() throws {
        if let strength, !(strength > 0 && strength <= 20) {
            throw ValidationError("'--strength' is more than 0 and at most 20.")
        }
        if let aperture, !(aperture > 0 && aperture.isFinite) {
            throw ValidationError("'--aperture' must be a positive number.")
        }
        if let size, !(16...16384).contains(size) { throw ValidationError("'--size' is 16 to 16384.") }
        guard seconds > 0, seconds <= 600 else {
            throw ValidationError("'--seconds' is more than 0 and at most 600.")
        }
        if let rate, !(rate >= 1 && rate <= 240) { throw ValidationError("'--rate' is 1 to 240.") }
        if let aspect, !(aspect > 0.05 && aspect < 20) { throw ValidationError("'--aspect' is 0.05 to 20.") }
        guard (1...100).contains(quality) else { throw ValidationError("'--quality' is 1 to 100.") }
    }
}

/// The columns and rows of a quilt, as in `8x6`.
struct QuiltGrid: Hashable, Sendable {
    var columns: Int
    var rows: Int

    init(_ text: String) throws {
        guard let grid = Quilt.grid(text) else {
            throw ValidationError("'\(text.forTerminal)' is not columns and rows, as in 8x6.")
        }
        (columns, rows) = grid
    }
}

extension CameraMove: ExpressibleByArgument {}
extension StereoForm: ExpressibleByArgument {}
extension AnimationFormat: ExpressibleByArgument {
    /// A format by its name; `jpg` is JPEG, too.
    init?(argument: String) { self.init(rawValue: argument == "jpg" ? "jpeg" : argument) }
}
