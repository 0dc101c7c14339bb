internal import ArgumentParser
internal import Isobath

/// The destination and format of pictures.
struct PictureOutputOptions: ParsableArguments {
    @OptionGroup var files: OutputOptions

    @OptionGroup var quality: QualityOptions

    @Flag(help: "Omit the photo's Exif and XMP; its color profile stays.")
    var stripMetadata = false

    /// The flags as a job takes them. `suffix` is for files that are named after their inputs; `usual` is the default
    /// format.
    func pictureOutput(suffix: String, _ format: PictureFormat) -> PictureOutput {
        PictureOutput(
            destination: files.destination(suffix: suffix, fileExtension: format.fileExtension),
            format: format, quality: quality.orUsual, stripsMetadata: stripMetadata, json: files.json,
            nameFile: files.batch.nameFile, existing: files.existing)
    }
}
