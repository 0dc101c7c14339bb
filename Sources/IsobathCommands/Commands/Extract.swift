internal import ArgumentParser
internal import Isobath

/// `isobath extract`
struct Extract: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        _superCommandName: "isobath",
        abstract: "Write planes of photos, and plain depth rasters, as raster files.",
        discussion: """
            Everything comes out upright, lossless and in real units. PNG files hold what their samples mean in an \
            iTXt chunk 'Isobath'; TIFF, EXR, PFM and NPY files hold Float32, nan where unknown. Mattes are written as \
            they are. Rasters are PNG, PGM, TIFF, OpenEXR, PFM, NPY and NPZ. Sizes and counts are limited; \
            'isobath help limits' lists the limits.
            """)

    @Argument(help: "Photos and depth rasters; - is standard input.")
    var inputs: [String] = []

    @OptionGroup(title: "Output") var target: ExtractTargetOptions

    @OptionGroup(title: "Networks") var networks: NetworkOptions

    @OptionGroup(title: "Output") var existing: ExistingFileOptions

    @OptionGroup(title: "Tar files") var tar: TarOptions

    @OptionGroup(title: "Output") var batch: BatchOptions

    @OptionGroup(title: "Treatment") var treatment: TreatmentOptions

    @OptionGroup(title: "Treatment") var preview: PreviewOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if tar.isGiven {
            guard target.output == nil, target.outputDirectory == nil, inputs.isEmpty, batch.nameFile == nil,
                !target.json
            else {
                throw ValidationError(
                    "With --tar-input, inputs and outputs are in tar files, and so are lines of JSON: name no others."
                )
            }
        } else {
            guard (target.output == nil) != (target.outputDirectory == nil) else {
                throw ValidationError("Give either -o FILE or --output-directory DIR.")
            }
        }
        if target.output != nil {
            try batch.checkOneOutput(for: inputs, advice: "use --output-directory")
            if target.plane == .all {
                throw ValidationError("-o names one file; use --output-directory for all planes.")
            }
        }
        if !tar.isGiven { try batch.check(inputs, noun: "inputs") }
        if target.output == "-", target.json {
            throw ValidationError("--json and -o - both write to standard output.")
        }
        if target.output == "-", target.sidecar {
            throw ValidationError("--sidecar needs a file to stand beside.")
        }
        if let named = target.output.flatMap(RasterFormat.init(fileName:)), let format = target.format,
            named != format
        {
            throw ValidationError(
                "--format \(format.rawValue) and the name '\(target.output ?? "")' disagree.")
        }
        if let output = target.output, output != "-", target.format == nil,
            RasterFormat(fileName: output) == nil
        {
            throw ValidationError(
                "'\(output.forTerminal)' names no known format; use .png, .tiff, .exr, .pfm or .npy, or --format."
            )
        }
        if let kind = target.plane?.kind, !kind.isDepth,
            target.quantity != nil || target.pngStyle == .millimeters
        {
            throw ValidationError(
                "--as and --png millimeters are for depth and disparity, not for \(kind.rawValue).")
        }
        if target.plane?.isPicture == true, target.quantity != nil || target.pngStyle != nil || target.sidecar
        {
            throw ValidationError("--as, --png and --sidecar are for planes, not for the photo.")
        }
        if target.plane?.isPicture == true,
            !treatment.treatment.isEmpty || preview.upsample
                || preview.isForPreview
        {
            throw ValidationError(
                "The photo itself is written as it is; the flags under Treatment are for planes.")
        }
        if let kind = target.plane?.kind, !kind.isDepth {
            guard treatment.treatment.isEmpty, !preview.isForPreview, kind.isMatte || !preview.upsample else {
                throw ValidationError(
                    "The flags under Treatment are for depth and disparity, and --upsample for mattes, too.")
            }
        }
        if networks.model != nil {
            guard target.from == .file, !target.storedOrientation else {
                throw ValidationError("--from stereo and --stored-orientation do not go with --model.")
            }
            guard target.plane != .all, target.plane?.isPicture != true else {
                throw ValidationError(
                    "--model computes depth or a matte; --plane names no other plane with it.")
            }
        }
        if target.from == .stereo, ![nil, .kind(.disparity), .kind(.confidence)].contains(target.plane) {
            throw ValidationError(
                "--from stereo computes disparity and confidence, and no other plane.")
        }
        if preview.isForPreview, resolvedFormat != .png || (target.pngStyle ?? .preview) != .preview {
            throw ValidationError("--colormap and --equalize are for --png preview.")
        }
        if resolvedFormat != .png, target.pngStyle != nil { throw ValidationError("--png is for PNG files.") }
        if target.pngStyle == .millimeters, target.quantity == .disparity {
            throw ValidationError("Millimeters measure depth, not disparity.")
        }
    }

    func run() throws {
        if let input = tar.tarInput, let output = tar.tarOutput {
            let file = OutputFile(path: output, replacesExisting: existing.force)
            return try TarRun(job, common, concurrency: batch.concurrency).perform(from: input, to: file)
        }
        let inputs = try batch.names(inputs, common)
        var job = job
        job.nameFile = batch.nameFile
        try InputRun.perform(
            job, on: inputs, batch, common, folder: target.outputDirectory, hasResults: target.json)
    }

    /// What the flags say is done with each input.
    var job: ExtractJob {
        ExtractJob(
            limits: common.limits, reading: rasters.reading, output: target.output,
            outputDirectory: target.outputDirectory,
            plane: target.plane, origin: target.from, quantity: target.quantity, format: resolvedFormat,
            pngStyle: target.pngStyle ?? (preview.isForPreview ? .preview : .normalized),
            storedOrientation: target.storedOrientation, sidecar: target.sidecar, json: target.json,
            existing: existing.existing,
            treatment: treatment.treatment, upsamples: preview.upsample,
            network: networks.use(batch, inputs: inputs.count),
            colorMap: preview.colormap, equalizes: preview.equalize)
    }

    private var resolvedFormat: RasterFormat {
        target.format ?? target.output.flatMap(RasterFormat.init(fileName:)) ?? .png
    }
}

/// Which planes are written, where and how.
struct ExtractTargetOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write to this file; - is standard output.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Write files named after input and plane into this folder.", valueName: "dir"))
    var outputDirectory: String?

    @Option(
        help: ArgumentHelp(
            "The plane to write. Without it: the stored depth or disparity.",
            valueName: "plane"))
    var plane: PlaneChoice?

    @Option(
        help: ArgumentHelp(
            "Where depth comes from: what is stored (file), or computed from the pictures of a stereo pair (stereo).",
            valueName: "origin"))
    var from = DepthOrigin.file

    @Option(
        name: .customLong("as"), help: ArgumentHelp("Convert to depth or disparity.", valueName: "quantity"))
    var quantity: DepthQuantity?

    @Option(help: "The file format, where the extension of the name given with -o does not say it.")
    var format: RasterFormat?

    @Option(
        name: .customLong("png"),
        help: ArgumentHelp(
            "Samples of depth: 16-bit over the range (default), 16-bit millimeters, or 8-bit for eyes.",
            valueName: "style"))
    var pngStyle: PlaneExport.PNGStyle?

    @Flag(help: "Leave pixels and calibration as they are stored.")
    var storedOrientation = false

    @Flag(help: "Write FILE.json beside each file: everything known of its pixels.")
    var sidecar = false

    @Flag(help: "Print one JSON object a line for each input (schema isobath.extract/1).")
    var json = false
}
