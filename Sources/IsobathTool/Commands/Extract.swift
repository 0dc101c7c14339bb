internal import ArgumentParser
internal import Isobath

/// `isobath extract`
struct Extract: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write planes of photos, and plain depth rasters, as raster files.",
        discussion: """
            Everything comes out upright, lossless and in real units. PNG files hold what their samples mean in an \
            iTXt chunk 'Isobath'; TIFF, EXR, PFM and NPY files hold Float32, nan where unknown. Mattes are written as \
            they are. Rasters are PNG, PGM, TIFF, OpenEXR, PFM, NPY and NPZ. What a file may ask for is limited; \
            --help-hidden lists the limits.
            """)

    @Argument(help: "Photos and depth rasters; - is standard input.")
    var inputs: [String]

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

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    @OptionGroup(title: "Treatment") var treatment: TreatmentOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var isolation: IsolationOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (output == nil) != (outputDirectory == nil) else {
            throw ValidationError("Give either -o FILE or --output-directory DIR.")
        }
        if output != nil, inputs.count > 1 || plane == .all {
            throw ValidationError("-o names one file; use --output-directory for several planes or inputs.")
        }
        if inputs.filter({ $0 == "-" }).count > 1 {
            throw ValidationError("Standard input can be read once.")
        }
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
        var stems: [String: String] = [:]
        for input in inputs where outputDirectory != nil {
            if let other = stems.updateValue(input, forKey: Self.stem(of: input)) {
                throw ValidationError(
                    "'\(other.forTerminal)' and '\(input.forTerminal)' would be written under the same names."
                )
            }
        }
    }

    func run() throws {
        prepareStandardStreams()
        var reporter = Reporter(isQuiet: common.quiet)
        let sources = inputs + inputs.flatMap(DepthInput.depthImages)
        let originals = Set(sources.compactMap(OutputFile.identity))
        if isolation.isWorker {
            return Worker.serve(common.limitOptions.limits) { input in
                var reporter = Reporter(isQuiet: common.quiet)
                report(extract(input, keeping: originals), of: input, &reporter)
                return reporter.outcome
            }
        }
        if let outputDirectory { try makeFolder(outputDirectory, &reporter) }
        if isolation.isolate {
            workInIsolation(on: inputs, limits: common.limitOptions.limits, &reporter)
            return try reporter.finish()
        }
        var progress = Progress(total: inputs.count, isQuiet: common.quiet)
        // As many inputs at a time as are worked on at once, so that remarks come in order and soon.
        for start in stride(from: 0, to: inputs.count, by: 16) {
            let group = Array(inputs[start..<min(start + 16, inputs.count)])
            let results = mapInParallel(group) { extract($0, keeping: originals) }
            progress.clear()
            for (input, result) in zip(group, results) {
                let isUnread = result.errors.contains { error in
                    (error as? OutputError).map(StandardOutput.isClosed) ?? false
                }
                if isUnread { throw ExitCode.success }
                report(result, of: input, &reporter)
            }
            progress.show(done: start + group.count)
        }
        progress.clear()
        try reporter.finish()
    }

    private func report(_ result: Result, of input: String, _ reporter: inout Reporter) {
        for remark in result.remarks { reporter.remark(remark, of: input) }
        for error in result.errors { reporter.fail(error, of: (error as? OutputError)?.path ?? input) }
    }

    private var resolvedFormat: RasterFormat {
        format ?? output.flatMap(RasterFormat.init(fileName:)) ?? .png
    }

    private struct Result: Sendable {
        var remarks: [String] = []
        var errors: [any Error] = []
    }

    /// `originals` are all inputs: none of them is ever written.
    private func extract(_ input: String, keeping originals: Set<FileIdentity>) -> Result {
        var result = Result()
        do {
            if let output { try check(output, originals) }
            let limits = common.limitOptions.limits
            let (photo, remark) = try openDepthInput(input, reading: rasters.reading, limits: limits)
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
        _ name: String, of input: String, _ originals: Set<FileIdentity>, _ result: inout Result,
        _ picture: () throws -> Raster
    ) throws {
        let path = output ?? place(input, kind: name, number: 1)
        try check(path, originals)
        let raster = try picture()
        try write(raster, to: path)
        result.remarks.append("\(name) \(raster.width) × \(raster.height) → \(Self.shown(path))")
    }

    private func writePlanes(
        _ photo: DepthInput, _ input: String, _ originals: Set<FileIdentity>, _ result: inout Result
    ) throws {
        let planes = try chosenPlanes(of: photo)
        let remarks = photo.remarks
        result.remarks += photo.findings.map { "warning: \($0)" } + remarks
        var numbers: [String: Int] = [:]
        for plane in planes {
            do {
                let kind =
                    plane.kind.isDepth ? (quantity?.rawValue ?? plane.kind.rawValue) : plane.kind.rawValue
                numbers[kind, default: 0] += 1
                let path = output ?? place(input, kind: kind, number: numbers[kind] ?? 1)
                try check(path, originals)
                if sidecar { try check(path + ".json", originals) }
                let exported = try photo.export(plane, as: export(of: plane))
                try write(exported.raster, to: path)
                if sidecar { try writeSidecar(exported, input, path + ".json") }
                result.remarks.append(
                    "\(plane.kind.rawValue) \(exported.summary(of: plane.kind.rawValue)) → \(Self.shown(path))"
                )
                result.remarks += exported.remarks
            } catch {
                result.errors.append(error)
            }
        }
        // Decoders may have warned.
        result.remarks += photo.remarks.filter { !remarks.contains($0) }
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

    private func write(_ raster: Raster, to path: String) throws {
        let format = resolvedFormat
        try file(path).write { (descriptor) throws(EncodingError) in
            try raster.write(as: format, to: descriptor)
        }
    }

    private func writeSidecar(_ plane: ExportedPlane, _ input: String, _ path: String) throws {
        try file(path).write(
            bytes: Array((plane.sidecar(input: Self.name(of: input)).serialized + "\n").utf8))
    }

    private func file(_ path: String) -> OutputFile { OutputFile(path: path, replacesExisting: force) }

    /// Throws when an output exists and must not be replaced, or when it is an input.
    private func check(_ path: String, _ originals: Set<FileIdentity>) throws(OutputError) {
        if path != "-", let identity = OutputFile.identity(of: path), originals.contains(identity) {
            throw OutputError(path, "the output would replace an input")
        }
        try file(path).checkIsFree()
    }

    private func makeFolder(_ path: String, _ reporter: inout Reporter) throws {
        do {
            try OutputFile.makeFolder(path)
        } catch {
            reporter.fail(error, of: path)
            try reporter.finish()
        }
    }

    /// `<stem>-<kind>.<ext>` in the output folder, then `-2`, `-3` for more of a kind.
    private func place(_ input: String, kind: String, number: Int) -> String {
        let folder = outputDirectory ?? "."
        let ending = number > 1 ? "-\(number)" : ""
        let slash = folder.hasSuffix("/") ? "" : "/"
        return "\(folder)\(slash)\(Self.stem(of: input))-\(kind)\(ending).\(resolvedFormat.fileExtension)"
    }

    /// An output's name in remarks.
    private static func shown(_ path: String) -> String { path == "-" ? "standard output" : path }

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

extension ExportedPlane {
    /// Size, range and accuracy on one line, for a plane of a kind that the line names already.
    fileprivate func summary(of plane: String) -> String {
        let size = "\(raster.width) × \(raster.height)"
        guard let values else { return size }
        let range =
            "\(Float(values.minimum).short) to \(Float(values.maximum).short) \(values.unit ?? "(no unit)")"
        let unknown = if case .integer(let code) = values.unknown { ", \(code) unknown" } else { "" }
        let quantity = values.quantity.rawValue == plane ? "" : "\(values.quantity.rawValue) "
        return "\(size), \(quantity)\(range), \(values.accuracy.rawValue)\(unknown)"
    }
}
