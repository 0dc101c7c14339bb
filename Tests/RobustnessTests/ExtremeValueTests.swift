import Bytes
import Codecs
import Scenes
import TestSupport
import Testing

/// Values at the limits of number types. Every row states its expected outcome, so that a command which refuses
/// everything, or never reaches the arithmetic, fails.
@Suite("Extreme values")
struct ExtremeValueTests {
    /// The result of a run.
    private struct Run {
        var status: Int
        var messages: String
        var outputs: [String]
    }

    /// Runs the tool in a folder with a raster of 24 × 18 samples, two values in a pattern of checks, and its photo.
    private func run(_ arguments: [String], on values: [Float], camera: String? = nil) throws -> Run {
        let folder = TemporaryFolder()
        let samples = (0..<24 * 18).map { index -> Float in
            let (x, y) = (index % 24, index / 24)
            return values[(x < 12) == (y < 9) ? 0 : 1]
        }
        let raster = Raster(width: 24, height: 18, samples: .float(samples))
        try OutputFile(path: folder.file("d.pfm"), replacesExisting: true).write {
            (descriptor) throws(WriteError) in
            try raster.write(as: .pfm, to: descriptor)
        }
        let colors = (0..<3 * 48 * 36).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try folder.write(Array("P6 48 36 255\n".utf8) + colors, to: "photo.ppm")
        if let camera { try folder.write(camera.utf8, to: "camera.json") }
        // An infinite loop is killed after ten seconds of processor time.
        let run = try Tool.shell(
            #"ulimit -t 10; exec "$0" "$@""#, arguments + ["--color", "photo.ppm", "d.pfm"],
            folder: folder.path)
        return Run(
            status: run.status, messages: run.messages,
            outputs: folder.contents.filter { $0.hasPrefix("out.") })
    }

    /// How a run must end.
    enum Outcome: Sendable {
        /// With 0, and an output.
        case written
        /// With 1, this message, and no output.
        case refused(String)
    }

    private func expect(
        _ run: Run, _ outcome: Outcome, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let details = Comment(rawValue: "\(comment): \(run.status): \(run.messages)")
        switch outcome {
        case .written:
            #expect(run.status == 0, details, sourceLocation: sourceLocation)
            #expect(!run.outputs.isEmpty, details, sourceLocation: sourceLocation)
        case .refused(let message):
            #expect(run.status == 1, details, sourceLocation: sourceLocation)
            let last = run.messages.split(separator: "\n").last ?? ""
            #expect(last == "isobath: d.pfm: error: \(message)", details, sourceLocation: sourceLocation)
            #expect(run.outputs == [], details, sourceLocation: sourceLocation)
        }
    }

    private static let noKnownDepth = "no sample of the depth map is known"
    private static let noneKnown = "no sample is known: all 432 are unknown"
    private static let noPoint = "no sample is left to make a point of, so nothing is written"
    private static let noTriangle = "no sample has neighbors to make a triangle of, so nothing is written"

    private static let blur = ["blur", "-o", "out.png", "--aperture", "1.4"]
    private static let occlude = ["composite", "-o", "out.png", "--layer", "photo.ppm"]
    private static let composite = ["composite", "-o", "out.png", "--background", "red", "--matte", "depth"]

    /// The two values of a raster.
    enum Values: CaseIterable {
        case huge, hugeAndOne, negativeAndTiny, subnormal, infiniteAndOne, infinite, unknownAndHuge, zeros,
            farApart

        var samples: [Float] {
            switch self {
            case .huge: [3e38, -3e38]
            case .hugeAndOne: [3.4e38, 1]
            case .negativeAndTiny: [-3.4e38, 0x1p-149]
            case .subnormal: [0x1p-149, 0x1p-133]
            case .infiniteAndOne: [.infinity, 1]
            case .infinite: [-.infinity, .infinity]
            case .unknownAndHuge: [.nan, 3e38]
            case .zeros: [0, -0.0]
            case .farApart: [1e30, 1e-30]
            }
        }
    }

