import Foundation
import Isobath
import RasterFormats
import Reconstruction
import Recordings
import Scenes
import StereoMatching

// Prints the median milliseconds of one piece of work done COUNT times, then writes what it made:
//
//     InProcessBench photo      COUNT IN.heic
//     InProcessBench reciprocal COUNT HALVES.npy OUT.npy
//     InProcessBench upsample   COUNT MAP.npy GUIDE.npy OUT.npy
//     InProcessBench png16      COUNT CODES.npy OUT.png
//     InProcessBench tiff       COUNT MAP.npy OUT.tiff
//     InProcessBench cloud      COUNT DEPTH.npy COLOR.npy FOCAL OUT.ply
//     InProcessBench composite  COUNT PHOTO.npy MATTE.npy BACKGROUND.npy OUT.npy
//     InProcessBench foreground COUNT PHOTO.npy MATTE.npy OUT.npy
//     InProcessBench matte      COUNT PHOTO.npy MATTE.npy OUT.npy
//     InProcessBench stereo     COUNT LEFT.npy RIGHT.npy OUT.npy
//     InProcessBench fuse       COUNT RECORDING VOXEL
//     InProcessBench fuse-elapsed COUNT RECORDING VOXEL
//     InProcessBench trimap     COUNT PHOTO.npy MATTE.npy TRIMAP.npy OUT.npy
//
// `fuse` prints processor time, all threads added up, for each frame, and `fuse-elapsed` the time: decoding is not in them.
//
// MATTE.npy holds codes 0…255 as floats, TRIMAP.npy 0, 255, and 128 where unknown.

func stop(_ message: String) -> Never {
    FileHandle.standardError.write(Data("InProcessBench: \(message)\n".utf8))
    exit(1)
}

func median(_ times: [Duration]) -> Duration {
    let sorted = times.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

/// Does the work `count` times, prints what it took, and returns what it made the last time.
///
/// A file that each pass writes is removed first: replacing one costs more on some file systems.
func timed<Result>(_ count: Int, writing path: String? = nil, _ work: () throws -> Result) throws -> Result? {
    var result: Result?
    let times = try (0..<count).map { _ in
        result = nil
        if let path { unlink(path) }
        return try ContinuousClock().measure { result = try work() }
    }
    print(median(times) / .milliseconds(1))
    return result
}

/// A NumPy array.
struct Array2D {
    let decoder: RasterDecoder
    let description: RasterDescription
    let file: FileSource

    init(_ path: String) throws {
        file = try FileSource(path: path)
        decoder = RasterDecoder(file, limits: DecodingLimits())
        description = try decoder.describe(.npy)
    }

    var width: Int { description.width }
    var height: Int { description.height }

    func color() throws -> ColorImage { try decoder.color(of: description) }

    func floats() throws -> [Float] {
        guard case .float(let samples) = try decoder.samples(of: description) else {
            stop("not an array of floats")
        }
        return samples
    }

    func matte() throws -> Matte {
        Matte(width: width, height: height, coverage: try floats().map { UInt8($0) })
    }

    func codes() throws -> [UInt16] {
        guard case .uint16(let samples) = try decoder.samples(of: description) else {
            stop("not an array of 16-bit codes")
        }
        return samples
    }

    /// The halves as stored: the samples end the file.
    func halves() throws -> [Float16] {
        let count = width * height
        guard description.sampleType == .float16 else { stop("not an array of halves") }
        let bytes = try file.read(file.byteCount - 2 * count..<file.byteCount)
        return (0..<count).map { Float16(bitPattern: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8) }
    }
}

func write(to path: String, _ body: (Int32) throws -> Void) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { stop("\(path) cannot be written") }
    defer { close(descriptor) }
    try body(descriptor)
}

func writeArray(_ samples: [Float]?, _ width: Int, _ height: Int, to path: String) throws {
    guard let samples else { return }
    try write(to: path, Raster(width: width, height: height, samples: .float(samples)).writeNPY)
}

func writePixels(_ image: ColorImage?, to path: String) throws {
    guard let image else { return }
    let raster = Raster(width: image.width, height: image.height, samples: .color(image.pixels))
    try write(to: path, raster.writeNPY)
}

/// Milliseconds that this process kept processors busy.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}

/// Milliseconds since the system started.
func elapsedTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}

/// The milliseconds that fusing a frame of a recording takes by a clock; frames are decoded before.
func fuse(_ count: Int, _ path: String, voxel: Float, by clock: () -> Double) throws {
    let recording = try Recording(contentsOf: path)
    let frames = try recording.frames.indices.map { index in
        let frame = try recording.scene(at: index)
        _ = (try frame.depth(), try? frame.color())
        return frame
    }
    let times = try (0..<count).map { _ in
        var fusion = SurfaceFusion(FusionOptions(voxelSize: voxel), hasConfidence: recording.hasConfidence)
        let start = clock()
        for frame in frames { try fusion.add(frame) }
        return (clock() - start) / Double(frames.count)
    }
    print(times.sorted()[count / 2])
}

