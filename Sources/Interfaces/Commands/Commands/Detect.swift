internal import ArgumentParser
internal import Isobath
internal import Scenes

/// `isobath detect`
struct Detect: Verb {
    static let configuration = CommandConfiguration(
        commandName: "detect",
        _superCommandName: "isobath",
        abstract: "Find objects with a network: what, where, how far and how large.",
        discussion: """
            The network is an ONNX file with YOLO's or SSD's outputs, or a classifier. Distances are in meters where the photo has \
            depth in meters: the median of the nearest large surface in the box. Sizes are those of the box at that distance. Each \
            frame of a recording, a movie or a stream gives lines of its own, with its time.

            Examples:
              isobath detect IMG_0001.HEIC --model yolo.onnx
              isobath detect recording/ --model yolo.onnx --json > objects.jsonl
              isobath detect IMG_0001.HEIC --model yolo.onnx -o boxes.jpg
            """)

    static let ownKinds: FlagKinds = ["stored-orientation": .recording]

    @Argument(
        help: "Photos, rasters, recordings, movies and streams; - is standard input.", completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "Network") var objects: ObjectOptions

    @OptionGroup(title: "Output") var files: OutputFileOptions

    @OptionGroup(title: "Output") var quality: QualityOptions

    @OptionGroup(title: "Output") var orientation: OrientationOptions

    @OptionGroup(title: "Batches") var flags: BatchOptions

    @OptionGroup(title: "Frames") var frames: FrameOptions

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Common") var common: CommonOptions

    func validate() throws {
        try flags.check(inputs)
        _ = try search(threads: 1)
        if input.raw != nil || input.rawDepth != nil, flags.isBatch(inputs) {
            throw ValidationError("--raw and --raw-depth are for one input")
        }
        guard let output = files.output else {
            if quality.quality != nil { throw ValidationError("--quality has no effect without -o") }
            for (flag, isGiven) in [("force", files.force), ("skip-existing", files.skipExisting)]
            where isGiven {
                throw ValidationError("--\(flag) has no effect without -o")
            }
            return
        }
        try flags.checkOneOutput(for: inputs)
        try quality.check(
            isJPEG: PictureFormat(fileName: output) == .jpeg,
            FramePattern(output) == nil ? "this output" : "these frames")
        if output == "-" {
            throw ValidationError(
                "-o is '-', but standard output already has the results; give -o the name of a file")
        }
        if PictureFormat(fileName: output) == nil, SequenceOutput.Kind(movieName: output) == nil {
            throw ValidationError(
                "'\(output.forTerminal)' has no known extension; use .jpg, .png or .tiff, or for frames .mp4, .mkv, .webp, .apng, .y4m or 'f-%04d.png'"
            )
        }
    }

    func run() throws {
        // Ask the isolated process to end, so that it closes the files it writes.
        if common.isolate { closeOnInterrupt() }
        var run = try InputRun(job(), flags, common, inputs: flags.names(inputs, common), hasResults: true)
        try run.performAll()
    }

    private func search(threads: Int) throws -> ObjectSearch {
        guard let search = objects.search(threads: threads) else {
            throw ValidationError("--model FILE is missing; it names the network")
        }
        return search
    }

    var batch: BatchOptions? { flags }

    func job(_ arguments: VerbArguments) throws -> any Job {
        var reading = input.reading()
        reading.options.keepsOrientation = orientation.storedOrientation
        return DetectJob(
            arguments: arguments, limits: common.limits, reading: reading,
            search: try search(threads: arguments.threads),
            selection: frames.selection, output: files.output, quality: quality.orUsual,
            existing: files.existing, json: files.json)
    }
}
