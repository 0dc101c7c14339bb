internal import ArgumentParser
internal import Isobath
internal import Movies
internal import Sequences

/// `isobath follow`
struct Follow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        _superCommandName: "isobath",
        abstract: "Follow an object through a recording, a movie or a pipe, with its distance.",
        discussion: """
            The object is what --box encloses in the first frame, what stands out of the depth at --point, or the first \
            that a network finds. What passes \
            before it hides it, and does not take it along. Each frame gives a line: its time, the box in pixels, the \
            distance (the median of the object's depth), the speed, how sure it is, and whether the object is lost.
            """)

    @Argument(help: "A recording, a movie, or a pattern of numbered depth images; - is standard input.")
    var input: String

    @Option(
        help: ArgumentHelp(
            "The object's box in the first frame: left, top, width and height, in shares of the upright picture, or in pixels such as 120px.",
            valueName: "x,y,w,h"), transform: FollowPlaces.parse)
    var box: FollowPlaces?

    @Option(
        help: ArgumentHelp("A point on the object in the first frame, as in --box.", valueName: "x,y"),
        transform: FollowPlaces.parse)
    var point: FollowPlaces?

    @OptionGroup(title: "Networks") var search: FollowSearchOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The track: .csv, or .jsonl for JSON lines; - is standard output, as CSV.", valueName: "file"))
    var output: String

    @Option(help: ArgumentHelp("A movie with the box drawn, with the input's sound.", valueName: "file"))
    var movie: String?

    @OptionGroup var range: FrameRangeOptions

    @Option(
        help: ArgumentHelp("Filter the depth, as in 'isobath sequence'.", valueName: "list"),
        transform: FilterSetting.list)
    var filter: [FilterSetting] = []

    @Flag(help: "Say how long decoding, tracking and writing took.")
    var stats = false

    @OptionGroup var existing: ExistingFileOptions

    @OptionGroup(title: "Pipes") var pipes: PipeOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [box != nil, point != nil, search.model != nil].count(where: \.self) == 1 else {
            throw ValidationError("Give one of --box, --point and --model.")
        }
        if let box, box.values.count != 4 || box.values[2] <= 0 || box.values[3] <= 0 {
            throw ValidationError(
                "'--box' has four numbers, as in 0.4,0.3,0.2,0.2; width and height are positive.")
        }
        if let point, point.values.count != 2 {
            throw ValidationError("'--point' has two numbers, as in 0.5,0.5.")
        }
        guard output == "-" || ["csv", "jsonl"].contains(output.pathExtension) else {
            throw ValidationError("'\(output.forTerminal)' names no known format; use .csv or .jsonl.")
        }
        if let movie, ![.mp4, .mkv].contains(MovieFormat(fileName: movie)) {
            throw ValidationError("'\(movie.forTerminal)' names no known format; use .mp4 or .mkv.")
        }
    }

    func run() throws {
        closeOnInterrupt()
        let place: FollowView.Start? =
            if let box {
                .box(
                    TrackingBox(
                        left: box.values[0], top: box.values[1], width: box.values[2], height: box.values[3]),
                    isInPixels: box.isInPixels)
            } else {
                point.map { .point(x: $0.values[0], y: $0.values[1], isInPixels: $0.isInPixels) }
            }
        let job = FollowJob(
            limits: common.limits, reading: pipes.reading, place: place, search: search.search,
            wantedClass: search.wantedClass, start: range.start, end: range.end,
            filters: filter,
            showsStatistics: stats, output: output, movie: movie, existing: existing.existing)
        try InputRun.perform(job, on: input, common, hasResults: output == "-")
    }
}

/// How the object is found where no place is given.
struct FollowSearchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Follow what this network finds, an ONNX file: the surest object of the first frame that has one.",
            valueName: "file"))
    var model: String?

    @OptionGroup var loading: NetworkLoadingOptions

    @Option(help: ArgumentHelp("The names of classes, one a line.", valueName: "file"))
    var labels: String?

    @Option(
        name: .customLong("class"), help: ArgumentHelp("The class, by its name or number.", valueName: "name")
    )
    var wantedClass: String?

    @Option(
        name: .customLong("min-score"),
        help: ArgumentHelp("Leave out what the network is less sure of, 0 to 1.", valueName: "share"),
        transform: decimal)
    var minimumScore: Float?

    func validate() throws {
        if let minimumScore, !(0...1).contains(minimumScore) {
            throw ValidationError("'--min-score' is 0 to 1.")
        }
        if model == nil, loading.isGiven || labels != nil || wantedClass != nil || minimumScore != nil {
            throw ValidationError(
                "--model-profile, --runtime, --labels, --class and --min-score are for the network that --model names."
            )
        }
    }

    /// The flags as a job takes them; `nil` without a network.
    var search: ObjectSearch? {
        model.map { model in
            ObjectSearch(
                network: NetworkUse(
                    path: model, profile: loading.modelProfile, runtime: loading.runtime,
                    threads: coreCount), labels: labels, minimumScore: minimumScore ?? 0.25)
        }
    }
}

/// Numbers between commas, all in shares or all in pixels.
struct FollowPlaces {
    var values: [Double]
    var isInPixels: Bool

    static func parse(_ text: String) throws -> FollowPlaces {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let pixels = parts.count { $0.hasSuffix("px") }
        let values = parts.compactMap { Double(decimal: $0.hasSuffix("px") ? $0.dropLast(2) : $0) }
        guard values.count == parts.count, pixels == 0 || pixels == parts.count else {
            throw ValidationError("write numbers from 0 to 1, or pixels such as 120px, between commas.")
        }
        guard pixels > 0 || values.allSatisfy((0...1).contains) else {
            throw ValidationError("shares of the picture are from 0 to 1; write pixels as 120px.")
        }
        return FollowPlaces(values: values, isInPixels: pixels > 0)
    }
}
