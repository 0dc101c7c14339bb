import Foundation
import Isobath
import TestSupport
import Testing

/// Two pictures of a slanted wall with a step, whose depth is known: Z = f · B / (d + doffs).
private enum Wall {
    static let width = 240
    static let height = 160
    static let focalLength = 200.0
    static let baseline = 0.1
    static let offset = 3.0

    static func disparity(_ x: Double, _ y: Double) -> Double { 8 + 0.02 * x + (y < 60 ? 0 : 7) }

    static func depth(_ x: Double, _ y: Double) -> Double {
        focalLength * baseline / (disparity(x, y) + offset)
    }

    private static func shade(_ x: Double, _ y: Double) -> UInt8 {
        let waves =
            sin(0.9 * x + 0.3 * y) + sin(0.41 * x - 0.77 * y) + sin(0.23 * x * sin(0.05 * y) + 0.2 * y)
        return UInt8(128 + 35 * waves)
    }

    /// A PGM file of one eye's picture.
    static func picture(right: Bool) -> [UInt8] {
        var bytes = Array("P5\n\(width) \(height)\n255\n".utf8)
        for y in 0..<height {
            for x in 0..<width {
                // x = s − 8 − 0.02 · s − step, for the column s in the left picture.
                let step = y < 60 ? 0.0 : 7.0
                let source = right ? (Double(x) + 8 + step) / 0.98 : Double(x)
                bytes.append(shade(source, Double(y)))
            }
        }
        return bytes
    }

    static let middlebury = """
        cam0=[200 0 119.5; 0 200 79.5; 0 0 1]
        cam1=[200 0 122.5; 0 200 79.5; 0 0 1]
        doffs=3
        baseline=100
        width=240
        height=160
        """

    /// The cameras of another pair come first.
    static let kitti = """
        P0: 200 0 119.5 0 0 200 79.5 0 0 0 1 0
        P1: 200 0 119.5 -300 0 200 79.5 0 0 0 1 0
        P2: 200 0 119.5 5 0 200 79.5 0 0 0 1 0
        P3: 200 0 122.5 -15 0 200 79.5 0 0 0 1 0
        """

    static func write(into folder: TemporaryFolder) throws {
        try folder.write(picture(right: false), to: "left.pgm")
        try folder.write(picture(right: true), to: "right.pgm")
        try folder.write(text: middlebury, to: "calib.txt")
        try folder.write(text: kitti, to: "kitti.txt")
    }

    /// The median relative error of a map.
    static func error(of map: DepthMap) -> Float {
        let errors = map.meters.indices.filter { map.meters[$0].isFinite }.map { index in
            let truth = depth(Double(index % width), Double(index / width))
            return abs(map.meters[index] / Float(truth) - 1)
        }
        return errors.sorted()[errors.count / 2]
    }
}

@Suite("Stereo pairs of two files")
struct TwoFilePairTests {
    private let folder = TemporaryFolder()

    init() throws { try Wall.write(into: folder) }

    @Test("A calibration gives meters to 1 % in the median", arguments: ["calib.txt", "kitti.txt"])
    func meters(calibration: String) throws {
        let run = try folder.run(
            "extract left.pgm --right right.pgm --camera \(calibration) --as depth -o d.exr")
        #expect(run.messages.contains("calibrated by P2 and P3") == (calibration == "kitti.txt"))
        let map = try DepthScene(contentsOf: folder.file("d.exr")).depth()
        #expect(map.scale == .absolute && map.meters.count(where: \.isFinite) > 30_000)
        #expect(map.calibration?.focalLengthX == 200)
        #expect(Wall.error(of: map) <= 0.01)
    }

    @Test(
        "A calibration of pictures of twice the size is scaled, and a given baseline takes precedence over its own",
        arguments: [
            ("cam0=[400 0 239.5; 0 400 159.5; 0 0 1]\ndoffs=6\nbaseline=100\nwidth=480\nheight=320\n", nil),
            (Wall.middlebury.replacing("baseline=100", with: "baseline=200"), Wall.baseline),
        ])
    func calibrated(text: String, baseline: Double?) throws {
        var reading = ReadingOptions()
        reading.rightPath = folder.file("right.pgm")
        reading.camera = .file(try folder.write(text: text, to: "other.txt"))
        reading.baseline = baseline
        let scene = try DepthScene(contentsOf: folder.file("left.pgm"), reading: reading)
        #expect(Wall.error(of: try scene.depth()) <= 0.01)
    }

    @Test("The folder of a picture names KITTI's cameras")
    func kittiFolder() throws {
        try folder.write(Wall.picture(right: false), to: "image_00/data/1.pgm")
        let flags = ["--right", "right.pgm", "--camera", "kitti.txt", "--json"]
        let run = try folder.run("info image_00/data/1.pgm \(flags)")
        // 300 / 200 of P0 and P1; P2 and P3 are 0.1 m apart.
        #expect(try run.objects().first?.object("stereo").number("baseline") == 1.5, "\(run.messages)")
    }

