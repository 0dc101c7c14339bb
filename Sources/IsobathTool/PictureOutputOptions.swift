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

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

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

    /// Writes a picture that was made from a photo, and returns what is to be said of it.
    func write(_ picture: Picture, to path: String) throws(OutputError) -> [String] {
        let format = format(isOpaque: picture.isOpaque)
        var raster = picture.raster(with16Bits: format.holds16Bits)
        if stripMetadata { raster.metadata = PictureMetadata() }
        var remarks: [String] = []
        if format == .jpeg {
            remarks = raster.metadata.blocksTooLargeForJPEG.map {
                "the photo's \($0.rawValue) is too large for JPEG"
            }
        } else if format == .tiff, !raster.metadata.exif.isEmpty {
            remarks = ["the photo's Exif is not kept in TIFF; JPEG and PNG keep it"]
        }
        try OutputFile(path: path, replacesExisting: force).write { (descriptor) throws(EncodingError) in
            try raster.write(as: format, quality: quality, to: descriptor)
        }
        return remarks
    }

    /// Throws when a file exists and must not be replaced, or when it is one of those that are read.
    func check(_ path: String, isNoneOf inputs: [String]) throws(OutputError) {
        if path != "-", let identity = OutputFile.identity(of: path),
            (inputs + inputs.flatMap(DepthInput.depthImages))
                .contains(where: { OutputFile.identity(of: $0) == identity })
        {
            throw OutputError(path, "the output would replace an input")
        }
        try OutputFile(path: path, replacesExisting: force).checkIsFree()
    }
}
