public import ArgumentParser
public import Isobath

/// Where pictures go, and in which form.
struct PictureOutputOptions: ParsableArguments {
    @OptionGroup var files: OutputOptions

    @Option(
        help: ArgumentHelp(
            "The file format, jpeg, png or tiff, where the extension of the name given with -o does not say it.",
            valueName: "format"))
    var format: PictureFormat?

    @Option(help: ArgumentHelp("The quality of JPEG, 1 to 100.", valueName: "q"))
    var quality = Raster.defaultJPEGQuality

    @Flag(help: "Leave out the photo's Exif and XMP; its color profile stays.")
    var stripMetadata = false

    func validate() throws {
        guard (1...100).contains(quality) else { throw ValidationError("'--quality' is 1 to 100.") }
        guard let output = files.output, output != "-" else { return }
        let named = PictureFormat(fileName: output)
        if named == nil, format == nil {
            throw ValidationError(
                "'\(output.forTerminal)' names no known format; use .jpg, .png or .tiff, or --format.")
        }
        if let named, let format, named != format {
            throw ValidationError(
                "--format \(format.rawValue) and the name '\(output.forTerminal)' disagree.")
        }
    }

    /// The format of all pictures; `standard` where nothing says it.
    func resolvedFormat(_ standard: PictureFormat) -> PictureFormat {
        format ?? files.output.flatMap(PictureFormat.init(fileName:)) ?? standard
    }

    /// The flags as a job takes them. `suffix` is for files in a folder, `standard` the format where a name has none.
    func pictureOutput(suffix: String, standard: PictureFormat = .jpeg) -> PictureOutput {
        let format = resolvedFormat(standard)
        return PictureOutput(
            destination: files.destination(suffix: suffix, fileExtension: format.fileExtension),
            format: format, quality: quality, stripsMetadata: stripMetadata, json: files.json,
            nameFile: files.batch.nameFile, existing: files.existing.existing)
    }
}

extension PictureFormat: ExpressibleByArgument {
    /// A format by its name; `jpg` is JPEG, too.
    public init?(argument: String) {
        self.init(rawValue: argument == "jpg" ? "jpeg" : argument)
    }
}
