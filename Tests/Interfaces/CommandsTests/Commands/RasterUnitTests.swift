import Isobath
import TestSupport
import Testing

@Suite("Rasters whose values have a unit")
struct RasterUnitTests {
    /// The depth in meters of the left half of the scene and of the right half.
    private static let (near, far) = (1.0, 3.0)
    private static let (width, height) = (48, 36)

    /// How the scene is stored, with the flags that describe it.
    enum Storage: CaseIterable {
        /// 16-bit PNG of millimeters.
        case millimeters
        /// 32-bit PFM of meters, identified only by its type.
        case floats
        /// Disparity in pixels, beside Middlebury's calibration.
        case middlebury
        /// The output of `extract` for the millimeters, described by the record in it.
        case recorded

        var flags: [String] {
            switch self {
            case .millimeters: ["--scale", "1000", "d.png"]
            case .floats: ["d.pfm"]
            case .middlebury: ["--camera", "calib.txt", "d.pfm"]
            case .recorded: ["own.png"]
            }
        }

        /// The message about the unit if it is assumed.
        var remark: String? {
            self == .floats ? "assuming that samples are meters; use --scale if they are not" : nil
        }
    }

    private static func write(_ samples: Raster.Samples, as format: RasterFormat, to path: String) throws {
        let raster = Raster(width: width, height: height, samples: samples)
        try OutputFile(path: path, replacesExisting: true).write {
            (descriptor) throws(Isobath.WriteError) in
            try raster.write(as: format, to: descriptor)
        }
    }

    private static func samples<Sample>(_ left: Sample, _ right: Sample) -> [Sample] {
        (0..<width * height).map { $0 % width < width / 2 ? left : right }
    }

