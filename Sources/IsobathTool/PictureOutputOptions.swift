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

    /// The format that the name tells; standard output takes JPEG, or PNG where a picture is not opaque.
    func format(isOpaque: Bool) -> PictureFormat {
        PictureFormat(fileName: output) ?? (isOpaque ? .jpeg : .png)
    }

    /// The output's name in remarks.
    var shownOutput: String { output == "-" ? "standard output" : output }

    /// Writes a picture that was made from a photo, and tells of it.
    func write(_ picture: Picture, to path: String, _ reporter: Reporter, of file: String) throws {
        let format = format(isOpaque: picture.isOpaque)
        var raster = picture.raster(with16Bits: format.holds16Bits)
        if stripMetadata { raster.metadata = PictureMetadata() }
        let isWritten = try existing.write(path) { file in
            try file.write { (descriptor) throws(EncodingError) in
                try raster.write(as: format, quality: quality, to: descriptor)
            }
        }
        guard isWritten else { return skip(path, reporter, of: file) }
        reporter.countWritten()
        if format == .jpeg {
            for block in raster.metadata.blocksTooLargeForJPEG {
                reporter.remark("the photo's \(block.rawValue) is too large for JPEG", of: file)
            }
        } else if format == .tiff, raster.losesExifInTIFF {
            reporter.remark("the photo's Exif cannot be kept in this TIFF file", of: file)
        }
    }

    /// Whether a picture is to be made; tells of one that is there and left as it is. Throws when a file exists and is
    /// neither to be replaced nor to be left, or when it is one of those that are read.
    func wants(
        _ path: String, isNoneOf inputs: [String], _ reporter: Reporter, of file: String
    ) throws(OutputError) -> Bool {
        let originals = OutputFile.identities(ofInputs: inputs + inputs.flatMap(DepthInput.depthImages))
        if try existing.wants(path, keeping: originals) { return true }
        skip(path, reporter, of: file)
        return false
    }

    private func skip(_ path: String, _ reporter: Reporter, of file: String) {
        reporter.countSkipped()
        reporter.remark("left as it is: \(path)", of: file)
    }
}
