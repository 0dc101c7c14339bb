internal import ArgumentParser
internal import Isobath

/// `isobath info`
struct Info: Verb {
    static let configuration = CommandConfiguration(
        commandName: "info",
        _superCommandName: "isobath",
        abstract: "Show what photos, rasters, recordings, movies and networks hold.",
        discussion: """
            Reads structure only, no pixels. Except with --json, for a photo that holds the picture with and without the camera's \
            blur: their comparison gives the lens. A recording is a folder or a file; a folder that holds exactly one, at most two \
            levels below, is that recording. A network (.onnx) is described by what it takes and gives. With --recursive, files of \
            other kinds are skipped.

            Examples:
              isobath info IMG_0001.HEIC
              isobath info --recursive --json Photos | jq .path
              isobath info --formats
            """)

    static let ownKinds: FlagKinds = ["formats": .all, "no-rectify": []]

    @Argument(
        help:
            "Photos, rasters, recordings, movies, networks, and folders with --recursive; - is standard input.",
        completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "Output") var printing: JSONOptions

    @Flag(help: "Show which formats this build reads and writes, and which codec libraries are installed.")
    var formats = false

    @OptionGroup(title: "Batches") var flags: BatchOptions

    @OptionGroup(title: "Input") var poses: PoseOptions

    @OptionGroup(title: "Networks") var profile: NetworkProfileOptions

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Common") var common: CommonOptions

    func validate() throws {
        if formats {
            if let name = inputs.first {
                throw ValidationError("--formats describes this build, and not '\(name.forTerminal)'")
            }
            let flags = ProgramArguments.all.dropFirst(2).filter { !["--formats", "--json"].contains($0) }
            if let other = flags.first(where: { $0.hasPrefix("-") }) {
                throw ValidationError("\(other.prefix { $0 != "=" }) has no effect with --formats")
            }
            return
        }
        try flags.check(inputs)
        try poses.check(isBatch: flags.isBatch(inputs))
    }

    func run() throws {
        if formats { return try FormatList.print(json: printing.json) }
        let batch = batch ?? flags
        var run = try InputRun(job(), batch, common, inputs: batch.names(inputs, common), hasResults: true)
        try run.performAll()
    }

    /// A folder of photos is searched with and without the flag.
    var batch: BatchOptions? {
        var batch = flags
        batch.recursive = flags.recursive || inputs.contains { isFolderOfPhotos($0, common.limits) }
        return batch
    }

    func job(_ arguments: VerbArguments) throws -> any Job {
        InfoJob(
            arguments: arguments, limits: common.limits, reading: poses.added(to: input.reading()),
            json: arguments.hasRecord(printing),
            profile: profile.modelProfile)
    }
}
