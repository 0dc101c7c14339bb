internal import ArgumentParser
internal import Isobath

/// `isobath cloud`
struct Cloud: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloud",
        _superCommandName: "isobath",
        abstract: "Write the depth of a photo, raster or recording as a point cloud, in color.",
        discussion: """
            Points are in meters, as far as the accuracy of the depth goes; the header says that, the axes and where the \
            camera is known from. The lens is corrected where the file tells its distortion. Without intrinsics in the \
            file, --focal counts (for photos, too), then the 35 mm focal length in Exif, then a usual field of view.

            The frames of a recording are fused by their poses into one cloud of voxels (--voxel), in the coordinates of the \
            poses.
            """)

    @Argument(help: "Photos, depth rasters and recordings; - is standard input.")
    var inputs: [String] = []

    @OptionGroup(title: "Cloud") var shape: CloudShapeOptions

    @OptionGroup(title: "Networks") var networks: NetworkOptions

    @OptionGroup(title: "Output") var files: OutputOptions

    @OptionGroup(title: "Points") var points: CloudPointOptions

    @OptionGroup(title: "Recordings") var recordings: RecordingOptions

    @OptionGroup(title: "Treatment of the depth") var treatment: TreatmentOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try files.check(inputs)
        if shape.raw, treatment.dequantize {
            throw ValidationError("--raw leaves the steps that --dequantize removes; give one of them.")
        }
        if let output = files.output, output != "-" {
            let named = CloudFormat(fileName: output)
            if named == nil, shape.format == nil {
                let (kind, formats) =
                    shape.mesh
                    ? ("surfaces", CloudFormat.allCases.filter(\.holdsMeshes))
                    : ("point clouds", CloudFormat.allCases.filter(\.holdsPoints))
                throw ValidationError(
                    "'\(output.forTerminal)' names no known format of \(kind); use \(CloudFormat.names(of: formats))."
                )
            }
            if let named, let format = shape.format, named != format {
                throw ValidationError(
                    "--format \(format.rawValue) and the name '\(output.forTerminal)' disagree.")
            }
        }
        if recordings.trajectory != nil, inputs.count > 1 || files.batch.nameFile != nil {
            throw ValidationError("--trajectory names one file, so it goes with one recording.")
        }
        try validateFormat()
        if !shape.mesh, shape.maxError != nil || shape.maxTriangles != nil {
            throw ValidationError("--max-error and --max-triangles go with --mesh.")
        }
        if let maxError = shape.maxError, !(maxError >= 0 && maxError.isFinite) {
            throw ValidationError("'--max-error' must be a number of meters, 0 or more.")
        }
        if let maxTriangles = shape.maxTriangles, maxTriangles < 1 {
            throw ValidationError("'--max-triangles' must be 1 or more.")
        }
    }

    private func validateFormat() throws {
        if !shape.mesh, !resolvedFormat.holdsPoints {
            throw ValidationError("'.\(resolvedFormat.rawValue)' holds surfaces only; --mesh makes one.")
        }
        if shape.mesh, !resolvedFormat.holdsMeshes {
            let formats = CloudFormat.names(of: CloudFormat.allCases.filter(\.holdsMeshes))
            throw ValidationError(
                "'.\(resolvedFormat.rawValue)' holds no triangles; --mesh needs \(formats).")
        }
        if shape.mesh, points.voxel != nil || points.removesOutliers || points.maxPoints != nil {
            throw ValidationError(
                "--mesh joins neighbors in the map: --voxel, --remove-outliers and --max-points do not go with it; use --stride."
            )
        }
        if shape.mesh, resolvedFormat == .obj, files.output == "-" {
            throw ValidationError(
                "A surface as .obj is several files, and no stream: use '--format glb' or 'ply', or name a file."
            )
        }
        if let prescribed = resolvedFormat.prescribedAxes, prescribed != shape.axes ?? .opengl {
            throw ValidationError(
                "'.\(resolvedFormat.rawValue)' prescribes its axes: --axes \(prescribed.rawValue).")
        }
        if shape.ascii, !resolvedFormat.canBeText {
            throw ValidationError(
                "'.\(resolvedFormat.rawValue)' is not a text format, so --ascii cannot be used with it."
            )
        }
    }

    func run() throws {
        // The isolated process is asked to end, and closes what it writes.
        if common.isolation.isolate { closeOnInterrupt() }
        try InputRun.perform(
            job,
            on: files.batch.names(inputs, common), files.batch, common, folder: files.outputDirectory,
            hasResults: files.json)
    }

    /// What the flags say is done with each input.
    var job: CloudJob {
        CloudJob(
            limits: common.limits, reading: rasters.reading, treatment: treatment.treatment,
            network: networks.use(files.batch, inputs: inputs.count),
            destination: files.destination(suffix: "", fileExtension: resolvedFormat.rawValue),
            format: resolvedFormat, isText: shape.ascii, json: files.json, export: export,
            existing: files.existing.existing, nameFile: files.batch.nameFile,
            hasGivenAxes: shape.axes != nil, choice: recordings.choice)
    }

    private var export: CloudExport {
        var export = CloudExport()
        points.apply(to: &export)
        export.options.hasNormals = shape.normals
        export.axes = shape.axes ?? .opengl
        export.keepsSteps = shape.raw
        export.isMesh = shape.mesh
        export.maximumMeshError = shape.maxError
        export.maximumTriangles =
            shape.maxTriangles ?? (shape.maxError == nil ? CloudExport.usualTriangles : nil)
        export.hasTexture = shape.mesh && resolvedFormat.holdsTextures
        export.correctsLens = !shape.noUndistort
        return export
    }

    private var resolvedFormat: CloudFormat {
        shape.format ?? files.output.flatMap(CloudFormat.init(fileName:)) ?? .ply
    }
}

/// What a cloud is made of, and in which format it is written.
struct CloudShapeOptions: ParsableArguments {
    @Option(
        help: "The file format, where the extension of the name given with -o does not say it (default: ply)."
    )
    var format: CloudFormat?

    @Option(
        help: ArgumentHelp(
            "opengl (default): x right, y up, z backward; opencv: x right, y down, z forward.",
            valueName: "name"))
    var axes: CloudAxes?

    @Flag(
        help: """
            Write a surface of triangles, cut at depth edges: the photo is its texture in .obj (with .mtl and .jpg), \
            .glb and .usdz, the color of its vertices in .ply.
            """)
    var mesh = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            With --mesh: how far the surface may lie from samples that it leaves out (default: half a step of \
            coded depth, as far as --max-triangles allows); 0 keeps all.
            """,
            valueName: "meters"), transform: decimal)
    var maxError: Float?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --mesh: write so many triangles at most (default: 500000, or as many as --max-error takes).",
            valueName: "n"))
    var maxTriangles: Int?

    @Flag(help: "Leave the steps of 8-bit depth, which show as layers, rather than smoothing them away.")
    var raw = false

    @Flag(help: "Write normals, towards the camera.")
    var normals = false

    @Flag(help: "Leave the distortion of the lens in.")
    var noUndistort = false

    @Flag(help: "Write text, where the format can be text.")
    var ascii = false
}
