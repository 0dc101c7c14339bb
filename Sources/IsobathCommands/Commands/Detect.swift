internal import ArgumentParser
internal import Isobath

/// `isobath detect`
struct Detect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect",
        _superCommandName: "isobath",
        abstract: "Find objects in photos and recordings with a network: what, where, how far and how large.",
        discussion: """
            The network is an ONNX file with YOLO's or SSD's outputs, or a classifier. Distances are in meters where the photo has \
            depth in meters: the median of the nearest large surface in the box. Sizes are those of the box at that distance. Of a recording, a movie or a stream, each frame gives its lines, with its time.
            """)

    @Argument(help: "Photos, recordings, movies or streams; - is a photo or a stream from standard input.")
    var inputs: [String] = []

    @Option(help: ArgumentHelp("The network, an ONNX file.", valueName: "file"))
    var model: String

    @OptionGroup var loading: NetworkLoadingOptions

    @Option(help: ArgumentHelp("The names of classes, one a line.", valueName: "file"))
    var labels: String?

    @Option(
        name: .customLong("min-score"),
        help: ArgumentHelp("Leave out what the network is less sure of, 0 to 1.", valueName: "share"),
        transform: decimal)
    var minimumScore: Float = 0.25

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write the photo with the boxes drawn; of a recording a movie, a stream or numbered frames, as 'isobath sequence' does.",
            valueName: "file"))
    var output: String?

    @OptionGroup var range: FrameRangeOptions

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Use every n-th frame of a recording.", valueName: "n"))
    var every: Int?

    @Flag(
        help:
            "Leave frames of a recording as they are stored. By default they come out upright, by its poses.")
    var storedOrientation = false

    @Flag(
        help:
            "Print one JSON object a line for each input (schema isobath.detect/1), and before it one for each frame of a recording."
    )
    var json = false

    @OptionGroup var existing: ExistingFileOptions

    @OptionGroup var batch: BatchOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup(title: "Pipes") var pipes: PipeFormatOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try batch.check(inputs, noun: "inputs")
        if pipes.colorFormat != nil || pipes.depthFormat != nil, inputs.count > 1 || batch.nameFile != nil {
            throw ValidationError("'--color-format' and '--depth-format' are for one input.")
        }
        if let every, every < 1 { throw ValidationError("'--every' must be 1 or more.") }
        guard (0...1).contains(minimumScore) else { throw ValidationError("'--min-score' is 0 to 1.") }
        guard let output else { return }
        try batch.checkOneOutput(for: inputs, advice: "name one input")
        if output == "-" { throw ValidationError("Standard output has the results; give -o a file.") }
        if PictureFormat(fileName: output) == nil, SequenceOutput.Kind(fileName: output) == nil {
            throw ValidationError(
                "'\(output.forTerminal)' names no known format; use .jpg, .png or .tiff, or for a recording .mp4, .mkv, .webp, .png, .y4m or numbered frames."
            )
        }
    }

    func run() throws {
        // The isolated process is asked to end, and closes what it writes.
        if common.isolation.isolate { closeOnInterrupt() }
        let names = try batch.names(inputs, common)
        let network = NetworkUse(
            path: model, profile: loading.modelProfile, runtime: loading.runtime,
            threads: NetworkLoadingOptions.threads(jobs: batch.concurrency, inputs: names.count))
        let job = DetectJob(
            limits: common.limits, reading: rasters.reading,
            streams: pipes.reading(unitsPerMeter: rasters.reading.scale),
            search: ObjectSearch(network: network, labels: labels, minimumScore: minimumScore),
            start: range.start,
            end: range.end, every: every ?? 1, keepsOrientation: storedOrientation,
            output: output, existing: existing.existing, json: json,
            nameFile: batch.nameFile)
        try InputRun.perform(job, on: names, batch, common, folder: nil, hasResults: true)
    }
}
