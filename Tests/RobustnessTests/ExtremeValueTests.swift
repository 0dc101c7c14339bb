import DepthIO
import ImageCodecs
import TestSupport
import Testing

/// Values at the edge of what numbers hold, which no camera ever measured.
@Suite("Extreme values")
struct ExtremeValueTests {
    /// Runs the tool in a folder with a raster of 24 × 18 samples, two values in a pattern of checks, and its photo.
    private func run(_ arguments: [String], on values: [Float], camera: String? = nil) throws -> Tool.Run {
        let folder = try TemporaryFolder()
        let samples = (0..<24 * 18).map { index -> Float in
            let (x, y) = (index % 24, index / 24)
            return values[(x < 12) == (y < 9) ? 0 : 1]
        }
        let raster = Raster(width: 24, height: 18, samples: .float(samples))
        try OutputFile(path: folder.file("d.pfm"), replacesExisting: true).write {
            (descriptor) throws(EncodingError) in
            try raster.write(as: .pfm, to: descriptor)
        }
        let colors = (0..<3 * 48 * 36).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try folder.write(Array("P6 48 36 255\n".utf8) + colors, to: "photo.ppm")
        if let camera { try folder.write(camera.utf8, to: "camera.json") }
        // A loop without end is killed after ten seconds of processor time.
        return try Tool.shell(
            #"ulimit -t 10; exec "$0" "$@""#, arguments + ["--color", "photo.ppm", "d.pfm"],
            folder: folder.path)
    }

    private func expectEnd(_ run: Tool.Run, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
            [0, 1].contains(run.status), "\(run.status): \(run.messages)", sourceLocation: sourceLocation)
        #expect(run.status == 0 || run.messages.contains("isobath: "), sourceLocation: sourceLocation)
    }

    private static let blur = ["blur", "-o", "out.png", "--aperture", "1.4"]
    private static let occlude = ["occlude", "-o", "out.png", "--layer", "photo.ppm"]
    private static let composite = ["composite", "-o", "out.png", "--background", "red", "--matte", "depth"]

    @Test(
        "of a raster end no command",
        arguments: [
            blur, occlude + ["--distance", "2"], composite, ["cloud", "-o", "out.ply"],
            ["cloud", "--mesh", "-o", "out.glb"],
            ["cloud", "--voxel", "0.01", "--outliers", "-o", "out.las"],
            ["extract", "--upsample", "-o", "out.exr"],
            ["extract", "--smooth", "--fill-holes", "-o", "out.png"],
            ["extract", "--as", "disparity", "--png", "preview", "--equalize", "-o", "out.png"],
            ["extract", "--png", "millimeters", "-o", "out.png"],
            ["extract", "--as", "depth", "-o", "out.npy"],
        ],
        [
            [3e38, -3e38], [3.4e38, 1], [-3.4e38, 0x1p-149], [0x1p-149, 0x1p-133], [.infinity, 1],
            [-.infinity, .infinity], [.nan, 3e38], [0, -0.0], [1e30, 1e-30],
        ] as [[Float]])
    func raster(arguments: [String], values: [Float]) throws {
        for quantity in ["depth", "disparity"] {
            expectEnd(try run(arguments + ["--quantity", quantity], on: values))
        }
    }

    @Test(
        "of a lens end no command",
        arguments: [
            blur, occlude + ["--distance", "2"], ["cloud", "-o", "out.ply"],
            ["cloud", "--mesh", "-o", "out.obj"],
        ], ["1e30", "1e300", "1e-30", "1e-300"])
    func lens(arguments: [String], focal: String) throws {
        expectEnd(try run(arguments + ["--focal", focal], on: [1, 2]))
        let camera = """
            {"schema":"isobath.plane/1","calibration":{"intrinsics":{"fx":\(focal),"fy":\(focal),"cx":12,"cy":9,\
            "width":24,"height":18},"distortion":{"coefficients":[0,1e300,-1e300],"inverseCoefficients":[1e300],\
            "centerX":1e300,"centerY":-1e300},"extrinsics":null,"pixelSize":1e300}}
            """
        expectEnd(try run(arguments + ["--calibration", "camera.json"], on: [1, 2], camera: camera))
    }

    @Test(
        "of an option end no command",
        arguments: [
            occlude + ["--distance", "1e38"], occlude + ["--distance", "1e-38"],
            occlude + ["--distance", "2", "--width", "1e38"],
            occlude + ["--distance", "2", "--width", "1e-38"],
            composite + ["--far", "1e-40"], composite + ["--near", "1e38", "--far", "3e38"],
            composite + ["--far", "2", "--softness", "3e38"], composite + ["--near", "1e-45"],
            blur + ["--focus-distance", "1e-40"], blur + ["--focus-distance", "3e38"],
            ["blur", "-o", "out.png", "--aperture", "1e-38"],
            ["blur", "-o", "out.png", "--aperture", "1e38"],
            ["extract", "--scale", "1e-300", "-o", "out.exr"],
            ["extract", "--scale", "1e300", "-o", "out.exr"],
            ["extract", "--focal", "1e300", "--baseline", "1e300", "-o", "out.exr"],
            ["cloud", "--voxel", "1e-38", "-o", "out.ply"], ["cloud", "--voxel", "1e38", "-o", "out.ply"],
            ["cloud", "--far", "1e-45", "-o", "out.ply"],
            ["cloud", "--focal", "5", "--principal", "1e300,-1e300", "-o", "out.ply"],
        ])
    func option(arguments: [String]) throws {
        expectEnd(try run(arguments, on: [1, 2]))
    }
}
