internal import ArgumentParser
internal import Isobath
internal import Recordings
internal import Scenes

/// `isobath cloud`
struct Cloud: FileVerb {
    static let configuration = CommandConfiguration(
        commandName: "cloud",
        _superCommandName: "isobath",
        abstract: "Write depth as a point cloud or a mesh, in color.",
        discussion: """
            Points are in meters, as far as the accuracy of the depth goes. The header states the accuracy, the axes and the origin of \
            the camera. Lens distortion is corrected where the file describes it. Without intrinsics in the file, the focal length \
            is --camera, else the 35 mm focal length in Exif, else a usual field of view.

            The frames of a recording are fused by their poses into one surface in voxels (--voxel), in the coordinates of the poses: a \
            cloud with a point for each voxel, or a mesh. If there are no poses, the camera is followed by depth and color.

            Examples:
              isobath cloud IMG_0001.HEIC -o room.ply
              isobath cloud IMG_0001.HEIC --mesh -o room.glb
              isobath cloud recording/ -o room.ply
            """)

    static let ownKinds: FlagKinds = [
        "camera": .all, "upsample": .stills,
        "model": .stills, "model-profile": .stills, "no-align": .stills,
        "min-confidence": .all,
    ]

    @Argument(
        help: "Photos, rasters and recordings; - is standard input.", completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "Points") var points: CloudPointOptions

    @OptionGroup(title: "Points") var range: DistanceOptions

    @OptionGroup(title: "Meshes") var mesh: MeshOptions

    @OptionGroup(title: "Recordings") var frames: FrameOptions

    @OptionGroup(title: "Recordings") var poses: PoseOptions

    @OptionGroup(title: "Recordings") var fusion: FusionFlags

    @OptionGroup(title: "Output") var files: OutputOptions

    @OptionGroup(title: "Depth") var depth: DepthSourceOptions

    @OptionGroup(title: "Depth") var treatment: TreatmentOptions

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Common") var common: CommonOptions

    func validate() throws {
        try depth.check(input)
        try files.check(inputs)
        if fusion.trajectory != nil, files.batch.isBatch(inputs) {
            throw ValidationError("--trajectory names one file, and there may be several recordings")
        }
        try poses.check(isBatch: files.batch.isBatch(inputs))
        _ = try range.meters()
        let format = try format() ?? .ply
        if mesh.mesh {
            let others = [
                ("remove-outliers", points.removeOutliers),
                ("max-points", points.maxPoints != nil),
            ]
            if let other = others.first(where: \.1) {
                throw ValidationError(
                    "--\(other.0) has no effect with --mesh, which joins neighbors of the depth map; use --stride"
                )
            }
            if format == .obj, files.file == "-" {
                throw ValidationError(
                    "a mesh as .obj is several files, and -o - is one; use --format glb or ply, or name a file"
                )
            }
        }
        if points.splats {
            let others = [("mesh", mesh.mesh), ("normals", points.normals), ("ascii", points.ascii)]
            if let other = others.first(where: \.1) {
                throw ValidationError(
                    "--\(other.0) has no effect with --splats, which writes binary discs with their normals")
            }
        }
        if let prescribed = format.prescribedAxes(forSplats: points.splats), let axes = points.axes,
            prescribed != axes
        {
            throw ValidationError(
                "--axes is \(axes.rawValue), and .\(format.rawValue) files\(points.splats ? " of splats" : "") have axes \(prescribed.rawValue)"
            )
        }
        if points.ascii, !format.canBeText {
            throw ValidationError("--ascii has no effect on .\(format.rawValue), which is not a text format")
        }
    }

    private func format() throws -> CloudFormat? {
        let known = CloudFormat.allCases.filter {
            mesh.mesh ? $0.holdsMeshes : points.splats ? $0.holdsSplats : $0.holdsPoints
        }
        let format = try files.format(
            CloudFormat.self, for: mesh.mesh ? "meshes" : points.splats ? "splats" : "point clouds", of: known
        )
        guard let format, !known.contains(format) else { return format }
        let names = OutputOptions.list(known.map { ".\($0.rawValue)" })
        if points.splats, !mesh.mesh {
            throw ValidationError(".\(format.rawValue) holds no splats; --splats needs \(names)")
        }
        throw ValidationError(
            mesh.mesh
                ? ".\(format.rawValue) holds no triangles; --mesh needs \(names)"
                : ".\(format.rawValue) holds meshes only; --mesh makes one")
    }

    func job(_ arguments: VerbArguments) throws -> any Job {
        let format = try format() ?? .ply
        var job = CloudJob(
            arguments: arguments, limits: common.limits, reading: poses.added(to: input.reading(depth)),
            destination: files.destination(suffix: "", fileExtension: format.rawValue), format: format)
        // The cloud fills and smooths by itself, because their defaults depend on it.
        job.treatment = treatment.treatment
        (job.treatment.fillsHoles, job.treatment.smooths) = (false, false)
        job.dequantizesCoarse = treatment.dequantize == nil
        job.network = depth.network(threads: arguments.threads)
        (job.isText, job.json, job.existing) = (
            points.ascii, arguments.hasRecord(files.name.printing), arguments.existing(files.name)
        )
        job.export = try export(format)
        job.selection = frames.selection
        (job.trajectory, job.isLevel) = (fusion.trajectory, fusion.level)
        return job
    }