    /// A folder with the scene as `storage` has it, and a photo of it, gray with fine stripes, twice as large.
    private func folder(_ storage: Storage) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let millimeters = Self.samples(UInt16(Self.near * 1000), UInt16(Self.far * 1000))
        switch storage {
        case .millimeters, .recorded: try Self.write(.gray16(millimeters), as: .png, to: folder.file("d.png"))
        case .floats:
            try Self.write(
                .float(Self.samples(Float(Self.near), Float(Self.far))), as: .pfm, to: folder.file("d.pfm"))
        case .middlebury:
            // Z = baseline · f / (d + doffs): 100 mm · 60 / (4 + 2) = 1000 mm, 100 mm · 60 / (0 + 2) = 3000 mm.
            try Self.write(.float(Self.samples(4, 0)), as: .pfm, to: folder.file("d.pfm"))
            let calibration = """
                cam0=[60 0 24; 0 60 18; 0 0 1]
                cam1=[60 0 24; 0 60 18; 0 0 1]
                doffs=2
                baseline=100
                width=48
                height=36

                """
            try folder.write(calibration.utf8, to: "calib.txt")
        }
        let photo = (0..<96 * 72).flatMap { [UInt8](repeating: $0 % 8 < 4 ? 120 : 180, count: 3) }
        try folder.write(Array("P6 96 72 255\n".utf8) + photo, to: "photo.ppm")
        try folder.write(
            Array("P6 2 2 255\n".utf8) + [250, 0, 0, 250, 0, 0, 250, 0, 0, 250, 0, 0], to: "red.ppm")
        if storage == .recorded {
            try folder.run("extract d.png --scale 1000 -o own.png")
        }
        return folder
    }

    /// The picture that a command makes of the scene, and its messages.
    private func run(
        _ arguments: [String], on storage: Storage, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (picture: RasterFile, messages: String) {
        let folder = try folder(storage)
        let run = try folder.run(
            "\(arguments) --color photo.ppm -o o.png \(storage.flags)", sourceLocation: sourceLocation)
        if let remark = storage.remark {
            #expect(run.messages.contains(remark), "\(run.messages)", sourceLocation: sourceLocation)
        }
        return (try RasterFile(folder.file("o.png")), run.messages)
    }

    private func isRed(_ pixel: [Double]) -> Bool { pixel[0] > 200 && pixel[1] < 60 }

    @Test(
        "occlude hides a layer at 2 m behind a surface at 1 m, and not behind one at 3 m",
        arguments: Storage.allCases)
    func occlude(storage: Storage) throws {
        let (picture, messages) = try run(
            ["composite", "--layer", "red.ppm", "--layer-distance", "2", "--layer-width", "100"], on: storage)
        #expect(messages.contains("at 2 m"))
        for y in [6, 36, 66] {
            #expect(!isRed(picture.pixel(12, y)))
            #expect(isRed(picture.pixel(84, y)))
        }
    }

    @Test(
        "composite --near and --far cut the scene between 1 m and 3 m", arguments: Storage.allCases,
        [("--far", true), ("--near", false)])
    func composite(storage: Storage, cut: (flag: String, keepsLeft: Bool)) throws {
        let (picture, _) = try run(
            ["composite", "--background", "#fa0000", "--matte", "depth", cut.flag, "2"], on: storage)
        for y in [6, 36, 66] {
            #expect(isRed(picture.pixel(12, y)) != cut.keepsLeft)
            #expect(isRed(picture.pixel(84, y)) == cut.keepsLeft)
        }
    }

    /// The difference between light and dark stripes left or right of the edge; 60 in the photo.
    private func contrast(_ picture: RasterFile, _ columns: Range<Int>) -> Double {
        let codes = columns.map { picture.pixel($0, 36)[0] }
        return (codes.max() ?? 0) - (codes.min() ?? 0)
    }

    @Test("blur --focus-distance keeps the surface there sharp", arguments: Storage.allCases)
    func focusDistance(storage: Storage) throws {
        let arguments = ["blur", "--aperture", "0.1", "--focus-distance"]
        let (near, messages) = try run(arguments + ["1"], on: storage)
        #expect(messages.contains("focus as given at 1 m"), "\(messages)")
        #expect(contrast(near, 4..<28) >= 58)
        #expect(contrast(near, 68..<92) < 20)
        let far = try run(arguments + ["3"], on: storage).picture
        #expect(contrast(far, 4..<28) < 20)
        #expect(contrast(far, 68..<92) >= 58)
    }

    /// At four times the distance everything is blurred a quarter as much: the diameter of the blur is the aperture times
    /// the difference of disparities.
    @Test("blur keeps the scale of a map in meters")
    func scale() throws {
        func blurred(_ scale: String) throws -> (RasterFile, String) {
            let folder = try folder(.millimeters)
            let run = try folder.run(
                "blur --aperture 0.1 --focus 0.2,0.5 --scale \(scale) --color photo.ppm -o o.png d.png")
            return (try RasterFile(folder.file("o.png")), run.messages)
        }
        let (close, closeMessages) = try blurred("1000")
        let (away, awayMessages) = try blurred("250")
        #expect(closeMessages.contains("focus as given at 1 m"), "\(closeMessages)")
        #expect(awayMessages.contains("focus as given at 4 m"), "\(awayMessages)")
        #expect(contrast(close, 4..<28) >= 58)
        #expect(contrast(away, 4..<28) >= 58)
        #expect(contrast(close, 68..<92) + 20 < contrast(away, 68..<92))
    }

    @Test(
        "Integer samples without a scale take no distance in meters",
        arguments: [
            ["composite", "--layer", "red.ppm", "--layer-distance", "2"],
            ["composite", "--background", "red", "--matte", "depth", "--far", "2"],
            ["blur", "--focus-distance", "2"],
        ])
    func unitless(arguments: [String]) throws {
        let folder = try folder(.millimeters)
        try folder.run(
            "\(arguments) --color photo.ppm -o o.png d.png", status: 1, says: "this depth map has no unit")
        #expect(!folder.contents.contains("o.png"))
    }
}
