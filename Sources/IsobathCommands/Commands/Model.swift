internal import ArgumentParser
internal import Isobath

/// `isobath model`
struct Model: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        _superCommandName: "isobath",
        abstract: "Show what a network in an ONNX file takes and gives, and what it would be used as.",
        discussion: """
            Reads the file's structure, and runs nothing. How a network is used is known by the file's SHA-256, by config.json \
            and preprocessor_config.json of Hugging Face beside it, by 'isobath.profile' in its metadata, or said with \
            --model-profile; never by its name.
            """)

    @Argument(help: "Networks in ONNX files.")
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "How the networks are used: the name of a profile, or a file of JSON.", valueName: "name|file"))
    var modelProfile: String?

    @Flag(help: "Print one JSON object a line (schema isobath.model/1).")
    var json = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if files.contains("-") {
            throw ValidationError("A network is read from a file, not from standard input.")
        }
    }

    func run() throws {
        let job = ModelJob(limits: common.limits, profile: modelProfile, json: json)
        var run = try InputRun(job, common, inputs: files, total: files.count, hasResults: true)
        var inputs = files.map { Input(path: $0) }
        try run.perform(&inputs)
        try run.finish()
    }
}
