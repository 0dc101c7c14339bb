internal import ArgumentParser
internal import Isobath
internal import Movies
internal import Sequences

/// `isobath sequence`
struct SequenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sequence",
        _superCommandName: "isobath",
        abstract: "Show, mask or filter the frames of a recording, a movie or a pipe.",
        discussion: """
            The input is recognized by what is in it: a movie, y4m, or with --color-format and --depth-format samples \
            without a header. Frames keep their times. Colors and cut-offs follow the depth slowly, so that a still \
            scene does not flicker. Ctrl-C closes the output as if the input had ended.
            """)

    @Argument(help: "A recording, a movie, or a pattern of numbered depth images; - is standard input.")
    var input: String

    @Option(
        help:
            "depth in colors, the subject (mask) before a background, a picture in the scene (occlude), side-by-side, the color, or record3d: depth as hues beside the picture, as Record3D's movies have it."
    )
    var view: SequenceView = .depth

    @OptionGroup var range: FrameRangeOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("Use every n-th frame.", valueName: "n"))
    var every: Int?

    @Option(
        help: ArgumentHelp(
            "Filter the depth, as in 'decimation:magnitude=2,spatial,temporal': decimation, disparity, depth, spatial, temporal, holes, confidence.",
            valueName: "list"), transform: FilterSetting.list)
    var filter: [FilterSetting] = []

    @Option(help: "real-time takes frames at their times, and leaves out those that it is too late for.")
    var rate: SequenceRate?

    @Flag(
        help:
            "Say how long decoding, rendering and writing took: half of the frames less than p50, 99 % less than p99."
    )
    var stats = false

    @Flag(help: "Print one JSON object a line for the input.")
    var json = false

    @OptionGroup(title: "Depth in colors") var colors: SequenceColorOptions

    @OptionGroup(title: "Masks") var mask: SequenceMaskOptions

    @OptionGroup(title: "Occlusion") var occlusion: SequenceOcclusionOptions

    @OptionGroup(title: "Networks") var networks: NetworkOptions

    @OptionGroup(title: "Output") var files: SequenceOutputOptions

    @OptionGroup(title: "Pipes") var pipes: PipeOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let every, every < 1 { throw ValidationError("'--every' must be 1 or more.") }
        if view == .mask, mask.background == nil {
            throw ValidationError("'--view mask' needs '--background'.")
        }
        if mask.background == BackgroundChoice.none {
            throw ValidationError("Movies have no transparency: '--background' is a file or a color.")
        }
        if view != .mask, mask.background != nil {
            throw ValidationError("'--background' goes with '--view mask'.")
        }
        if view != .occlude, occlusion.isGiven {
            throw ValidationError(
                "'--layer', '--distance', '--position' and '--layer-width' go with '--view occlude'.")
        }
        if view == .occlude, occlusion.layer == nil || occlusion.distance == nil {
            throw ValidationError("'--view occlude' needs '--layer' and '--distance'.")
        }
        if view == .record3D, files.kind != .movie(.mp4), files.kind != .movie(.mkv) {
            throw ValidationError("'--view record3d' writes .mp4, or .mkv with '--codec ffv1' without loss.")
        }
        if keepsDepth, view != .depth {
            throw ValidationError("Distances are kept with '--view depth' only.")
        }
        if !networks.anchor.isEmpty || networks.align != nil {
            throw ValidationError(
                "--anchor and --align are for single pictures; frames have places of their own.")
        }
        if files.output == "-", json {
            throw ValidationError("--json and -o - both write to standard output.")
        }
        if let kind = files.kind, case .movie(let format) = kind, keepsDepth, !format.holdsDepth {
            throw ValidationError("Distances are kept in .mkv, .png frames or a raw stream.")
        }
        if keepsDepth, case .frames(.jpeg)? = files.kind {
            throw ValidationError("JPEG has no 16-bit samples; use .png or .tiff frames.")
        }
        if common.isolation.isolate, pipes.format.depthInput.map({ Int($0) != nil }) ?? false {
            throw ValidationError("An isolated process has no other descriptors: name a pipe or a file.")
        }
    }

    /// Whether what is written is distances, and no picture.
    private var keepsDepth: Bool {
        if colors.metric || files.codec == .ffv1 && view == .depth { return true }
        if case .stream(let format)? = files.kind { return format.isDepth }
        return false
    }

    func run() throws {
        closeOnInterrupt()
        guard let kind = files.kind else { return }
        let job = SequenceJob(
            limits: common.limits, reading: pipes.reading,
            network: networks.use(threads: coreCount), view: view, colormap: colors.colormap,
            isEqualized: colors.equalize, isEnlarged: colors.upsample, keepsDepth: keepsDepth,
            near: mask.near, far: mask.far, softness: mask.softness, background: mask.background,
            layer: occlusion.layer, distance: occlusion.distance, position: occlusion.position,
            layerWidth: occlusion.layerWidth, start: range.start, end: range.end, every: every ?? 1,
            filters: filter,
            isRealTime: rate == .realTime, showsStatistics: stats, json: json,
            output: SequenceOutput(
                path: files.output, kind: kind, codec: files.codec, quality: files.quality,
                existing: files.existing.existing))
        try InputRun.perform(job, on: input, common, hasResults: json)
    }
}

