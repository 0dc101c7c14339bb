internal import ArgumentParser
internal import Isobath

/// The path of the single output, and whether to print results.
struct OutputFileOptions: FlagGroup {
    static let kinds: FlagKinds = ["output": .all, "force": .all, "skip-existing": .all]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file to write; a folder if the name ends in '/' or is one; '%05d' numbers frames; - is standard output.",
            valueName: "file|dir/|pattern|-"), completion: .file())
    var output: String?

    @OptionGroup var printing: JSONOptions

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    @Flag(help: "Keep existing files, and write those that are missing.")
    var skipExisting = false

    var json: Bool { printing.json }

    func validate() throws {
        if force, skipExisting { throw ValidationError("--force and --skip-existing exclude each other") }
    }

    /// What to do with outputs that exist already; without a flag they are an error.
    var existing: ExistingFiles { force ? .replaced : skipExisting ? .kept : .refused }
}

/// Whether to print results for scripts.
struct JSONOptions: FlagGroup {
    static let kinds: FlagKinds = ["json": .all]

    @Flag(help: "Print one JSON object a line for each input.")
    var json = false
}

/// The paths and the format of the files of a subcommand that accepts several inputs.
struct OutputOptions: FlagGroup {
    static let kinds: FlagKinds = ["format": .all]

    @OptionGroup var name: OutputFileOptions

    @Option(
        help: ArgumentHelp(
            "The file format, where the name of the output has no extension for it.", valueName: "name"))
    var format: String?

    @OptionGroup var batch: BatchOptions

    var json: Bool { name.json }

    var existing: ExistingFiles { name.existing }

    /// The single output file; `nil` if outputs are named after their inputs.
    var file: String? { name.output.flatMap { folder == nil ? $0 : nil } }

    /// The folder of outputs that are named after their inputs; `nil` if not given.
    var folder: String? {
        guard let output = name.output, output != "-", output.hasSuffix("/") || FolderEntry.isFolder(output)
        else { return nil }
        return output
    }

    /// Throws unless each input has an output path. `others` are files that are read besides inputs.
    func check(_ inputs: [String], others: [String?] = []) throws {
        if file == "-", json { throw ValidationError("--json and -o - both write to standard output") }
        if file != nil { try batch.checkOneOutput(for: inputs) }
        try batch.check(inputs)
        // As in 'extract photo.heic depth.png'.
        if inputs.count == 2, name.output == nil, !inputs[1].pathExtension.isEmpty,
            FileIdentity(path: inputs[0]) != nil,
            FileIdentity(path: inputs[1]) == nil, inputs[1] != "-"
        {
            let name = inputs[1].forTerminal
            throw ValidationError("'\(name)' does not exist; to write it, give -o \(name)")
        }
        let names = inputs + others.compactMap(\.self) + [batch.nameFile].compactMap(\.self)
        guard names.count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("'-' is given twice; standard input can be read only once")
        }
    }

    /// Where files go. Outputs named after their inputs are `<stem><suffix>.<extension>`, in the current folder unless
    /// another is given.
    func destination(suffix: String, fileExtension: String) -> OutputDestination {
        if let file { return .file(file) }
        return .folder(folder, suffix: suffix, fileExtension: fileExtension)
    }

    /// Where outputs go that are folders: `-o` names the one of one input, and the folder of those of several,
    /// `<stem><suffix>`.
    func folderDestination(of inputs: [String], suffix: String) -> OutputDestination {
        guard !batch.isBatch(inputs), let output = name.output else {
            return .folder(folder, suffix: suffix, fileExtension: "")
        }
        return .file(output)
    }

    /// Throws if outputs are folders, and `-o` is a stream, or one folder for several inputs.
    func checkFolder(_ inputs: [String]) throws {
        guard let output = name.output else { return }
        if output == "-" { throw ValidationError("a data set is a folder, and -o - is a stream") }
        guard batch.isBatch(inputs), folder == nil else { return }
        throw ValidationError(
            "-o names one folder, and there may be several inputs; -o DIR/ holds a folder for each")
    }

    /// The format that `--format` or the output's extension specifies; `nil` if neither does, or if outputs are named
    /// after their inputs. Messages call the output `product`.
    func format<Format: NamedFormat>(
        _ type: Format.Type = Format.self, for product: String,
        of known: [Format] = Array(Format.allCases)
    ) throws -> Format? {
        let given = try format.map { name in
            guard let format = Format(argument: name) else {
                throw ValidationError(
                    "--format is '\(name.forTerminal)'; it must be \(Self.list(known.map(\.argumentName))) for \(product)"
                )
            }
            return format
        }
        guard let file, file != "-" else { return given }
        let named = Format(fileName: file)
        if let named, let given, named != given {
            throw ValidationError(
                "--format is \(given.argumentName), and the name of the output is '\(file.forTerminal)'; give one of them"
            )
        }
        guard let found = given ?? named else {
            throw ValidationError(
                "'\(file.forTerminal)' has no extension of \(product); use \(Self.list(known.map { ".\($0.fileExtension)" })), or --format"
            )
        }
        return found
    }

    /// `a, b or c`.
    static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

/// A file format that `--format` and file extensions name.
protocol NamedFormat: CaseIterable, RawRepresentable, Equatable where RawValue == String {
    init?(fileName: String)
    /// The extension of automatically named files.
    var fileExtension: String { get }
}

extension NamedFormat {
    /// A format by its name in `--format`; `jpg` is JPEG.
    init?(argument: String) {
        self.init(rawValue: argument == "jpg" ? "jpeg" : argument == "tif" ? "tiff" : argument)
    }

    /// Its name in `--format`.
    var argumentName: String { rawValue }
}

extension RasterFormat: NamedFormat {}
extension PictureFormat: NamedFormat {}
extension CloudFormat: NamedFormat {
    var fileExtension: String { rawValue }
}

/// How JPEG pictures are coded.
struct QualityOptions: FlagGroup {
    static let kinds: FlagKinds = ["quality": .all]

    @Option(
        help: ArgumentHelp(
            "The quality of JPEG pictures, 1 to 100 (default: \(Raster.defaultJPEGQuality)).", valueName: "q")
    )
    var quality: Int?

    /// The quality, or the default.
    var orUsual: Int { quality ?? Raster.defaultJPEGQuality }

    func validate() throws {
        if let quality, !(1...100).contains(quality) {
            throw ValidationError("--quality is \(quality); it must be 1 to 100")
        }
    }

    /// Throws if a quality is given for another format than JPEG.
    func check(isJPEG: Bool, _ output: String) throws {
        if quality != nil, !isJPEG {
            throw ValidationError("--quality has no effect on \(output); it is for JPEG")
        }
    }
}

extension String {
    /// What to add to a message about the name of an output without an extension.
    var folderHint: String { pathExtension.isEmpty ? "; '\(forTerminal)/' names a folder" : "" }
}
