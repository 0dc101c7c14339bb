internal import EmbeddedFormats
internal import ImageContainers
internal import Isobath
internal import Networks

/// Writes planes of a photo, or a plain raster.
struct ExtractJob: Job {
    static let subcommand = "extract"

    var limits = DecodingLimits()
    var reading = RasterInterpretation()
    /// The one file; `-` is standard output.
    var output: String?
    /// The folder of files that are named after input and plane.
    var outputDirectory: String?
    var plane: PlaneChoice?
    /// Where depth comes from.
    var origin = DepthOrigin.file
    var quantity: DepthQuantity?
    var format: RasterFormat
    var pngStyle = PlaneExport.PNGStyle.normalized
    var storedOrientation = false
    var sidecar = false
    var json = false
    var existing = ExistingFiles.refused
    var treatment = MapTreatment()
    var upsamples = false
    /// The network that sees depth or a matte.
    var network: NetworkUse?
    var colorMap: ColorMap?
    var equalizes = false
    /// The file that names the inputs.
    var nameFile: String?
    /// What stands between the input's name and the plane's in the names of files.
    var separator = "-"

    var otherFiles: [String] { reading.files + (network?.files ?? []) + [nameFile].compactMap(\.self) }
    var writesStandardOutput: Bool { output == "-" }
    var recordSchema: String? { nil }

    var outputFolders: [String] {
        existing == .collected
            ? [] : (output ?? outputDirectory.map { $0 + "/." }).map(OutputFile.folders) ?? []
    }

    func directed(to output: String) -> any Job {
        var job = self
        let isFolder = output.hasSuffix("/")
        (job.output, job.outputDirectory) = isFolder ? (nil, output) : (output, nil)
        return job
    }