    /// A command, and the depth values and disparity values that it must refuse without writing anything.
    struct RasterRow: CustomTestStringConvertible, Sendable {
        var arguments: [String]
        var message = ""
        var refusedAsDepth: Set<Values> = []
        var refusedAsDisparity: Set<Values> = []

        var testDescription: String { arguments.joined(separator: " ") }
    }

    /// A picture needs one sample with a disparity of at most 1e30: a distance of 1e-30 m or more.
    private static func picture(_ arguments: [String]) -> RasterRow {
        RasterRow(
            arguments: arguments, message: noKnownDepth,
            refusedAsDepth: [.negativeAndTiny, .subnormal], refusedAsDisparity: [.huge, .unknownAndHuge])
    }

    /// A point needs a distance above 0 that is not at the end of the range of Float.
    private static func cloud(_ arguments: [String], _ message: String) -> RasterRow {
        RasterRow(
            arguments: arguments, message: message,
            refusedAsDepth: [], refusedAsDisparity: [.negativeAndTiny, .subnormal, .zeros])
    }

    private static let rasterRows = [
        picture(blur), picture(occlude + ["--layer-distance", "2"]), picture(composite),
        cloud(["cloud", "-o", "out.ply"], noPoint), cloud(["cloud", "--mesh", "-o", "out.glb"], noTriangle),
        cloud(["cloud", "--voxel", "0.01", "--remove-outliers", "-o", "out.las"], noPoint),
        RasterRow(arguments: ["extract", "--upsample", "-o", "out.exr"]),
        RasterRow(arguments: ["extract", "--smooth", "--fill-holes", "-o", "out.png"]),
        RasterRow(arguments: ["extract", "--as", "disparity", "--values", "preview", "-o", "out.png"]),
        RasterRow(arguments: ["extract", "--values", "millimeters", "-o", "out.png"]),
        RasterRow(arguments: ["extract", "--as", "depth", "-o", "out.npy"]),
    ]

    @Test(
        "A raster of extreme values is written, or refused where no sample is left", arguments: rasterRows,
        Values.allCases)
    func raster(row: RasterRow, values: Values) throws {
        // Distances of 1e9 and more mean that nothing was hit.
        let unknown: [(String, Set<Values>, Set<Values>)] = [
            ("depth", row.refusedAsDepth, [.huge, .infinite, .unknownAndHuge, .zeros]),
            ("disparity", row.refusedAsDisparity, [.infinite]),
        ]
        for (quantity, refused, unknown) in unknown {
            let outcome: Outcome =
                unknown.contains(values)
                ? .refused(Self.noneKnown) : refused.contains(values) ? .refused(row.message) : .written
            expect(
                try run(row.arguments + ["--quantity", quantity], on: values.samples), outcome,
                "\(values) as \(quantity)")
        }
    }

    /// A command with a lens: its outcome with the focal length alone, and with the test's distortion as well.
    struct LensRow: CustomTestStringConvertible, Sendable {
        var arguments: [String]
        var focal: String
        var alone: Outcome
        var distorted: Outcome

        var testDescription: String { "\(arguments.joined(separator: " ")) --camera \(focal)" }
    }

    private static let lensRows: [LensRow] =
        [blur, occlude + ["--layer-distance", "2"]].flatMap { arguments in
            // Pictures do not correct the lens. They calculate in Float, which holds 1e30 and 1e-30.
            [("1e30", nil), ("1e-30", nil), ("1e300", "1e+300"), ("1e-300", "1e-300")].map { focal, name in
                let outcome =
                    name.map { Outcome.refused("invalid focal length: \($0) px") }
                    ?? .written
                return LensRow(arguments: arguments, focal: focal, alone: outcome, distorted: outcome)
            }
        }
        + [(["cloud", "-o", "out.ply"], noPoint), (["cloud", "--mesh", "-o", "out.obj"], noTriangle)].flatMap
    {
        arguments, nothing in
        // The distortion moves every sample out of the range of numbers.
        ["1e30", "1e300"].map {
            LensRow(arguments: arguments, focal: $0, alone: .written, distorted: .refused(nothing))
        }
            + ["1e-30", "1e-300"].map {
                let short = Outcome.refused(
                    "the focal length \($0) is too short for a frame of 24 × 18 pixels")
                return LensRow(arguments: arguments, focal: $0, alone: short, distorted: short)
            }
    }