func run(_ verb: String, _ count: Int, _ paths: [String]) throws {
    switch (verb, paths.count) {
    case ("photo", 1):
        // The file is opened anew each time: nothing an earlier pass left behind helps the next.
        _ = try timed(count) { try DepthPhoto(contentsOf: paths[0]).image() }
    case ("reciprocal", 2):
        let array = try Array2D(paths[0])
        let halves = try array.halves()
        let reciprocals = try timed(count) { [Float](reciprocalsOf: halves) }
        try writeArray(reciprocals, array.width, array.height, to: paths[1])
    case ("upsample", 3):
        let array = try Array2D(paths[0])
        let guide = try Array2D(paths[1]).color()
        let map = DisparityMap(
            width: array.width, height: array.height, reciprocalMeters: try array.floats(),
            scale: .absolute)
        let upsampled = try timed(count) { try map.upsampled(guidedBy: guide) }
        try writeArray(upsampled?.reciprocalMeters, guide.width, guide.height, to: paths[2])
    case ("png16", 2):
        let array = try Array2D(paths[0])
        let raster = Raster(width: array.width, height: array.height, samples: .gray16(try array.codes()))
        _ = try timed(count, writing: paths[1]) { try write(to: paths[1], raster.writePNG) }
    case ("tiff", 2):
        let array = try Array2D(paths[0])
        let raster = Raster(width: array.width, height: array.height, samples: .float(try array.floats()))
        _ = try timed(count, writing: paths[1]) { try write(to: paths[1], raster.writeTIFF) }
    case ("composite", 4):
        let cutout = try Cutout(Array2D(paths[0]).color(), along: Array2D(paths[1]).matte())
        let background = Background.image(try Array2D(paths[2]).color())
        try writePixels(timed(count) { try cutout.over(background) }, to: paths[3])
    case ("foreground", 3):
        let cutout = try Cutout(Array2D(paths[0]).color(), along: Array2D(paths[1]).matte())
        try writePixels(timed(count) { cutout.decontaminated().photo }, to: paths[2])
    case ("matte", 3):
        let photo = try Array2D(paths[0]).color()
        let matte = try Array2D(paths[1]).matte()
        let cutout = try Cutout(photo, along: matte)
        let refined = try timed(count) { cutout.refined().matte }
        try writeArray(refined?.coverage.map { Float($0) }, photo.width, photo.height, to: paths[2])
    case ("trimap", 4):
        let photo = try Array2D(paths[0]).color()
        let cutout = try Cutout(photo, along: Array2D(paths[1]).matte())
        let known = try Array2D(paths[2]).matte()
        let trimap = Trimap(width: known.width, height: known.height, codes: known.coverage)
        let refined = try timed(count) { cutout.refined(in: trimap).matte }
        try writeArray(refined?.coverage.map { Float($0) }, photo.width, photo.height, to: paths[3])
    case ("cloud", 4):
        let array = try Array2D(paths[0])
        let color = try Array2D(paths[1]).color()
        guard let focal = Double(paths[2]) else { stop("no focal length: \(paths[2])") }
        let depth = DepthMap(
            width: array.width, height: array.height, meters: try array.floats(), scale: .absolute)
        let camera = CameraCalibration(focalLength: focal, width: array.width, height: array.height)
        var options = CloudOptions()
        options.keepsEdges = true  // as the peers do
        _ = try timed(count, writing: paths[3]) {
            let unprojection = try Unprojection(camera, width: array.width, height: array.height)
            let colors = color.averaged(toWidth: array.width, height: array.height)
            let cloud = GridCloud(depth, unprojection, colors: colors, options: options)
            try cloud.write(
                with: CloudFormat.ply.encoder(cloud.header, isText: false),
                to: OutputFile(path: paths[3], replacesExisting: true))
        }
    case ("fuse", 2), ("fuse-elapsed", 2):
        guard let voxel = Float(paths[1]), voxel > 0 else { stop("no edge of a voxel: \(paths[1])") }
        try fuse(count, paths[0], voxel: voxel, by: verb == "fuse" ? processorTime : elapsedTime)
    case ("stereo", 3):
        let (left, right) = (try Array2D(paths[0]).color(), try Array2D(paths[1]).color())
        let match = try timed(count) { try StereoMatcher().match(left: left, right: right) }
        try writeArray(match?.disparity, match?.width ?? 0, match?.height ?? 0, to: paths[2])
    default:
        stop("no such work: \(verb) with \(paths.count) files")
    }
}

let arguments = CommandLine.arguments
guard arguments.count > 3, let count = Int(arguments[2]), count > 0 else {
    stop("usage: InProcessBench WORK COUNT FILE…")
}
do {
    try run(arguments[1], count, Array(arguments[3...]))
} catch {
    stop("\(error)")
}
