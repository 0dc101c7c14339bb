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
        if mesh, points.voxel != nil || points.removesOutliers || points.maxPoints != nil {
            throw ValidationError(
                "--mesh joins neighbors in the map: --voxel, --remove-outliers and --max-points do not go with it; use --stride."
            )
        }
        if let prescribed = format.prescribedAxes, prescribed != axes {
            throw ValidationError("'.\(format.rawValue)' prescribes its axes: --axes \(prescribed.rawValue).")
        }
        if ascii, !format.canBeText {
            throw ValidationError(
                "'.\(format.rawValue)' is not a text format, so --ascii cannot be used with it.")
        }
    }

    func run() throws {
        try InputRun.perform(
            CloudJob(
                limits: common.limits, reading: rasters.reading, output: output, format: format,
                isText: ascii,
                json: json, export: export, existing: existing.existing),
            on: input, common, hasResults: json)
    }

    private var export: CloudExport {
        var export = CloudExport()
        points.apply(to: &export)
        export.options.hasNormals = normals
        export.axes = axes
        export.isMesh = mesh
        export.hasTexture = mesh && format.holdsTextures
        export.correctsLens = !noUndistort
        return export
    }

    private var format: CloudFormat { CloudFormat(fileName: output) ?? .ply }
}