    func prepare() { network?.loadRuntime() }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        var result = extract(input, keeping: originals, reporter)
        if let renaming = input.renaming, !result.outputs.isEmpty { result.remarks.append(renaming.remark) }
        tell(result, of: input, reporter)
    }

    func report(_ error: any Error, on input: Input, _ reporter: Reporter) {
        tell(ExtractResult(errors: [error]), of: input, reporter)
    }

    private func tell(_ result: ExtractResult, of input: Input, _ reporter: Reporter) {
        for remark in result.remarks { reporter.remark(remark, of: input.path) }
        for loss in result.losses { reporter.lose(loss, of: input.path) }
        for error in result.errors { reporter.fail(error, ofInput: input.path) }
        for output in result.outputs {
            output.isSkipped ? reporter.countSkipped(output.path) : reporter.countWritten(output.path)
        }
        if json { reporter.print(Array("\(result.record(input: input.path).serialized)\n".utf8)) }
    }

    private func extract(_ file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter)
        -> ExtractResult
    {
        var result = ExtractResult()
        do {
            // What can be seen before the input is read.
            if let output, try !existing.wants(output, keeping: originals), !sidecar {
                result.skip(output, nil)
                return result
            }
            let (source, remark) = try openSource(file, reading: reading, limits: limits)
            if let remark { result.remarks.append(remark) }
            if source.ignores(reading), origin != .stereo {
                result.remarks.append(unusedRasterFlags)
            }
            switch plane {
            case _ where network != nil:
                try writeFromNetwork(source, file, originals, reporter, &result)
            case _ where origin == .stereo:
                try writeComputed(source, file, originals, reporter, &result)
            case .photo:
                result.remarks += source.remarks
                try writePicture("photo", of: file, originals, reporter, &result) {
                    try source.exportPhoto(frame: frame)
                }
            case .eye(let eye):
                result.remarks += source.remarks
                try writePicture(eye.rawValue, of: file, originals, reporter, &result) {
                    try Raster(source.view(eye, frame: frame))
                }
            case .all where source.stereo != nil:
                if !source.planes.isEmpty { try writePlanes(source, file, originals, reporter, &result) }
                writeEyes(source, file, originals, reporter, &result)
            default: try writePlanes(source, file, originals, reporter, &result)
            }
        } catch {
            result.errors.append(explained(error, of: file))
        }
        return result
    }

    private var frame: PixelOrientation { storedOrientation ? .stored : .upright }

    private func writePicture(
        _ name: String, of input: Input, _ originals: Set<FileIdentity>, _ reporter: Reporter,
        _ result: inout ExtractResult, _ picture: () throws -> Raster
    ) throws {
        let path = output ?? place(input, kind: name, number: 1)
        guard try existing.wants(path, keeping: originals) else { return result.skip(path, name) }
        let raster = try picture()
        guard try write(raster, to: path, reporter) else { return result.skip(path, name) }
        result.write(path, name, size: (raster.width, raster.height))
    }

    /// Disparity that is computed from a stereo pair, or its confidence.
    private func writeComputed(
        _ source: any PlaneSource, _ input: Input, _ originals: Set<FileIdentity>, _ reporter: Reporter,
        _ result: inout ExtractResult
    ) throws {
        let kind = plane?.kind ?? .disparity
        let name = kind == .disparity ? quantity?.rawValue ?? kind.rawValue : kind.rawValue
        let path = output ?? place(input, kind: name, number: 1)
        // Matching takes longer than everything else, so what is not wanted is known first.
        guard try existing.wants(path, keeping: originals) || sidecar else { return result.skip(path, name) }
        let computed = try source.stereoSource()
        let plane = try kind == .disparity ? computed.depthPlane() : computed.confidencePlane()
        result.note(computed.diagnostics)
        try write(plane, input, originals, to: path, reporter, &result) { try computed.export(plane, as: $0) }
    }

    /// The depth or the matte that a network sees.
    private func writeFromNetwork(
        _ source: any PlaneSource, _ input: Input, _ originals: Set<FileIdentity>, _ reporter: Reporter,
        _ result: inout ExtractResult
    ) throws {
        guard let network else { return }
        let (scene, remark) = try network.scene(
            for: DepthScene(source.sceneSource), keepsPicture: upsamples, limits: limits)
        let isMatte = remark != nil
        guard (plane?.kind).map({ isMatte ? $0 == .matte : $0.isDepth }) ?? true else {
            throw UnsuitableNetwork("this network gives \(isMatte ? "a matte" : "depth") and nothing else")
        }
        let wanted = isMatte ? nil : quantity ?? plane?.kind.map { $0 == .depth ? .depth : .disparity }
        let depth = scene.description.depth
        let name = isMatte ? PlaneKind.matte.rawValue : (wanted ?? depth?.quantity ?? .disparity).rawValue
        let path = output ?? place(input, kind: name, number: 1)
        // Networks take longer than everything else, so what is not wanted is known first.
        guard try existing.wants(path, keeping: originals) || sidecar else { return result.skip(path, name) }
        if !isMatte, let wanted, wanted != depth?.quantity { try scene.scale().requireReciprocal() }
        let computed = try scene.computedPlane(
            isMatte ? .matte : nil, source: "network", type: OutputDestination.name(of: network.path))
        try write(computed, input, originals, to: path, reporter, &result) { export in
            var export = export
            export.quantity = wanted
            return try scene.export(computed, as: export)
        }
        result.remarks += [remark].compactMap(\.self)
        result.note(scene.diagnostics)
    }

    /// Both pictures of a stereo pair; what is wrong with one does not keep the other from being written.
    private func writeEyes(
        _ source: any PlaneSource, _ input: Input, _ originals: Set<FileIdentity>, _ reporter: Reporter,
        _ result: inout ExtractResult
    ) {
        for eye in Eye.allCases {
            do {
                try writePicture(eye.rawValue, of: input, originals, reporter, &result) {
                    try Raster(source.view(eye, frame: frame))
                }
            } catch {
                result.errors.append(error)
            }
        }
    }

    private func writePlanes(
        _ source: any PlaneSource, _ input: Input, _ originals: Set<FileIdentity>, _ reporter: Reporter,
        _ result: inout ExtractResult
    ) throws {
        let planes = try chosenPlanes(of: source)
        let diagnostics = source.diagnostics
        // Damage of planes that were not asked for takes nothing from the output.
        if plane == .all { result.note(diagnostics) } else { result.remarks += diagnostics.remarks }
        if planes.contains(where: \.kind.isDepth), let doubt = try? DepthScene(source).doubtOfNearSide() {
            result.remarks.append(doubt.remark)
        }
        var numbers: [String: Int] = [:]
        for plane in planes {
            let kind =
                plane.kind.isDepth ? (quantity?.rawValue ?? plane.kind.rawValue) : plane.kind.rawValue
            numbers[kind, default: 0] += 1
            do {
                let path = output ?? place(input, kind: kind, number: numbers[kind] ?? 1)
                try write(plane, input, originals, to: path, reporter, &result) {
                    try source.export(plane, as: $0)
                }
            } catch {
                result.errors.append(error)
            }
        }
        // Decoders may have warned.
        result.note(source.diagnostics.filter { !diagnostics.contains($0) })
    }

    private func write(
        _ plane: PlaneDescription, _ input: Input, _ originals: Set<FileIdentity>, to path: String,
        _ reporter: Reporter, _ result: inout ExtractResult, exporting: (PlaneExport) throws -> ExportedPlane
    ) throws {
        let kind = plane.kind.rawValue
        let wantsRaster = try existing.wants(path, keeping: originals)
        let needsSidecar = try sidecar && wantsSidecar(of: path, originals, hasRaster: !wantsRaster)
        guard wantsRaster || needsSidecar else { return result.skip(path, kind) }
        let exported = try exporting(export(of: plane))
        let record = exported.sidecar(input: OutputDestination.name(of: input.path))
        guard wantsRaster else {
            _ = try existing.write(Self.sidecarPath(of: path), reporter) {
                try $0.write(bytes: Self.bytes(of: record))
            }
            return result.skip(path, kind)
        }
        guard try write(exported.raster, to: path, reporter, sidecar: needsSidecar ? record : nil) else {
            return result.skip(path, kind)
        }
        result.write(path, exported, of: kind, record)
    }

    /// The planes that were asked for. Throws when there is none.
    private func chosenPlanes(of source: any PlaneSource) throws -> [PlaneDescription] {
        switch plane {
        case nil: return [try source.depthPlane()]
        case .all:
            guard !source.planes.isEmpty else { throw source.absence(of: nil) }
            return source.planes
        case .photo, .eye: return []
        case .kind(let kind):
            guard let plane = source.plane(kind) else { throw source.absence(of: kind) }
            return [plane]
        }
    }

    private func export(of plane: PlaneDescription) -> PlaneExport {
        var export = PlaneExport(format: format, quantity: quantity, pngStyle: pngStyle, frame: frame)
        (export.treatment, export.upsamples) = (treatment, upsamples)
        export.colorMap = colorMap
        export.equalizes = equalizes
        return export
    }

    /// Returns whether the file was written, and not left as it is.
    private func write(
        _ raster: Raster, to path: String, _ reporter: Reporter, sidecar: JSONValue? = nil
    ) throws -> Bool {
        try existing.write(path, reporter) { file in
            let companions = [sidecar].compactMap(\.self).map { companion(of: file, $0) }
            try file.write(with: companions) { (descriptor) throws(WriteError) in
                try raster.write(as: format, to: descriptor)
            }
        }
    }

    /// Whether a sidecar is to be written. An existing sidecar may describe a previous raster, so it is not
    /// kept when the raster is rewritten.
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
    private func place(_ input: Input, kind: String, number: Int) -> String {
        let folder = outputDirectory ?? "."
        let ending = number > 1 ? "-\(number)" : ""
        return OutputDestination.path(
            in: folder, named: "\(input.stem)\(separator)\(kind)\(ending).\(format.fileExtension)")
    }
}