    @Test(
        "A lens of extreme focal length or distortion is used, or refused with its number",
        arguments: lensRows)
    func lens(row: LensRow) throws {
        expect(
            try run(row.arguments + ["--camera", row.focal], on: [1, 2]), row.alone, "without distortion")
        let camera = """
            {"schema":"isobath.plane/1","calibration":{"intrinsics":{"fx":\(row.focal),"fy":\(row.focal),"cx":12,"cy":9,\
            "width":24,"height":18},"distortion":{"coefficients":[0,1e300,-1e300],"inverseCoefficients":[1e300],\
            "centerX":1e300,"centerY":-1e300},"extrinsics":null,"pixelSize":1e300}}
            """
        expect(
            try run(row.arguments + ["--camera", "camera.json"], on: [1, 2], camera: camera),
            row.distorted,
            "with distortion")
    }

    /// A command with an extreme option, on a raster of 1 m and 2 m.
    struct OptionRow: CustomTestStringConvertible, Sendable {
        var arguments: [String]
        var outcome: Outcome

        init(_ arguments: [String], _ outcome: Outcome = .written) {
            (self.arguments, self.outcome) = (arguments, outcome)
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(
        "An extreme option value is followed, or refused with its number",
        arguments: [
            OptionRow(
                occlude + ["--layer-distance", "1e38"],
                .refused("at 1e+38 m the default width is out of range; give --layer-width")),
            OptionRow(occlude + ["--layer-distance", "1e-38"]),
            OptionRow(occlude + ["--layer-distance", "2", "--layer-width", "1e38"]),
            OptionRow(occlude + ["--layer-distance", "2", "--layer-width", "1e-38"]),
            OptionRow(composite + ["--far", "1e-40"]),
            OptionRow(composite + ["--near", "1e38", "--far", "3e38"]),
            OptionRow(composite + ["--far", "2", "--softness", "3e38"]),
            OptionRow(composite + ["--near", "1e-45"]), OptionRow(blur + ["--focus-distance", "1e-40"]),
            OptionRow(blur + ["--focus-distance", "3e38"]),
            OptionRow(["blur", "-o", "out.png", "--aperture", "1e-38"]),
            OptionRow(["blur", "-o", "out.png", "--aperture", "1e38"]),
            OptionRow(["extract", "--scale", "1e-300", "-o", "out.exr"], .refused(noneKnown)),
            OptionRow(["extract", "--scale", "1e300", "-o", "out.exr"]),
            OptionRow(["extract", "--camera", "1e300", "--baseline", "1e300", "-o", "out.exr"]),
            OptionRow(
                ["cloud", "--voxel", "1e-38", "-o", "out.ply"],
                .refused("voxels of 1e-38 are too small for a cloud of 2.4421026706695557")),
            OptionRow(["cloud", "--voxel", "1e38", "-o", "out.ply"]),
            OptionRow(["cloud", "--far", "1e-45", "-o", "out.ply"], .refused(noPoint)),
            OptionRow(
                ["cloud", "--camera", "5,1e300,-1e300", "-o", "out.ply"],
                .refused("the focal length 5.0 is too short for a frame of 24 × 18 pixels")),
        ])
    func option(row: OptionRow) throws {
        expect(try run(row.arguments, on: [1, 2]), row.outcome, "")
    }
}
