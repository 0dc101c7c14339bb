internal import EmbeddedFormats
internal import ImageContainers
internal import Isobath

/// Brings photos with depth into another form.
struct ConvertJob: Job {
    static let subcommand = "convert"

    var limits: DecodingLimits
    var reading: RasterInterpretation
    var target: ConversionTarget
    var coding: DepthCoding
    var planeQuality: Int?
    var quality: Int
    var sideBySide: SideBySide
    var destination: OutputDestination
    var json: Bool
    /// The file that names the inputs.
    var nameFile: String?
    var existing: ExistingFiles

    var outputFolders: [String] { destination.folders }
    var otherFiles: [String] { [nameFile].compactMap(\.self) + reading.files }
    var writesStandardOutput: Bool { destination.isStandardOutput }
    var recordSchema: String? { json ? "isobath.convert/1" : nil }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let path = input.path
        let output = destination.path(for: input)
        guard try existing.wants(output, keeping: originals) else {
            reporter.countSkipped(output)
            return reporter.remark("left as it is: \(output)", of: path)
        }
        reporter.add([("to", .text(target.rawValue))])
        switch target {
        case .rgbd: try writeSideBySide(path, to: output, reporter)
        case .exr: try writeLayers(path, to: output, reporter)
        case .pair: try writePair(path, to: output, originals, reporter)
        case .appleJPEG, .appleHEIC, .gDepth, .dynamicDepth: try writePhoto(path, to: output, reporter)
        }
    }

    // MARK: Photos

    /// The depth of an input, and the bytes of the photo that it belongs to.
    private func open(_ path: String, _ reporter: Reporter) throws -> (
        source: any PlaneSource, photo: [UInt8]
    ) {
        let bytes = try contents(ofInput: path, limits: limits)
        var source = try DepthScene.source(
            MemorySource(bytes), named: path, reading: reading, limits: limits)
        var photo = bytes
        if path != "-",
            let pair = try source.pairedWithCompanionDepth(beside: path, reading: reading, limits: limits)
        {
            source = pair.source
            reporter.remark("it has no depth of its own; using \(pair.name) beside it", of: path)
        } else if source.ignores(reading) {
            reporter.remark(unusedRasterFlags, of: path)
        } else if source.usesReading {
            guard let color = reading.colorPath else { throw SceneError.noPicture }
            photo = try contents(ofInput: color, limits: limits)
        }
        reporter.report(source.diagnostics, of: path)
        return (source, photo)
    }

    private func conversion(_ form: DepthForm) -> PhotoConversion {
        var conversion = PhotoConversion(form: form, coding: coding, planeQuality: planeQuality)
        conversion.quality = quality
        return conversion
    }

    private func writePhoto(_ path: String, to output: String, _ reporter: Reporter) throws {
        guard let form = target.form else { return }
        let (source, photo) = try open(path, reporter)
        let edited = try conversion(form).convert(source, photo: photo, limits: limits)
        reporter.report(edited.diagnostics, except: source.diagnostics, of: path)
        let isWritten = try existing.write(output, reporter) { try $0.write(bytes: edited.bytes) }
        finish(output, isWritten, edited.codings.joined(separator: "; "), path, reporter)
    }

    private func writePair(
        _ path: String, to output: String, _ originals: Set<FileIdentity>, _ reporter: Reporter
    ) throws {
        let depthPath = output.dropLast(output.pathExtension.count + 1) + "_depth.png"
        try existing.checkIsNoInput(String(depthPath), keeping: originals)
        let (source, photo) = try open(path, reporter)
        let plane = try source.depthPlane()
        let exported = try source.export(
            plane, as: PlaneExport(format: .png, quantity: plane.scale == .affine ? nil : .disparity))
        reporter.report(exported.diagnostics, of: path)
        let base = try conversion(.appleJPEG).photoWithoutDepth(photo, limits: limits)
        reporter.report(base.diagnostics, except: source.diagnostics, of: path)
        let depth = try bytesWritten { (descriptor) throws(WriteError) in
            try exported.raster.write(as: .png, to: descriptor)
        }
        let isWritten = try existing.write(output, reporter) { file in
            let companion = Companion(
                file: OutputFile(path: String(depthPath), replacesExisting: file.replacesExisting),
                bytes: depth)
            try file.write(with: [companion]) { (descriptor) throws(WriteError) in
                try writeAll(base.bytes, to: descriptor)
            }
        }
        finish(output, isWritten, "white is near in \(String(depthPath).lastPathComponent)", path, reporter)
    }

    // MARK: Pictures

    private func writeSideBySide(_ path: String, to output: String, _ reporter: Reporter) throws {
        let scene = try openScene(Input(path: path), reading: reading, limits: limits, reporter)
        let frame = try sideBySide.frame(of: scene)
        reporter.report(scene.diagnostics, of: path)
        let format = PictureFormat(fileName: output) ?? .png
        let isWritten = try existing.write(output, reporter) { file in
            try file.write { (descriptor) throws(WriteError) in
                try frame.write(as: format, quality: quality, to: descriptor)
            }
        }
        let side = sideBySide.depthIsLeft ? "left" : "right"
        finish(
            output, isWritten,
            "depth to the \(side), near \(sideBySide.blackIsNear ? "black" : "white")"
                + (sideBySide.isHalf ? ", half width" : ""), path, reporter)
    }

    private func writeLayers(_ path: String, to output: String, _ reporter: Reporter) throws {
        let scene = try openScene(Input(path: path), reading: reading, limits: limits, reporter)
        let layers = try LayeredScene.exr(of: scene)
        reporter.report(scene.diagnostics, of: path)
        let isWritten = try existing.write(output, reporter) { file in
            try file.write { (descriptor) throws(WriteError) in try layers.write(to: descriptor) }
        }
        finish(output, isWritten, layers.channelNames.joined(separator: ", "), path, reporter)
    }

    private func finish(
        _ output: String, _ isWritten: Bool, _ words: String, _ path: String, _ reporter: Reporter
    ) {
        guard isWritten else { return reporter.countSkipped(output) }
        reporter.countWritten(output)
        reporter.remark("\(words) → \(PictureOutput.shown(output))", of: path)
    }
}
