internal import Isobath

/// A command line of paths and a few common flags, read without ArgumentParser, which needs 3 to 4 ms to look at all flags of a
/// subcommand: as long as decoding a depth map takes.
///
/// ArgumentParser reads every line that has another flag or a mistake, and reports the mistake.
struct PlainCommandLine {
    private let job: any Job
    private let flags: PlainFlags

    /// Reads the arguments behind the name of the program.
    init?(_ arguments: ArraySlice<String>) {
        guard let verb = arguments.first.flatMap(PlainVerb.init),
            let flags = PlainFlags(arguments.dropFirst(), of: verb), let job = verb.job(flags)
        else { return nil }
        (self.job, self.flags) = (job, flags)
    }

    /// Does what the line says. Throws the exit status unless all went well.
    func run() throws {
        let isRecursive = flags.has("--recursive")
        var run = try InputRun(
            job, isQuiet: flags.has("--quiet"), isIsolated: false, inputs: flags.paths, jobs: coreCount,
            total: isRecursive ? nil : flags.paths.count, hasResults: job is InfoJob || flags.has("--json"))
        if job is InfoJob {
            try Info.list(flags.paths, recursive: isRecursive, in: &run)
        } else {
            try run.perform(on: flags.paths[0])
        }
    }
}

/// The subcommands that have plain lines: `info` with any paths, others with one input and one output.
private enum PlainVerb: String {
    case info, extract, composite, blur, cloud

    /// The flags that stand alone.
    var switches: [String] {
        switch self {
        case .info: ["--quiet", "--json", "--recursive"]
        case .composite: ["--quiet", "--json", "--force", "--no-refine", "--no-decontaminate"]
        case .extract, .blur, .cloud: ["--quiet", "--json", "--force"]
        }
    }

    /// The flags with a value.
    var options: [String] {
        switch self {
        case .info: []
        case .extract: ["--output", "--plane", "--as"]
        case .composite: ["--output", "--background", "--matte"]
        case .blur: ["--output", "--focus", "--aperture"]
        case .cloud: ["--output"]
        }
    }

    /// The long form of a flag that has a short one; other arguments as they are.
    func longForm(of argument: String) -> String {
        switch argument {
        case "-q": "--quiet"
        case "-f": "--force"
        case "-o": "--output"
        case "-r": "--recursive"
        case "-b": "--background"
        default: argument
        }
    }

    /// What a line's flags say is done with each input; `nil` where ArgumentParser has to read them.
    func job(_ flags: PlainFlags) -> (any Job)? {
        switch self {
        case .info: flags.paths.isEmpty ? nil : InfoJob(json: flags.has("--json"))
        case .extract: extract(flags)
        case .composite: composite(flags)
        case .blur: blur(flags)
        case .cloud: cloud(flags)
        }
    }

    private func extract(_ flags: PlainFlags) -> ExtractJob? {
        guard let output = flags.output, let format = RasterFormat(fileName: output),
            let plane = flags.value("--plane", PlaneChoice.init(argument:)),
            let quantity = flags.value("--as", DepthQuantity.init(rawValue:))
        else { return nil }
        // ArgumentParser checks what goes with planes in all other cases.
        if let plane, quantity != nil || plane.kind == nil { return nil }
        var job = ExtractJob(format: format)
        (job.output, job.plane, job.quantity) = (output, plane, quantity)
        (job.json, job.existing) = (flags.has("--json"), flags.existing)
        return job
    }

    private func composite(_ flags: PlainFlags) -> CompositeJob? {
        guard let output = flags.picture,
            let background = flags.value("--background", BackgroundChoice.init(argument:)) ?? nil,
            let matte = flags.value("--matte", MatteChoice.init(argument:)),
            output.format.holdsOpacity || background != .none, !background.isSequence
        else { return nil }
        var job = CompositeJob(background: background, output: output)
        job.matte = matte
        (job.refines, job.decontaminates) = (!flags.has("--no-refine"), !flags.has("--no-decontaminate"))
        return job
    }

    private func blur(_ flags: PlainFlags) -> BlurJob? {
        guard let output = flags.picture, let focus = flags.value("--focus", NormalizedPoint.init(argument:)),
            let aperture = flags.value("--aperture", { Float(decimal: $0) }),
            aperture.map({ $0 > 0 && $0.isFinite }) ?? true
        else { return nil }
        var job = BlurJob(output: output)
        (job.blur.focus, job.blur.fNumber) = (focus, aperture)
        return job
    }

    private func cloud(_ flags: PlainFlags) -> CloudJob? {
        guard let output = flags.output, let format = CloudFormat(fileName: output), format.holdsPoints,
            (format.prescribedAxes ?? .opengl) == .opengl
        else { return nil }
        var job = CloudJob(destination: .file(output), format: format)
        (job.json, job.existing) = (flags.has("--json"), flags.existing)
        return job
    }
}

/// The paths and flags of a line.
private struct PlainFlags {
    private(set) var paths: [String] = []
    /// The flags by their long names; those that stand alone have an empty value.
    private var given: [(name: String, value: String)] = []

    init?(_ arguments: ArraySlice<String>, of verb: PlainVerb) {
        var rest = arguments
        while let argument = rest.popFirst() {
            let name = verb.longForm(of: argument)
            if has(name) { return nil }
            if verb.switches.contains(name) {
                given.append((name, ""))
            } else if verb.options.contains(name) {
                guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("-") else { return nil }
                given.append((name, value))
            } else {
                guard !argument.isEmpty, !argument.hasPrefix("-") else { return nil }
                paths.append(argument)
            }
        }
    }

    func has(_ name: String) -> Bool { text(of: name) != nil }

    private func text(of name: String) -> String? { given.first { $0.name == name }?.value }

    /// The value of a flag, `nil` inside where it is not given, and `nil` where it cannot be read.
    func value<Value>(_ name: String, _ read: (String) -> Value?) -> Value?? {
        guard let text = text(of: name) else { return .some(nil) }
        return read(text).map { .some($0) }
    }

    /// The one file for the one input.
    var output: String? { paths.count == 1 ? text(of: "--output") : nil }

    /// What is done where it exists.
    var existing: ExistingFiles { has("--force") ? .replaced : .refused }

    /// The one picture for the one input; `nil` for a numbered sequence, too.
    var picture: PictureOutput? {
        guard let output, FramePattern(output) == nil, let format = PictureFormat(fileName: output) else {
            return nil
        }
        var picture = PictureOutput(destination: .file(output), format: format)
        (picture.json, picture.existing) = (has("--json"), existing)
        return picture
    }
}
