internal import ArgumentParser
internal import Isobath

/// `isobath animate`
struct Animate: Verb {
    static let configuration = CommandConfiguration(
        commandName: "animate",
        _superCommandName: "isobath",
        abstract: "Set a photo in motion by its depth.",
        discussion: """
            The camera moves a little, and what comes into view behind edges continues the surface beside them; or the focus \
            moves. Movies are .mp4, .mkv, animated .webp, .png (APNG) and .gif, and repeat without a seam.

            Examples:
              isobath animate IMG_0001.HEIC -o wiggle.mp4
              isobath animate IMG_0001.HEIC --move dolly --seconds 5 -o dolly.gif
              isobath animate IMG_0001.HEIC --strength 5% --size 640 -o wiggle.webp
            """)

    static let ownKinds: FlagKinds = ["frame-rate": .all, "camera": [.raster, .pair]]

    @Argument(help: "Photos, or recordings with --frame; - is standard input.", completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "Motion") var motion: MotionOptions

    @OptionGroup(title: "Motion") var picture: PictureOriginOptions

    @OptionGroup(title: "Output") var files: OutputOptions

    @OptionGroup(title: "Output") var size: SizeOptions

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Common") var common: CommonOptions

    func validate() throws {
        try files.check(inputs)
        try size.check(16...16384)
        if motion.aperture.aperture != nil, motion.move != .focus {
            throw ValidationError("--aperture has no effect without --move focus")
        }
        if let rate, !(1...240).contains(rate) {
            throw ValidationError("--frame-rate is \(rate); it must be 1 to 240")
        }
        _ = try format()
    }

    private func format() throws -> AnimationFormat { try files.format(for: "movies") ?? .mp4 }

    func run() throws { try InputRun.perform(job(), on: inputs, files, common) }

    var batch: BatchOptions? { files.batch }

    func job(_ arguments: VerbArguments) throws -> any Job {
        let format = try format()
        var job = AnimateJob(
            arguments: arguments, limits: common.limits, reading: reading, move: move,
            seconds: motion.seconds ?? 3, format: format,
            destination: files.destination(
                suffix: "-\(move.rawValue)", fileExtension: format.fileExtension),
            json: files.json, existing: files.existing)
        job.strength = motion.strength.map { Float($0.value) }
        (job.aperture, job.longestSide, job.rate) = (motion.aperture.aperture, size.size, rate)
        job.pictureOrigin = picture.picture
        return job
    }

    /// How inputs are read. `--frame-rate` sets the movie's frame rate, not a stream's.
    private var reading: InputFlags {
        var reading = input.reading()
        reading.rate = nil
        return reading
    }

    private var rate: Double? { input.frameRate }

    private var move: CameraMove { motion.move ?? .wiggle }
}

/// The movement and its extent.
struct MotionOptions: FlagGroup {
    static let kinds: FlagKinds = ["move": .all, "strength": .all, "seconds": .all]

    @Option(
        help: ArgumentHelp(
            "wiggle (left and right, the default), orbit (around), dolly (away and back) or focus (near to far and back).",
            valueName: "name"))
    var move: CameraMove?

    @Option(
        help: ArgumentHelp(
            "Parallax between nearest and farthest point, as a fraction of the width such as 3% (default: 3%).",
            valueName: "fraction"))
    var strength: Fraction?

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
    }
}

extension Double {
    /// The number, formatted with few digits.
    fileprivate var formatted: String { Float(self).short }
}

extension CameraMove: ExpressibleByArgument {}
extension AnimationFormat: NamedFormat {}
