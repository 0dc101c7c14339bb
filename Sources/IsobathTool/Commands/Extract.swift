internal import ArgumentParser
internal import Isobath

/// `isobath extract`
struct Extract: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Write planes of photos, and plain depth rasters, as raster files.",
        discussion: """
            Everything comes out upright, lossless and in real units. PNG files hold what their samples mean in an \
            iTXt chunk 'Isobath'; TIFF, EXR, PFM and NPY files hold Float32, nan where unknown. Mattes are written as \
            they are. Rasters are PNG, PGM, TIFF, OpenEXR, PFM, NPY and NPZ. What a file may ask for is limited; \
            --help-hidden lists the limits.
            """)

    @Argument(help: "Photos and depth rasters; - is standard input.")
    var inputs: [String] = []

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
        name: .customLong("as"), help: ArgumentHelp("Convert to depth or disparity.", valueName: "quantity"))
    var quantity: DepthQuantity?

    @Option(help: "The file format, where the name given with -o does not tell it.")
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

    @OptionGroup var existing: ExistingFileOptions

    @OptionGroup var batch: BatchOptions

    @OptionGroup(title: "Treatment") var treatment: TreatmentOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (output == nil) != (outputDirectory == nil) else {
            throw ValidationError("Give either -o FILE or --output-directory DIR.")
        }
        if output != nil, inputs.count > 1 || batch.nameFile != nil || plane == .all {
            throw ValidationError("-o names one file; use --output-directory for several planes or inputs.")
        }
        try batch.check(inputs, noun: "inputs")
        if output == "-", json { throw ValidationError("--json and -o - both write to standard output.") }
        if output == "-", sidecar { throw ValidationError("--sidecar needs a file to stand beside.") }
        if let named = output.flatMap(RasterFormat.init(fileName:)), let format, named != format {
            throw ValidationError("--format \(format.rawValue) and the name '\(output ?? "")' disagree.")
        }
        if let output, output != "-", format == nil, RasterFormat(fileName: output) == nil {
            throw ValidationError(
                "'\(output.forTerminal)' names no known format; use .png, .tiff, .exr, .pfm or .npy, or --format."
            )
        }
        if let kind = plane?.kind, !kind.isDepth, quantity != nil || pngStyle == .millimeters {
            throw ValidationError(
                "--as and --png millimeters are for depth and disparity, not for \(kind.rawValue).")
        }
        if plane?.isPicture == true, quantity != nil || pngStyle != nil || sidecar {
            throw ValidationError("--as, --png and --sidecar are for planes, not for the photo.")
        }
        if plane?.isPicture == true, !treatment.isEmpty {
            throw ValidationError(
                "The photo itself is written as it is; the flags under Treatment are for planes.")
        }
        if let kind = plane?.kind, !kind.isDepth {
            guard treatment.isOnlyUpsampling, kind.isMatte || treatment.isEmpty else {
                throw ValidationError(
                    "The flags under Treatment are for depth and disparity, and --upsample for mattes, too.")
            }
        }
        if treatment.isForPreview, resolvedFormat != .png || (pngStyle ?? .preview) != .preview {
            throw ValidationError("--colormap and --equalize are for --png preview.")
        }
        if resolvedFormat != .png, pngStyle != nil { throw ValidationError("--png is for PNG files.") }
        if pngStyle == .millimeters, quantity == .disparity {
            throw ValidationError("Millimeters measure depth, not disparity.")
        }
    }

    func run() throws {
        let inputs = try batch.names(inputs, common)
        var run = InputRun(
            common, jobs: batch.concurrency, total: inputs.count, hasResults: json, writingIn: folders
        ) {
            OutputFile.identities(
                ofInputs: inputs + inputs.flatMap(DepthInput.depthImages) + rasters.files
                    + [batch.nameFile].compactMap(\.self))
        }
        if let outputDirectory { try run.prepare { try OutputFile.makeFolder(outputDirectory) } }
        let originals = run.originals
        let work: InputRun.Work = { input, reporter in
            tell(extract(input.path, keeping: originals), of: input, reporter)
        }
        var stems: [[UInt8]: String] = [:]
        var distinct: [Input] = []
        for input in inputs {
            let stem = Array(Self.stem(of: input).utf8)
            if outputDirectory != nil, let other = stems[stem] {
                try run.perform(distinct, explain: tell, work)
                distinct = []
                try run.fail(Input(path: input), NameClash(other: other), explain: tell)
            } else {
                stems[stem] = input
                distinct.append(Input(path: input))
            }
        }
        try run.perform(distinct, explain: tell, work)
        try run.finish()
    }

    private var folders: [String] {
        (output ?? outputDirectory.map { $0 + "/." }).map(OutputFile.folders) ?? []
    }

    @Sendable
    private func tell(_ error: any Error, of input: Input, _ reporter: Reporter) {
        tell(ExtractResult(errors: [error]), of: input, reporter)
    }

    private func tell(_ result: ExtractResult, of input: Input, _ reporter: Reporter) {
        for remark in result.remarks { reporter.remark(remark, of: input.path) }
        for error in result.errors { reporter.fail(error, ofInput: input.path) }
        for output in result.outputs { output.isSkipped ? reporter.countSkipped() : reporter.countWritten() }
        if json { reporter.print(Array("\(result.record(input: input.path).serialized)\n".utf8)) }
    }

    private var resolvedFormat: RasterFormat {
        format ?? output.flatMap(RasterFormat.init(fileName:)) ?? .png
    }

    /// `originals` are all inputs: none of them is ever written.
    private func extract(_ input: String, keeping originals: Set<FileIdentity>) -> ExtractResult {
        var result = ExtractResult()
        do {
            // What can be seen before the input is read.
            if let output, try !existing.wants(output, keeping: originals), !sidecar {
                result.skip(output, nil)
                return result
            }
            let (photo, remark) = try openDepthInput(input, reading: rasters.reading, limits: common.limits)
            if let remark { result.remarks.append(remark) }
            if case .photo = photo, !rasters.reading.isEmpty, photo.remarks.isEmpty {
                result.remarks.append("this is a photo: flags for rasters change nothing here")
            }
            switch plane {
            case .photo:
                try writePicture("photo", of: input, originals, &result) {
                    try photo.exportPhoto(frame: frame)
                }
            case .eye(let eye):
                try writePicture(eye.rawValue, of: input, originals, &result) {
                    try photo.exportView(eye, frame: frame)
                }
            default: try writePlanes(photo, input, originals, &result)
            }
        } catch {
            result.errors.append(error)
        }
        return result
    }

    private var frame: DepthPhoto.Frame { storedOrientation ? .stored : .upright }

    private func writePicture(
        _ name: String, of input: String, _ originals: Set<FileIdentity>, _ result: inout ExtractResult,
        _ picture: () throws -> Raster
    ) throws {
        let path = output ?? place(input, kind: name, number: 1)
        guard try existing.wants(path, keeping: originals) else { return result.skip(path, name) }
        let raster = try picture()
        guard try write(raster, to: path) else { return result.skip(path, name) }
        result.write(path, name, size: (raster.width, raster.height))
    }

    private func writePlanes(
        _ photo: DepthInput, _ input: String, _ originals: Set<FileIdentity>, _ result: inout ExtractResult
    ) throws {
        let planes = try chosenPlanes(of: photo)
        let remarks = photo.remarks
        result.remarks += photo.findings.map { "warning: \($0)" } + remarks
        var numbers: [String: Int] = [:]
        for plane in planes {
            let kind =
                plane.kind.isDepth ? (quantity?.rawValue ?? plane.kind.rawValue) : plane.kind.rawValue
            numbers[kind, default: 0] += 1
            do {
                let path = output ?? place(input, kind: kind, number: numbers[kind] ?? 1)
                try write(plane, of: photo, input, originals, to: path, &result)
            } catch {
                result.errors.append(error)
            }
        }
        // Decoders may have warned.
        result.remarks += photo.remarks.filter { !remarks.contains($0) }
    }

    private func write(
        _ plane: AuxiliaryPlane, of photo: DepthInput, _ input: String, _ originals: Set<FileIdentity>,
        to path: String, _ result: inout ExtractResult
    ) throws {
        let kind = plane.kind.rawValue
        let wantsRaster = try existing.wants(path, keeping: originals)
        let needsSidecar = try sidecar && wantsSidecar(of: path, originals, hasRaster: !wantsRaster)
        guard wantsRaster || needsSidecar else { return result.skip(path, kind) }
        let exported = try photo.export(plane, as: export(of: plane))
        let record = exported.sidecar(input: Self.name(of: input))
        guard wantsRaster else {
            _ = try existing.write(Self.sidecarPath(of: path)) { try $0.write(bytes: Self.bytes(of: record)) }
            return result.skip(path, kind)
        }
        guard try write(exported.raster, to: path, sidecar: needsSidecar ? record : nil) else {
            return result.skip(path, kind)
        }
        result.write(path, exported, of: kind, record)
    }

    /// The planes that were asked for. Throws when there is none.
    private func chosenPlanes(of photo: DepthInput) throws -> [AuxiliaryPlane] {
        switch plane {
        case nil: return [try photo.depthPlane()]
        case .all:
            guard !photo.planes.isEmpty else { throw photo.absence(of: nil) }
            return photo.planes
        case .photo, .eye: return []
        case .kind(let kind):
            guard let plane = photo.plane(kind) else { throw photo.absence(of: kind) }
            return [plane]
        }
    }

    private func export(of plane: AuxiliaryPlane) -> PlaneExport {
        var export = PlaneExport(
            format: resolvedFormat, quantity: quantity,
            pngStyle: pngStyle ?? (treatment.isForPreview ? .preview : .normalized),
            frame: frame)
        export.treatment = treatment.treatment
        export.colorMap = treatment.colormap
        export.equalizes = treatment.equalize
        return export
    }

    /// Returns whether the file was written, and not left as it is.
    private func write(_ raster: Raster, to path: String, sidecar: JSONValue? = nil) throws -> Bool {
        let format = resolvedFormat
        return try existing.write(path) { file in
            let companions = [sidecar].compactMap(\.self).map { companion(of: file, $0) }
            try file.write(with: companions) { (descriptor) throws(EncodingError) in
                try raster.write(as: format, to: descriptor)
            }
        }
    }

    /// Whether a sidecar is to be written. Beside a new raster an old one is no matter of course: it may tell of another.
    private func wantsSidecar(
        of path: String, _ originals: Set<FileIdentity>, hasRaster: Bool
    ) throws(OutputError) -> Bool {
        let path = Self.sidecarPath(of: path)
        try existing.checkIsNoInput(path, keeping: originals)
        return try hasRaster ? existing.wants(path, keeping: originals) : true
    }

    private func companion(of file: OutputFile, _ sidecar: JSONValue) -> Companion {
        let path = Self.sidecarPath(of: file.path)
        return Companion(
            file: OutputFile(path: path, replacesExisting: file.replacesExisting),
            bytes: Self.bytes(of: sidecar))
    }

    private static func sidecarPath(of path: String) -> String { path + ".json" }

    private static func bytes(of sidecar: JSONValue) -> [UInt8] { Array((sidecar.serialized + "\n").utf8) }

    /// `<stem>-<kind>.<ext>` in the output folder, then `-2`, `-3` for more of a kind.
    private func place(_ input: String, kind: String, number: Int) -> String {
        let folder = outputDirectory ?? "."
        let ending = number > 1 ? "-\(number)" : ""
        let slash = folder.hasSuffix("/") ? "" : "/"
        return "\(folder)\(slash)\(Self.stem(of: input))-\(kind)\(ending).\(resolvedFormat.fileExtension)"
    }

    /// A path's last component.
    private static func name(of input: String) -> String {
        input == "-" ? "stdin" : String(input.split(separator: "/").last ?? "input")
    }

    /// A file name without its extension.
    private static func stem(of input: String) -> String {
        let name = name(of: input)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}

/// An input whose outputs would have the names of another one's.
private struct NameClash: Error, CustomStringConvertible {
    var other: String

    var description: String {
        "its outputs would have the names of those of '\(other.forTerminal)'; use another folder for it"
    }
}
