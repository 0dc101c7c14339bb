internal import ArgumentParser
internal import Isobath

/// Where a picture goes, and in which form.
struct PictureOutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write this JPEG, PNG or TIFF file; - is standard output.", valueName: "file"))
    var output: String

    @Option(help: ArgumentHelp("The quality of JPEG, 1 to 100.", valueName: "q"))
    var quality = 92

    @Flag(help: "Leave out the photo's Exif and XMP; its color profile stays.")
    var stripMetadata = false

    @OptionGroup var existing: ExistingFileOptions

    func validate() throws {
        guard (1...100).contains(quality) else { throw ValidationError("'--quality' is 1 to 100.") }
        guard output == "-" || PictureFormat(fileName: output) != nil else {
            throw ValidationError(
                "'\(output.forTerminal)' names no known format; use .jpg, .png or .tiff.")
        }
    }

    /// The flags as a job takes them.
    var pictureOutput: PictureOutput {
        PictureOutput(
            path: output, quality: quality, stripsMetadata: stripMetadata, existing: existing.existing)
    }
}
