internal import ArgumentParser
internal import Isobath
internal import Movies

/// The destination and format of pictures.
struct PictureOutputOptions: FlagGroup {
    static let kinds: FlagKinds = ["strip-metadata": .stills, "no-hdr": [.photo, .raster, .pair]]

    @OptionGroup var files: OutputOptions

    @OptionGroup var quality: QualityOptions

    @Flag(help: "Omit the photo's Exif and XMP; its color profile stays.")
    var stripMetadata = false

    @Flag(
        help:
            "Drop the HDR gain map of a photo. Without it, JPEG keeps the map in the photo's form, with the same effect applied."
    )
    var noHdr = false

    /// Throws if an output that cannot hold a gain map is told to drop it. In a batch, remarks say so of photos that have one.
    func checkHDR(_ format: PictureFormat?, _ inputs: [String]) throws {
        guard noHdr, format != .jpeg, !files.batch.isBatch(inputs) else { return }
        throw ValidationError(
            "--no-hdr has no effect: \(format.map { $0.rawValue.uppercased() } ?? "a sequence") holds no HDR gain map"
        )
    }

    /// The flags as a job takes them. `suffix` is for files that are named after their inputs; `usual` is the default
    /// format.
    func output(
        suffix: String, _ format: PictureFormat, _ frames: SequenceOutput.Kind?, _ codec: MovieCodec?,
        _ arguments: VerbArguments
    ) -> PictureOutput {
        PictureOutput(
            destination: files.destination(suffix: suffix, fileExtension: format.fileExtension),
            format: format, quality: quality.orUsual, stripsMetadata: stripMetadata,
            json: arguments.hasRecord(files.name.printing), existing: arguments.existing(files.name),
            dropsHDR: noHdr, frames: frames,
            numbered: files.format.flatMap { PictureFormat(argument: $0) }
                .flatMap { FrameFormat(rawValue: $0.rawValue) },
            codec: codec)
    }
}
