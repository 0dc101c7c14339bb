internal import ArgumentParser
internal import Isobath
internal import Movies
internal import PhotoFormats
internal import Scenes

/// How to read inputs: facts that the files do not contain, and the frame of a recording to use as a photo.
struct InputOptions: FlagGroup {
    static let kinds: FlagKinds = [
        "frame": .frame, "topic": [.recording, .frame], "scale": [.raster, .sequences, .frame],
        "range": .raster,
        "camera": [.raster, .pair, .sequences, .frame], "quantity": .raster,
        "color": [.raster, .recording, .frame], "right": .pair, "baseline": [.raster, .pair],
        "no-rectify": .pair, "no-data": .raster, "channel": .raster, "layout": .raster,
        "orientation": [.photo, .raster, .pair], "raw": [.stream, .frame], "raw-depth": [.stream, .frame],
        "frame-rate": .stream,
    ]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Use frame N of a recording, a movie or a stream as a photo, counted from 0.", valueName: "n"))
    var frame: Int?

    @Option(
        help: ArgumentHelp(
            "Read this topic of a ROS bag: depth, pictures or poses. Repeat it for several; others are chosen by type and name.",
            valueName: "name"))
    var topic: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Divide stored values by this: units per meter (1000 for millimeters), or per 1/m for disparity.",
            valueName: "units"), transform: decimal)
    var scale: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The distances of the nearest and the farthest code of an 8- or 16-bit raster in meters: codes from 1 to the greatest are linear in --quantity, and 0 is unknown. FAR may be inf.",
            valueName: "near,far"), transform: distanceRange)
    var range: ClosedRange<Double>?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The camera: F, F,CX,CY or FX,FY,CX,CY in pixels of the depth, counted from the center of the first, or a file. Files: calib.txt of Middlebury, ETH3D or KITTI, a line of 'extract --json', camera_intrinsic.json, cameras.txt, transforms.json.",
            valueName: "camera"), completion: .file())
    var camera: ReadingOptions.Camera?

    @Option(
        help: ArgumentHelp(
            "The quantity of a raster: depth, disparity, or distance along the rays, which the camera converts; of a gray image disparity if white is near.",
            valueName: "quantity"))
    var quantity: ReadingOptions.Quantity?

    @Option(
        help: ArgumentHelp(
            "The photo that belongs to a raster; a pattern such as 'rgb-%04d.png' for numbered depth images.",
            valueName: "file"), completion: .file())
    var color: String?

    @Option(
        help: ArgumentHelp(
            "The right picture of a stereo pair whose left picture is the input; depth is computed from both.",
            valueName: "file"), completion: .file())
    var right: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The distance of the cameras, for disparity in pixels and for stereo pairs.", valueName: "meters"),
        transform: decimal)
    var baseline: Double?

    @Flag(help: "Take the rows of a stereo pair as matching: neither rectify nor align its pictures.")
    var noRectify = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The stored value that means unknown, besides 0 and negative ones; none keeps all values.",
            valueName: "value|none"), transform: noDataValue)
    var noData: ReadingOptions.NoData?

    @Option(
        help: ArgumentHelp(
            "The channel of an EXR file or the array of an NPZ file.",
            valueName: "name"))
    var channel: String?

    @Option(
        help: ArgumentHelp(
            "The part of a picture that is the depth of the other part: right, left, below or above.",
            valueName: "part"))
    var layout: PairLayout?

    @Option(
        help: ArgumentHelp(
            "Turn the stored pixels of a photo or raster by this orientation of Exif (1 to 8), whatever the file says.",
            valueName: "number"))
    var orientation: Orientation?

    @Option(
        help: ArgumentHelp(
            "The input is pixels without a header: rgb24, yuv420p or nv12 and their size, as in rgb24,640x480. Without it a pipe is y4m.",
            valueName: "format,WxH"))
    var raw: RawPixels<RawColorFormat>?

    @Option(
        help: ArgumentHelp(
            "Depth without a header: gray16le or grayf32le, its size, and the open descriptor (its number), named pipe or file that it is read from. Without that, each frame's depth follows its color in the input.",
            valueName: "format,WxH[,file]"), completion: .file())
    var rawDepth: RawPixels<RawDepthFormat>?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames per second of a stream without times, and of a movie that is made.", valueName: "n"),
        transform: decimal)
    var frameRate: Double?

    func validate() throws {
        if let frame, frame < 0 { throw ValidationError("--frame is \(frame); it must be 0 or more") }
        for (name, value) in [("scale", scale), ("baseline", baseline)] {
            guard let value, !(value > 0 && value.isFinite) else { continue }
            throw ValidationError("--\(name) is \(value); it must be a positive number")
        }
        do throws(SceneError) {
            try options.validate()
        } catch {
            throw ValidationError("\(error)")
        }
        if raw?.path != nil { throw ValidationError("--raw describes the input, and names no file") }
        if let frameRate, FrameTimes.rate(frameRate) == nil {
            throw ValidationError("--frame-rate is \(frameRate); it must be 0.000001 to 1000000")
        }
    }

    /// The facts as the library takes them.
    private var options: ReadingOptions {
        var options = ReadingOptions()
        options.quantity = quantity
        options.scale = scale
        options.range = range
        options.camera = camera
        options.baseline = baseline
        (options.rightPath, options.isRectified) = (right, noRectify)
        options.colorPath = color
        options.arrayName = channel
        options.layout = layout
        options.orientation = orientation
        options.noData = noData
        options.topics = topic
        return options
    }

    /// The flags as jobs take them.
    func reading(_ depth: DepthSourceOptions? = nil) -> InputFlags {
        var reading = InputFlags()
        reading.options = options
        (reading.color, reading.depth) = (raw, rawDepth)
        (reading.rate, reading.frame) = (frameRate, frame)
        reading.isStereo = right != nil || depth?.isStereo ?? false
        return reading
    }
}

/// Whether pixels keep their stored orientation.
struct OrientationOptions: FlagGroup {
    static let kinds: FlagKinds = ["stored-orientation": .all]

    @Flag(help: "Keep pixels and calibration as they are stored. By default everything comes out upright.")
    var storedOrientation = false
}

/// Reads two positive distances in order, of which the second may be infinite.
@Sendable private func distanceRange(_ text: String) throws -> ClosedRange<Double> {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let ends: [Double] = parts.compactMap { $0 == "inf" ? .infinity : try? decimal(String($0)) }
    guard parts.count == 2, ends.count == 2, ends[0] > 0, ends[0] < ends[1] else {
        throw ValidationError(
            "it must be two distances in meters, the nearer one first, such as 0.5,4 or 0.5,inf")
    }
    return ends[0]...ends[1]
}

/// Reads a number, or `none`.
@Sendable private func noDataValue(_ text: String) throws -> ReadingOptions.NoData {
    guard let noData = ReadingOptions.NoData(text) else {
        throw ValidationError("it must be a number or none")
    }
    return noData
}

/// `FORMAT,WxH`, and `FORMAT,WxH,FILE` for depth.
extension RawPixels: ExpressibleByArgument where Format: RawRepresentable<String> {
    init?(argument: String) {
        let parts = argument.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1, let format = Format(rawValue: String(parts[0])) else { return nil }
        let sides = parts[1].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            (1...32768).contains(width), (1...32768).contains(height)
        else { return nil }
        self.init(format, width: width, height: height, path: parts.count > 2 ? String(parts[2]) : nil)
    }
}
