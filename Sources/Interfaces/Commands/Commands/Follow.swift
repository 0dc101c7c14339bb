internal import ArgumentParser
internal import Isobath
internal import Movies

/// `isobath follow`
struct Follow: Verb {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        _superCommandName: "isobath",
        abstract: "Follow an object through a recording, a movie or a stream, with its distance.",
        discussion: """
            The object is what --box encloses in the first frame, what stands out of the depth at --point, or the first that a \
            network finds. An object that passes in front hides it, and does not carry it along. With depth, an object that was lost is \
            found again at any distance. Each frame gives a line: its time, the box in pixels, the distance (the median of the \
            object's depth), the speed, the confidence, and whether the object is lost.

            Examples:
              isobath follow recording/ --point 0.5,0.5 -o track.csv
              isobath follow recording/ --box 120px,80px,64px,64px -o - --movie boxes.mp4
              isobath follow recording/ --model yolo.onnx --class person -o track.jsonl
            """)

    static let ownKinds: FlagKinds = ["movie": .all]

    @Argument(
        help: "A recording, a movie, or a pattern of numbered depth images; - is standard input.",
        completion: .file())
    var input: String?

    @OptionGroup(title: "Object") var object: FollowedObjectOptions

    @OptionGroup(title: "Network") var objects: ObjectOptions

    @OptionGroup(title: "Output") var files: OutputFileOptions

    @Option(
        help: ArgumentHelp(
            "Also write a movie with the box drawn, with the input's sound.", valueName: "file"),
        completion: .file())
    var movie: String?

    @OptionGroup(title: "Output") var orientation: OrientationOptions

    @OptionGroup(title: "Frames") var frames: FrameOptions

    @OptionGroup(title: "Frames") var movies: FrameOutputOptions

    @OptionGroup(title: "Input") var reading: InputOptions

    @OptionGroup(title: "Common") var common: CommonOptions

    func validate() throws {
        guard input != nil else { throw ValidationError("no input is named") }
        let ways = [
            ("box", object.box != nil), ("point", object.point != nil),
            ("model", objects.loading.model != nil),
        ].filter(\.1)
        if ways.count > 1 { throw ValidationError("--\(ways[0].0) and --\(ways[1].0) exclude each other") }
        if ways.isEmpty { throw ValidationError("no object is named; give --box, --point or --model") }
        if object.wantedClass != nil, objects.loading.model == nil {
            throw ValidationError("--class has no effect without --model")
        }
        if let box = object.box, box.values.count != 4 || box.values[2] <= 0 || box.values[3] <= 0 {
            throw ValidationError(
                "--box must have four numbers, as in 0.4,0.3,0.2,0.2, and a positive width and height")
        }
        if reading.frame != nil {
            throw ValidationError("--frame has no effect: an object is followed through all frames")
        }
        if movies.codec != nil, movie == nil {
            throw ValidationError("--codec has no effect without --movie")
        }
        if files.json, files.output == "-" {
            throw ValidationError("--json and -o - both write to standard output")
        }
        if let output = files.output, output != "-", !["csv", "jsonl"].contains(output.pathExtension) {
            throw ValidationError("'\(output.forTerminal)' has no known extension; use .csv or .jsonl")
        }
        if let movie, ![.mp4, .mkv].contains(MovieFormat(fileName: movie)) {
            throw ValidationError("--movie is '\(movie.forTerminal)'; it must end in .mp4 or .mkv")
        }
    }

    func run() throws {
        closeOnInterrupt()
        guard let input else { return }
        try InputRun.perform(job(), on: input, common, hasResults: output == "-" || files.json)
    }

    var inputs: [String] { [input].compactMap(\.self) }

    /// The file of the track.
    private var output: String {
        files.output ?? OutputDestination.stem(of: input ?? "-") + "-track.csv"
    }

    func job(_ arguments: VerbArguments) throws -> any Job {
        let start: FrameEffect.ObjectStart? =
            if let box = object.box {
                .box(
                    TrackingBox(
                        left: box.values[0], top: box.values[1], width: box.values[2], height: box.values[3]),
                    isInPixels: box.isInPixels)
            } else {
                object.point.map { .point(x: $0.x, y: $0.y, isInPixels: $0.isInPixels) }
            }
        var reading = self.reading.reading()
        reading.options.keepsOrientation = orientation.storedOrientation
        return FollowJob(
            arguments: arguments, limits: common.limits, reading: reading, place: start,
            search: objects.search(threads: arguments.threads),
            wantedClass: object.wantedClass, selection: movies.selection(frames), output: output,
            movie: movie,
            codec: movies.codec, json: files.json, existing: files.existing)
    }
}

/// Where the object is in the first frame.
struct FollowedObjectOptions: FlagGroup {
    static let kinds: FlagKinds = ["box": .all, "point": .all, "class": .all]

    @Option(
        help: ArgumentHelp(
            "The object's box in the first frame, left, top, width and height: fractions, or pixels such as 120px.",
            valueName: "x,y,w,h"), transform: PictureNumbers.init)
    var box: PictureNumbers?

    @Option(
        help: ArgumentHelp(
            "A point on the object in the first frame: fractions, or pixels.", valueName: "x,y"))
    var point: PicturePosition?

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp(
            "The class of the object that --model finds, by its name or number.", valueName: "name"))
    var wantedClass: String?
}
