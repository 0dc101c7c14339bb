internal import ArgumentParser
internal import Isobath

/// `isobath cloud`
struct Cloud: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloud",
        abstract: "Write the depth of a photo or raster as a point cloud, upright and in color.",
        discussion: """
            Points are in meters, as far as the accuracy of the depth goes; the header says that, the axes and where the \
            camera is known from. The lens is corrected where the file tells its distortion. Without intrinsics in the \
            file, --focal counts (for photos, too), then the 35 mm focal length in Exif, then a usual field of view.
            """)

    @Argument(help: "A photo or a depth raster; - is standard input.")
    var input: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write to this file; - is standard output, as PLY.", valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "opengl: x right, y up, z backward; opencv: x right, y down, z forward.", valueName: "name"))
    var axes: CloudAxes = .opengl

    @Flag(
        help: """
            Write a surface of triangles, cut at depth edges: the photo is its texture in .obj (with .mtl and .jpg) and \
            .glb, the color of its vertices in .ply.
            """)
    var mesh = false

    @Flag(help: "Write normals, towards the camera.")
    var normals = false

    @Flag(help: "Leave the distortion of the lens in.")
    var noUndistort = false

    @Flag(help: "Write text, where the format can be text.")
    var ascii = false

    @Flag(help: "Print what was written as a JSON object.")
    var json = false

    @OptionGroup var existing: ExistingFileOptions

    @OptionGroup(title: "Points") var points: CloudPointOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if output != "-", CloudFormat(fileName: output) == nil {
            throw ValidationError(
                "'\(output.forTerminal)' names no known format of point clouds; use \(CloudFormat.names).")
        }
        try validateFormat()
        if output == "-", json { throw ValidationError("--json and -o - both write to standard output.") }
    }

    private func validateFormat() throws {
        if mesh, !format.holdsMeshes {
            let formats = CloudFormat.names(of: CloudFormat.allCases.filter(\.holdsMeshes))
            throw ValidationError("'.\(format.rawValue)' holds no triangles; --mesh needs \(formats).")
        }
        if mesh, points.voxel != nil || points.outliers || points.maxPoints != nil {
            throw ValidationError(
                "--mesh joins neighbors in the map: --voxel, --outliers and --max-points do not go with it; use --stride."
            )
        }
        if let prescribed = format.prescribedAxes, prescribed != axes {
            throw ValidationError("'.\(format.rawValue)' prescribes its axes: --axes \(prescribed.rawValue).")
        }
        if ascii, !format.canBeText {
            throw ValidationError("'.\(format.rawValue)' is no text, so that --ascii does not go with it.")
        }
    }

    func run() throws {
        var run = InputRun(common, hasResults: json, writingIn: OutputFile.folders(of: output))
        try run.perform(input, write)
    }

    private func write(_ reporter: Reporter) throws {
        guard try wantsOutput() else {
            reporter.countSkipped()
            return reporter.remark("left as it is: \(output)", of: input)
        }
        let (source, remark) = try openDepthInput(input, reading: rasters.reading, limits: common.limits)
        if let remark { reporter.remark(remark, of: input) }
        let remarks = remarks(on: source)
        for remark in remarks { reporter.remark(remark, of: input) }
        let cloud = try source.cloud(export)
        // Decoders may have warned.
        let warnings = self.remarks(on: source).filter { !remarks.contains($0) }
        for remark in warnings + cloud.remarks { reporter.remark(remark, of: input) }
        let isWritten = try existing.write(output) { try cloud.write(to: $0, as: format, isText: ascii) }
        guard isWritten else { return reporter.countSkipped() }
        reporter.countWritten()
        reporter.remark("\(cloud.summary) → \(output == "-" ? "standard output" : output)", of: input)
        if json { reporter.print(Array("\(record(of: cloud).serialized)\n".utf8)) }
    }

    /// Throws when the output exists and is neither to be replaced nor to be left, or when it is an input.
    private func wantsOutput() throws(OutputError) -> Bool {
        let originals = OutputFile.identities(
            ofInputs: [input] + rasters.files + DepthInput.depthImages(beside: input))
        for path in outputs.dropFirst() { try existing.checkIsNoInput(path, keeping: originals) }
        return try existing.wants(output, keeping: originals)
    }

    /// The files that may be written.
    private var outputs: [String] {
        if output == "-" { return [] }
        guard mesh, format == .obj else { return [output] }
        let files = MaterialFiles(besideFile: output)
        return [output, files.libraryPath, files.texturePath]
    }

    private var export: CloudExport {
        var export = CloudExport()
        points.apply(to: &export)
        export.options.hasNormals = normals
        export.axes = axes
        export.isMesh = mesh
        export.hasTexture = mesh && format.holdsTextures
        export.correctsLens = !noUndistort
        export.reading = rasters.reading
        export.sourceName = name
        return export
    }

    private var format: CloudFormat { CloudFormat(fileName: output) ?? .ply }

    /// The input's base name.
    private var name: String {
        input == "-" ? "stdin" : String(input.split(separator: "/").last ?? "input")
    }

    private func remarks(on source: DepthInput) -> [String] {
        let remarks = source.findings.map { "warning: \($0)" } + source.remarks
        guard case .photo = source else { return remarks }
        var rest = rasters.reading
        (rest.focalLength, rest.principalPoint) = (nil, nil)
        return rest.isEmpty ? remarks : remarks + ["this is a photo: flags for rasters change nothing here"]
    }

    private func record(of cloud: ExportedCloud) -> JSONValue {
        .object(
            [
                ("schema", .text("isobath.cloud/1")), ("tool", .text("isobath \(isobathVersion)")),
                ("input", .text(input)), ("output", .text(output)), ("format", .text(format.rawValue)),
            ] + cloud.record)
    }
}

extension ExportedCloud {
    /// Points, size and accuracy on one line.
    fileprivate var summary: String {
        let size = points.header.maximum - points.header.minimum
        let unit = provenance.unit ?? "(no unit)"
        let triangles = mesh.map { " \($0.triangleCount) triangles," } ?? ""
        return
            "\(points.header.pointCount) points,\(triangles) \(size.x.short) × \(size.y.short) × \(size.z.short) \(unit), "
            + provenance.accuracy.rawValue
    }

    /// The fields of `isobath.cloud/1` that tell of the points.
    fileprivate var record: [(String, JSONValue)] {
        let header = points.header
        func numbers(_ point: SIMD3<Float>) -> JSONValue {
            // The digits of the Float32 that is written, no more.
            .array([point.x, point.y, point.z].map { .number(Double($0.description) ?? Double($0)) })
        }
        return [
            ("points", .integer(header.pointCount)),
            ("triangles", mesh.map { .integer($0.triangleCount) } ?? .null),
            (
                "bounds",
                .object([("minimum", numbers(header.minimum)), ("maximum", numbers(header.maximum))])
            ),
            ("unit", provenance.unit.map(JSONValue.text) ?? .null),
            ("accuracy", .text(provenance.accuracy.rawValue)),
            ("axes", .text(provenance.axes.rawValue)),
            ("colors", .bool(header.hasColors || !texture.isEmpty)),
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