    @Test("Without a calibration, disparity has no unit; a baseline and a focal length give it one")
    func uncalibrated() throws {
        let pair = ["left.pgm", "--right", "right.pgm"]
        let plain = try folder.run("info \(pair)")
        #expect(plain.text.contains("stereo pair (two-files)") && plain.text.contains("no unit, affine"))
        let flags = ["--baseline", "0.1", "--camera", "200"]
        let described = try folder.run("info \(pair) \(flags)")
        #expect(described.text.contains("in 1/m, relative"))
        // Both eyes have the camera, as in a calibration with the same numbers.
        let text = "cam0=[200 0 119.5; 0 200 79.5; 0 0 1]\ndoffs=0\nbaseline=100\nwidth=240\nheight=160\n"
        try folder.write(text: text, to: "same.txt")
        for (name, flags) in [("a.npy", flags), ("b.npy", ["--camera", "same.txt"])] {
            let run = try folder.run("extract \(pair) \(flags) --as depth -o \(name)")
            #expect(!run.messages.contains("at infinity"), "\(run.messages)")
        }
        #expect(try folder.bytes(of: "a.npy") == folder.bytes(of: "b.npy"))
        let metric = try folder.run("info \(pair) --camera calib.txt")
        #expect(metric.text.contains("can be computed from the pair, in 1/m, absolute\n"), "\(metric.text)")
    }

    @Test(
        "Verbs take a pair",
        arguments: [
            ["cloud", "-o", "a.ply"], ["cloud", "--mesh", "-o", "a.glb"], ["blur", "-o", "a.png"],
            ["composite", "--near", "1.6", "-o", "a.png"], ["view", "-o", "a.html"],
            ["animate", "--size", "64", "--seconds", "0.3", "-o", "a.gif"],
        ])
    func verbs(command: [String]) throws {
        try folder.run("\(command[0]) left.pgm --right right.pgm --camera calib.txt \(command.dropFirst())")
        #expect(folder.contents.contains { $0.hasPrefix("a.") })
    }

    @Test("A right picture that makes no pair is refused")
    func refused() throws {
        try folder.write(Array(Wall.picture(right: false).prefix(1000)), to: "short.pgm")
        let right = ["--right", "right.pgm", "-o", "out/"]
        for (arguments, status, message) in [
            (["extract", "left.pgm", "right.pgm"] + right, 64, "several inputs"),
            (["extract", "left.pgm", "--plane", "photo"] + right, 64, "--plane names another plane"),
            (["extract", "left.pgm", "--depth-from", "file"] + right, 64, "--right has no effect"),
            (["extract", "left.pgm", "--scale", "1000"] + right, 64, "the scale is for rasters"),
            (["extract", TestImages.path("stereo.mpo")] + right, 1, "a stereo pair by itself"),
            (["extract", TestImages.path("portrait.jpg")] + right, 1, "a pair has one size"),
            (["extract", "left.pgm", "--right", "none.pgm", "-o", "d.exr"], 1, "none.pgm"),
        ] as [([String], Int, String)] {
            try folder.run("\(arguments)", status: status, says: message)
        }
    }

    @Test("Exchanged pictures of a calibrated pair are doubted, and others are not")
    func exchanged() throws {
        for (pair, isDoubted) in [(["left.pgm", "right.pgm"], false), (["right.pgm", "left.pgm"], true)] {
            let run = try Tool.run(
                ["extract", pair[0], "--right", pair[1], "--camera", "calib.txt", "-f", "-o", "d.exr"],
                folder: folder.path)
            // Disparities are −8 to −20 pixels, and doffs is 3: nothing is in front of infinity but wrong matches.
            let isRefused = run.status == 1 && run.messages.contains("at infinity")
            #expect((run.messages.contains("may be exchanged") || isRefused) == isDoubted, "\(run.messages)")
        }
    }

    @Test("A calibration of another shape, or of one camera, is refused")
    func unsuitable() throws {
        let wide = Wall.middlebury.replacing("height=160", with: "height=100")
        try folder.write(text: wide, to: "wide.txt")
        let record = #"{"schema": "isobath.plane/1"}"#
        try folder.write(text: record, to: "record.json")
        for (name, message) in [
            ("wide.txt", "it is for 240 × 100 pixels"), ("record.json", "one camera"),
        ] {
            let run = try Tool.run(
                ["extract", "left.pgm", "--right", "right.pgm", "--camera", name, "-o", "d.exr"],
                folder: folder.path)
            #expect(run.status != 0 && run.messages.contains(message), "\(run.messages)")
        }
    }
}
