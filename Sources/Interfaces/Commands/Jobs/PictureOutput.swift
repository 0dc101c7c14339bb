internal import Isobath
internal import Movies

/// The destination and format of pictures.
struct PictureOutput: Sendable {
    /// Where files go; for a sequence, a file name pattern.
    var destination: OutputDestination
    /// The format of all pictures.
    var format: PictureFormat
    /// The quality of JPEG, 1…100.
    var quality = Raster.defaultJPEGQuality
    /// Whether to omit Exif and XMP.
    var stripsMetadata = false
    /// Whether to print a line of JSON for each input.
    var json = false
    /// What to do with an output that exists already.
    var existing = ExistingFiles.refused
    /// Whether to drop the gain map of an HDR photo.
    var dropsHDR = false

    /// The form of frames; `nil` if nothing specifies it.
    var frames: SequenceOutput.Kind?
    /// The format of numbered frames that `--format` names.
    var numbered: FrameFormat?
    var codec: MovieCodec?

    /// Where the frames of an input go.
    func sequence(named name: String, of file: Input) throws -> SequenceOutput {
        try SequenceOutput(
            destination, frames, numbered: numbered, named: name, of: file, codec: codec, quality: quality,
            existing: existing)
    }

    /// Whether pictures keep the gain map of an HDR photo.
    var keepsHDR: Bool { format == .jpeg && !dropsHDR }

    /// Reports a gain map that is not kept. Throws if the flag to drop it has no effect on a scene; in a batch, only reports it.
    func checkHDR(of scene: DepthScene, _ arguments: VerbArguments, _ file: Input, _ reporter: Reporter)
        throws
    {
        guard scene.description.hasGainMap else {
            return try arguments.refuse("no-hdr", because: "the photo has no HDR gain map", file, reporter)
        }
        if dropsHDR {
            reporter.remark("the HDR gain map is dropped (--no-hdr)", of: file.path)
        } else if format != .jpeg {
            reporter.remark(
                "the HDR gain map is dropped: \(format.rawValue.uppercased()) cannot hold it",
                of: file.path)
        }
    }

    /// The output's name in remarks.
    static func shown(_ path: String) -> String { path == "-" ? "standard output" : path }

    /// Writes a picture that was made from a photo, and reports it.
    func write(_ picture: Picture, to path: String, _ reporter: Reporter, of file: String) throws {
        let coding = try PictureCoding(picture, as: format, stripsMetadata: stripsMetadata)
        let raster = coding.raster
        let isWritten = try existing.write(path, reporter) { file in
            try file.write { (descriptor) throws(WriteError) in
                try coding.write(quality: quality, to: descriptor)
            }
        }
        guard isWritten else { return existing.kept(path, reporter, of: file) }
        reporter.countWritten(path, size: picture.size)
        if format == .jpeg {
            for block in raster.metadata.blocksTooLargeForJPEG {
                reporter.remark(
                    "the photo's \(block.rawValue) is too large for JPEG, and is omitted", of: file)
            }
        } else if format == .tiff, raster.losesExifInTIFF {
            reporter.remark("the photo's Exif cannot be kept in this TIFF file", of: file)
        }
    }
}
