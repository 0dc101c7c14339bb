internal import EmbeddedFormats
internal import Fusion
internal import ImageContainers
internal import Isobath
internal import Recordings

/// Writes the depth of a photo or raster as a point cloud.
struct CloudJob: Job {
    static let subcommand = "cloud"
    static let readsRecordings = true

    var limits = DecodingLimits()
    var reading = RasterInterpretation()
    var treatment = MapTreatment()
    /// The network that sees depth.
    var network: NetworkUse?
    /// Where files go.
    var destination: OutputDestination
    var format: CloudFormat
    var isText = false
    var json = false
    var export = CloudExport()
    var existing = ExistingFiles.refused
    /// The file that names the inputs.
    var nameFile: String?
    /// Whether axes were asked for, which those of a recording do not go with.
    var hasGivenAxes = false
    /// What is said of recordings.
    var choice = RecordingChoice()

    var outputFolders: [String] {
        destination.folders + (choice.trajectory.map(OutputFile.folders) ?? [])
    }
    var otherFiles: [String] { reading.files + (network?.files ?? []) + [nameFile].compactMap(\.self) }
    var writesStandardOutput: Bool { destination.isStandardOutput }
    var recordSchema: String? { json ? "isobath.cloud/1" : nil }

    func prepare() { network?.loadRuntime() }

    func directed(to output: String) -> any Job {
        var job = self
        job.destination = .file(output)
        return job
    }

    func outputName(of stem: String) -> String {
        // Files beside an OBJ file have a plainer name.
        return export.isMesh && format == .obj ? MaterialFiles(besideFile: "\(stem).obj").libraryPath : stem
    }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        let output = destination.path(for: file)
        guard try wants(output, keeping: originals) else {
            reporter.countSkipped(output)
            return reporter.remark("left as it is: \(output)", of: input)
        }
        let source: any PlaneSource
        let remark: String?
        do {
            (source, remark) = try openSource(file, reading: reading, limits: limits)
        } catch let error as ContainerError where error.mayBeRecording(file) {
            // Frames of a movie have no poses.
            guard !isMovie(input) else { throw FusionError.noPoses }
            return try write(input, of: openRecording(input, else: error), to: output, reporter)
        }
        guard !choice.isGiven else { throw RecordingUsageError.notRecording }
        if let remark { reporter.remark(remark, of: input) }
        let diagnostics = source.diagnostics
        reporter.report(diagnostics, of: input)
        for remark in remarks(on: source) { reporter.remark(remark, of: input) }
        var export = export
        export.sourceName = OutputDestination.name(of: input)
        var scene = DepthScene(source.sceneSource)
        if let network {
            let (computed, computation) = try network.scene(for: scene, limits: limits)
            guard computation == nil else {
                throw UnsuitableNetwork("this network gives a matte; a cloud is made of depth")
            }
            scene = computed
        }
        scene = scene.treated(treatment)
        let cloud = try scene.cloud(export)
        // Decoders may have warned.
        reporter.report(scene.diagnostics, except: diagnostics, of: input)
        reporter.report(cloud.diagnostics, of: input)
        let isWritten = try existing.write(output, reporter) {
            try cloud.write(to: $0, as: format, isText: isText)
        }
        guard isWritten else { return reporter.countSkipped(output) }
        reporter.countWritten(output)
        reporter.remark("\(cloud.summary) → \(output == "-" ? "standard output" : output)", of: input)
        reporter.add([("output", .text(output)), ("format", .text(format.rawValue))])
        reporter.add(cloud.record)
    }

    /// Throws when the output exists and is neither to be replaced nor to be left, or when it is an input.
    private func wants(
        _ output: String, keeping originals: Set<FileIdentity>
    ) throws(OutputError) -> Bool {
        for path in companions(of: output) { try existing.checkIsNoInput(path, keeping: originals) }
        return try existing.wants(output, keeping: originals)
    }

    /// The files that may be written beside a cloud's.
    private func companions(of output: String) -> [String] {
        guard output != "-", export.isMesh, format == .obj else {
            return [choice.trajectory].compactMap(\.self)
        }
        let files = MaterialFiles(besideFile: output)
        return [files.libraryPath, files.texturePath]
    }

    private func remarks(on source: any PlaneSource) -> [String] {
        var rest = reading
        (rest.focalLength, rest.principalPoint) = (nil, nil)
        if source.stereo != nil { rest.baseline = nil }
        return source.ignores(rest) ? [unusedRasterFlags] : []
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
            // The digits of the Float32 that is written, no more.
            .array([point.x, point.y, point.z].map { .number(Double($0.description) ?? Double($0)) })
        }
        return [
            ("points", .integer(header.pointCount)),
            ("triangles", meshSource.map { .integer($0.triangleCount) } ?? .null),
            ("meshError", meshError.map { .number(Double($0.bound)) } ?? .null),
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
            ("normals", .bool(header.hasNormals)),
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
