internal import Embedded
internal import Isobath
internal import Reconstruction
internal import Scenes

/// Writes the depth of a photo or raster as a point cloud.
struct CloudJob: Job {
    var arguments: VerbArguments
    var limits = DecodingLimits()
    var reading = InputFlags()
    var treatment = MapTreatment()
    /// Whether the steps of 8-bit depth are removed.
    var dequantizesCoarse = true
    /// The network that computes depth.
    var network: NetworkUse?
    /// The output path or folder.
    var destination: OutputDestination
    var format: CloudFormat
    var isText = false
    var json = false
    var export = CloudExport()
    var existing = ExistingFiles.refused
    // Of recordings:
    /// Which frames are fused.
    var selection = FrameSelection()
    /// Whether the world is turned upright, in the axes of ``export``.
    var isLevel = false
    /// The file of the camera's path.
    var trajectory: String?

    var outputFolders: [String] {
        destination.folders + (trajectory.map(OutputFile.folders) ?? [])
    }
    var otherFiles: [String] { reading.files + (network?.files ?? []) }
    var writesStandardOutput: Bool { destination.isStandardOutput }
    var recordSchema: String? { json ? "isobath.cloud/1" : nil }

    func directed(to output: String) -> any Job {
        var job = self
        job.destination = .file(output)
        return job
    }

    func outputName(of stem: String) -> String {
        // Files beside an OBJ file have a simpler name.
        return export.isMesh && format == .obj ? MaterialFiles(besideFile: "\(stem).obj").libraryPath : stem
    }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        let output = destination.path(for: file)
        let files = [output, trajectory].compactMap(\.self)
        let missing = try files.filter { try wants($0, keeping: originals, output: output) }
        for path in files where !missing.contains(path) { existing.kept(path, reporter, of: input) }
        guard !missing.isEmpty else { return }
        var file = file
        let opened = try open(&file, reporter)
        if let recording = opened.recording {
            return try write(recording, to: missing, output: output, file, reporter)
        }
        guard let still = opened.still else { throw opened.needsRecording(for: "a cloud") }
        reporter.report(opened.diagnostics, of: input)
        if export.isMesh {
            let reason = "a mesh joins neighbors of the depth map; use --stride"
            try arguments.refuse("voxel", because: reason, file, reporter)
        }
        let diagnostics = still.diagnostics
        reporter.report(diagnostics, of: input)
        var export = export
        export.sourceName = OutputDestination.name(of: input)
        let scene = try scene(
            of: still, file, treatment: treatment, dequantizesCoarse: dequantizesCoarse, network: network,
            reporter)
        if network != nil, scene.description.depth == nil {
            throw Failure("this network gives a matte; a cloud is made of depth")
        }
        let cloud = try scene.cloud(export)
        // Decoders may have added warnings.
        reporter.report(scene.diagnostics, except: diagnostics, of: input)
        reporter.report(cloud.diagnostics, of: input)
        let isWritten = try existing.save(output, reporter) {
            try cloud.write(to: $0, as: format, isText: isText)
        }
        guard isWritten else { return }
        reporter.conclude("\(cloud.summary) → \(output == "-" ? "standard output" : output)", of: input)
        reporter.add([("output", .text(output)), ("format", .text(format.rawValue))])
        reporter.add(cloud.record)
    }

    /// Whether to write the output. Throws if it exists and no flag allows to replace or keep it, or if it is an
    /// input.
    private func wants(
        _ path: String, keeping originals: Set<FileIdentity>, output: String
    ) throws(OutputError) -> Bool {
        if path == output {
            for path in companions(of: output) { try existing.checkIsNoInput(path, keeping: originals) }
        }
        return try existing.wants(path, keeping: originals)
    }

    /// The files that may be written beside the cloud.
    private func companions(of output: String) -> [String] {
        guard output != "-", export.isMesh, format == .obj else { return [] }
        let files = MaterialFiles(besideFile: output)
        return [files.libraryPath, files.texturePath]
    }
}

extension ExportedCloud {
    /// Points, size and accuracy on one line.
    fileprivate var summary: String {
        let size = pointSource.header.maximum - pointSource.header.minimum
        let unit = provenance.unit ?? "(no unit)"
        let triangles = meshSource.map { " \($0.triangleCount) triangles," } ?? ""
        return
            "\(pointCount) points,\(triangles) \(size.x.short) × \(size.y.short) × \(size.z.short) \(unit), "
            + provenance.scale.accuracy.rawValue
            + (pictureOrigin == .original ? ", colors from the unblurred original" : "")
    }

    /// The fields of `isobath.cloud/1` that describe the points.
    fileprivate var record: [(String, JSONValue)] {
        let header = pointSource.header
        func numbers(_ point: SIMD3<Float>) -> JSONValue {
            // Write the digits of the Float32 value, no more.
            .array([point.x, point.y, point.z].map { .number(Double($0.description) ?? Double($0)) })
        }
        return [
            ("points", .integer(header.pointCount)),
            ("triangles", meshSource.map { .integer($0.triangleCount) } ?? .null),
            ("meshError", meshError.map { .number(Double($0.bound)) } ?? .null),
            ("meshRimError", .null),
            ("meshErrorUnit", meshError.map { .text($0.measure == .distance ? "m" : "1/m") } ?? .null),
            (
                "bounds",
                .object([("minimum", numbers(header.minimum)), ("maximum", numbers(header.maximum))])
            ),
            ("unit", provenance.unit.map(JSONValue.text) ?? .null),
            ("accuracy", .text(provenance.scale.accuracy.rawValue)),
            ("axes", .text(provenance.axes.rawValue)),
            ("colors", .bool(header.hasColors || !texture.isEmpty)),
            ("colorsFrom", .optional(pictureOrigin?.rawValue)),
            ("normals", .bool(header.hasNormals)), ("splats", .bool(header.splatSpacing != nil)),
            (
                "camera",
                .object([
                    ("source", .text(provenance.camera.name)), ("description", .text("\(provenance.camera)")),
                    ("fx", .number(camera.focalLengthX)), ("fy", .number(camera.focalLengthY)),
                    ("cx", .number(camera.principalPointX)), ("cy", .number(camera.principalPointY)),
                    ("width", .integer(camera.width)), ("height", .integer(camera.height)),
                    ("undistorted", .bool(correctsLens)),
                ])
            ),
        ]
    }
}