    private func export(_ format: CloudFormat) throws -> CloudExport {
        var export = CloudExport()
        let (near, far) = try range.meters()
        export.options.near = near ?? 0
        export.options.far = far ?? CloudOptions.farthest
        export.options.keepsEdges = points.noEdgeFilter
        export.options.stride = points.stride ?? 1
        export.options.maximumCount = points.maxPoints
        export.options.hasNormals = points.normals
        export.options.hasSplats = points.splats
        export.voxelSize = points.voxel
        export.removesOutliers = points.removeOutliers
        export.resolution = treatment.upsample ? .photo : .plane
        export.pictureOrigin = points.picture.picture
        export.axes = points.axes ?? format.prescribedAxes(forSplats: points.splats) ?? .opengl
        // The treatment removes steps already.
        export.keepsSteps = true
        (export.fillsHoles, export.smooths) = (treatment.fillHoles, treatment.smooth)
        export.isMesh = mesh.mesh
        export.maximumMeshError = mesh.maxError
        export.maximumTriangles =
            mesh.maxTriangles ?? (mesh.maxError == nil ? CloudExport.usualTriangles : nil)
        export.hasBackLayer = mesh.backLayer
        export.hasTexture = mesh.mesh && format.holdsTextures
        export.correctsLens = !points.noUndistort
        return export
    }
}

/// Which points are written, and their attributes.
struct CloudPointOptions: FlagGroup {
    static let kinds: FlagKinds = [
        "voxel": .all, "stride": .all, "max-points": .stills, "remove-outliers": .stills,
        "no-edge-filter": .all, "no-undistort": .stills, "normals": .all, "splats": .all,
        "axes": [.stills, .recording, .movie], "ascii": .all,
    ]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Keep one point for each cube of this edge: the mean of those in it. Of recordings: the edge of the voxels of the surface (default: about a hundredth of the usual distance).",
            valueName: "meters"),
        transform: decimal)
    var voxel: Float?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Take every N-th sample of every N-th row.", valueName: "n"))
    var stride: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Keep N points at most, spread evenly.", valueName: "n"))
    var maxPoints: Int?

    @Flag(
        help:
            "Remove outliers: points whose mean distance to 20 neighbors is 2 standard deviations above the mean."
    )
    var removeOutliers = false

    @Flag(help: "Keep flying samples, which lie between two surfaces.")
    var noEdgeFilter = false

    @Flag(help: "Keep the distortion of the lens.")
    var noUndistort = false

    @Flag(help: "Write normals, towards the camera.")
    var normals = false

    @Flag(
        help: """
            Write splats: flat discs on the surface that close the gaps between points. .ply (x right, y down) and \
            .glb (KHR_gaussian_splatting) hold them.
            """)
    var splats = false

    @Option(
        help: ArgumentHelp(
            "opengl (default): x right, y up, z backward; opencv: x right, y down, z forward. Of recordings: with --level.",
            valueName: "name"))
    var axes: CloudAxes?

    @Flag(help: "Write text, where the format can be text.")
    var ascii = false

    @OptionGroup var picture: PictureOriginOptions

    func validate() throws {
        if let voxel, !(voxel.isFinite && voxel > 0) {
            throw ValidationError("--voxel is \(voxel); it must be a positive number of meters")
        }
        for (name, value) in [("stride", stride), ("max-points", maxPoints)] {
            guard let value, value < 1 else { continue }
            throw ValidationError("--\(name) is \(value); it must be 1 or more")
        }
    }
}

/// How a surface is made.
struct MeshOptions: FlagGroup {
    static let kinds: FlagKinds = [
        "mesh": .all, "back-layer": .stills, "max-error": .all, "max-triangles": .all,
    ]

    @Flag(
        help: """
            Write a surface of triangles, cut at depth edges: the photo, or the pictures of a recording, are its texture in \
            .obj (with .mtl and .jpg), .glb and .usdz, the color of its vertices in .ply.
            """)
    var mesh = false

    @Flag(
        help: """
            Also write what the photo does not show: the far surface continued behind near ones, as animate fills it. \
            Turned meshes have no gaps then.
            """)
    var backLayer = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The greatest distance of the surface from samples, or of recordings from the complete surface (default: half a step of coded depth, as far as --max-triangles allows); 0 keeps all samples.",
            valueName: "meters"), transform: decimal)
    var maxError: Float?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Write N triangles at most (default: 500000, or as many as --max-error needs).",
            valueName: "n"))
    var maxTriangles: Int?

    func validate() throws {
        if !mesh {
            if backLayer { throw ValidationError("--back-layer has no effect without --mesh") }
            if maxError != nil { throw ValidationError("--max-error has no effect without --mesh") }
            if maxTriangles != nil { throw ValidationError("--max-triangles has no effect without --mesh") }
        }
        if let maxError, !(maxError >= 0 && maxError.isFinite) {
            throw ValidationError("--max-error is \(maxError); it must be a number of meters, 0 or more")
        }
        if let maxTriangles, maxTriangles < 1 {
            throw ValidationError("--max-triangles is \(maxTriangles); it must be 1 or more")
        }
    }
}

/// How the frames of a recording become one cloud.
struct FusionFlags: FlagGroup {
    static let kinds: FlagKinds = [
        "level": [.recording, .movie], "trajectory": [.recording, .movie],
    ]

    @Flag(
        help:
            "Turn the world upright: y points up, or down with --axes opencv. Gravity shows how if the poses are aligned with it, else the floor does and is at height 0."
    )
    var level = false

    @Option(
        help: ArgumentHelp(
            "Also write the path of the camera: .ply (points and edges) or .json (transforms.json).",
            valueName: "file"), completion: .file())
    var trajectory: String?

    func validate() throws {
        if let trajectory, !["ply", "json"].contains(trajectory.pathExtension) {
            throw ValidationError(
                "--trajectory is '\(trajectory.forTerminal)'; it must be a .ply or .json file")
        }
    }
}