/// How depth is colored.
struct SequenceColorOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The colors of the depth.", valueName: "name"))
    var colormap: ColorMap = .turbo

    @Flag(help: "Let every color cover about as much of the picture.")
    var equalize = false

    @Flag(help: "Show the depth at the picture's size.")
    var upsample = false

    @Flag(help: "Keep distances, and no colors: 16-bit millimeters in .mkv (FFV1), frames or a raw stream.")
    var metric = false
}

/// What the subject of a mask is, and what stands behind it.
struct SequenceMaskOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A picture, a movie, numbered pictures such as 'bg-%04d.jpg', or a color.",
            valueName: "file|color"))
    var background: BackgroundChoice?

    @Option(
        help: ArgumentHelp(
            "The subject is beyond this; the last color of the depth, which is the near one.",
            valueName: "meters"),
        transform: decimal)
    var near: Float?

    @Option(
        help: ArgumentHelp(
            "The subject is nearer than this; the first color of the depth.", valueName: "meters"),
        transform: decimal)
    var far: Float?

    @Option(
        help: ArgumentHelp("The width of the ramp at either end of a mask.", valueName: "meters"),
        transform: decimal)
    var softness: Float?

    func validate() throws {
        for (name, value) in [("near", near), ("far", far), ("softness", softness)] {
            guard let value, !(value >= 0 && value.isFinite) else { continue }
            throw ValidationError("'--\(name)' must be a number of meters, 0 or more.")
        }
        if let near, let far, near >= far { throw ValidationError("'--near' must be less than '--far'.") }
    }
}

/// What stands in the scene.
struct SequenceOcclusionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The picture to insert.", valueName: "file"))
    var layer: String?

    @Option(help: ArgumentHelp("How far away it stands.", valueName: "meters"), transform: decimal)
    var distance: Float?

    @Option(help: ArgumentHelp("Where its middle is seen.", valueName: "x,y"))
    var position = NormalizedPoint(x: 0.5, y: 0.5)

    @Option(help: ArgumentHelp("How wide it is.", valueName: "meters"), transform: decimal)
    var layerWidth: Float?

    /// Whether one of them is given; the position has a default.
    var isGiven: Bool {
        layer != nil || distance != nil || layerWidth != nil || position != NormalizedPoint(x: 0.5, y: 0.5)
    }

    func validate() throws {
        for (name, value) in [("distance", distance), ("layer-width", layerWidth)] {
            guard let value, !(value > 0 && value.isFinite) else { continue }
            throw ValidationError("'--\(name)' must be a positive number of meters.")
        }
    }
}

/// What is made of each frame.
enum SequenceView: String, CaseIterable, Codable, ExpressibleByArgument, Sendable {
    case depth, mask, occlude
    case sideBySide = "side-by-side"
    case record3D = "record3d"
    case color
}

/// How fast frames are taken.
enum SequenceRate: String, CaseIterable, ExpressibleByArgument {
    case realTime = "real-time"
}

extension FilterSetting {
    /// Reads a list of filters, separated by commas.
    static func list(_ text: String) throws -> [FilterSetting] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            guard let setting = FilterSetting(part) else {
                throw ValidationError(
                    "'\(String(part).forTerminal)' is not a filter with settings in range; as in 'temporal:alpha=0.4:persistence=3'."
                )
            }
            return setting
        }
    }
}
