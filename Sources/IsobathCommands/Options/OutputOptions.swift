internal import ArgumentParser
internal import Isobath

/// Where the files of a subcommand go that makes one of each input.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write to this file; - is standard output.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Write files named after the inputs into this folder.", valueName: "dir"))
    var outputDirectory: String?

    @Flag(help: "Print one JSON object a line for each input.")
    var json = false

    @OptionGroup var existing: ExistingFileOptions

    @OptionGroup var batch: BatchOptions

    /// Throws unless each input has a file to go to; `others` are the other files that are read.
    func check(_ inputs: [String], others: [String?] = []) throws {
        guard (output == nil) != (outputDirectory == nil) else {
            throw ValidationError("Give either -o FILE or --output-directory DIR.")
        }
        if output == "-", json { throw ValidationError("--json and -o - both write to standard output.") }
        if output != nil { try batch.checkOneOutput(for: inputs, advice: "use --output-directory") }
        try batch.check(inputs, noun: "inputs")
        let names = inputs + others.compactMap(\.self) + [batch.nameFile].compactMap(\.self)
        guard names.count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("Standard input can be read once.")
        }
    }

    /// Where files go; in a folder they are named `<stem><suffix>.<extension>`.
    func destination(suffix: String, fileExtension: String) -> OutputDestination {
        if let outputDirectory {
            .folder(outputDirectory, suffix: suffix, fileExtension: fileExtension)
        } else {
            .file(output ?? "-")
        }
    }
}
