internal import ArgumentParser
internal import Isobath
internal import Movies
internal import PhotoFormats
internal import Scenes

/// How to read inputs: facts that the files do not contain, and the frame of a recording to use as a photo.
struct InputOptions: ParsableArguments {
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
        help: ArgumentHelp("The focal length, in pixels of the depth.", valueName: "pixels"),
        transform: decimal)
    var focal: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The principal point, in pixels of the depth; 0,0 is the center of the first.", valueName: "x,y")
    )
    var principal: PixelPosition?

    @Option(help: ArgumentHelp("The quantity of a raster: depth or disparity.", valueName: "quantity"))
    var quantity: DepthQuantity?

    @Option(
        help: ArgumentHelp("Which shade of a gray depth image is near: white or black.", valueName: "shade"))
    var nearIs: NearShade?

    @Option(
        help: ArgumentHelp(
            "The photo that belongs to a raster; a pattern such as 'rgb-%04d.png' for numbered depth images.",
            valueName: "file"), completion: .file())
    var color: String?

    @Option(
        help: ArgumentHelp(
            "The camera: the calibration of a stereo pair (calib.txt of Middlebury, ETH3D or KITTI), or, for rasters, a sidecar of isobath.",
            valueName: "file"), completion: .file())
    var calibration: String?

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
        help: ArgumentHelp("The byte order of a 16-bit PGM: big (the rule) or little.", valueName: "order"))
    var byteOrder: ByteOrderName?

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
            "The input is pixels without a header: rgb24, yuv420p or nv12. Without it a pipe is y4m.",
            valueName: "format"))
    var colorFormat: RawColorFormat?

    @Option(help: ArgumentHelp("The size of pixels without a header.", valueName: "WxH"))
    var colorSize: FrameSize?

    @Option(
        help: ArgumentHelp(
            "The depth comes in a pipe, without a header: gray16le or grayf32le.", valueName: "format"))
    var depthFormat: RawDepthFormat?

    @Option(help: ArgumentHelp("The size of the depth in a pipe.", valueName: "WxH"))
    var depthSize: FrameSize?

    @Option(
        help: ArgumentHelp(
            "Read the depth from an open descriptor (its number), a named pipe or a file. Without it, each frame's depth follows its color in the input.",
            valueName: "descriptor|file"), completion: .file())
    var depthInput: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames per second of a stream without times, and of a movie that is made.", valueName: "n"),
        transform: decimal)
    var frameRate: Double?

    func validate() throws {
        if let frame, frame < 0 { throw ValidationError("--frame is \(frame); it must be 0 or more") }
        for (name, value) in [("scale", scale), ("focal", focal), ("baseline", baseline)] {
            guard let value, !(value > 0 && value.isFinite) else { continue }
            throw ValidationError("--\(name) is \(value); it must be a positive number")
        }
        if let quantity, let nearIs, quantity != nearIs.quantity {
            throw ValidationError(
                "--quantity is \(quantity.rawValue), and --near-is \(nearIs.rawValue) means \(nearIs.quantity.rawValue); give one of them"
            )
        }
        do throws(SceneError) {
            try options.validate()
        } catch {
            throw ValidationError("\(error)")
        }
        try checkStreams()
    }

    private func checkStreams() throws {
        let pairs = [
            ("color-format", colorFormat != nil, "color-size", colorSize != nil),
            ("color-size", colorSize != nil, "color-format", colorFormat != nil),
            ("depth-format", depthFormat != nil, "depth-size", depthSize != nil),
            ("depth-size", depthSize != nil, "depth-format", depthFormat != nil),
            ("depth-input", depthInput != nil, "depth-format", depthFormat != nil),
        ]
        for (flag, isGiven, other, isOtherGiven) in pairs where isGiven && !isOtherGiven {
            throw ValidationError("--\(flag) needs --\(other)")
        }
        if let frameRate, FrameTimes.rate(frameRate) == nil {
            throw ValidationError("--frame-rate is \(frameRate); it must be 0.000001 to 1000000")
        }
    }

    /// The facts as the library takes them.
    private var options: ReadingOptions {
        var options = ReadingOptions()
        options.quantity = quantity ?? nearIs?.quantity
        options.scale = scale
        options.focalLength = focal
        options.principalPoint = principal.map { ($0.x, $0.y) }
        options.calibrationPath = calibration
        options.baseline = baseline
        (options.rightPath, options.isRectified) = (right, noRectify)
        options.colorPath = color
        options.arrayName = channel
        options.layout = layout
        options.orientation = orientation
        options.noData = noData
        options.byteOrder = byteOrder.map { $0 == .little ? .littleEndian : .bigEndian }
        options.topics = topic
        return options
    }

    /// The flags as jobs take them.
    var reading: InputFlags {
        var reading = InputFlags()
        reading.options = options
        if let colorFormat, let colorSize {
            reading.color = RawPixels(colorFormat, width: colorSize.width, height: colorSize.height)
        }
        if let depthFormat, let depthSize {
            reading.depth = RawPixels(
                depthFormat, width: depthSize.width, height: depthSize.height, path: depthInput)
        }
        (reading.rate, reading.frame, reading.given) = (frameRate, frame, .current)
        return reading
    }

    /// The flags for jobs that accept several inputs.
    func reading(
        _ batch: BatchOptions, _ inputs: [String], _ depth: DepthSourceOptions? = nil
    ) -> InputFlags {
        var reading = reading
        reading.given.isBatch = batch.isBatch(inputs)
        reading.isStereo = right != nil || depth?.isStereo ?? false
        return reading
    }
}

/// Whether pixels keep their stored orientation.
struct OrientationOptions: ParsableArguments {
    @Flag(help: "Keep pixels and calibration as they are stored. By default everything comes out upright.")
    var storedOrientation = false
}

/// Reads a number, or `none`.
@Sendable private func noDataValue(_ text: String) throws -> ReadingOptions.NoData {
    guard let noData = ReadingOptions.NoData(text) else {
        throw ValidationError("it must be a number or none")
    }
    return noData
}

/// Which shade of a depth image is near.
enum NearShade: String, CaseIterable, ExpressibleByArgument {
    case white
    case black

    /// The quantity that increases towards white.
    var quantity: DepthQuantity { self == .white ? .disparity : .depth }
}

/// How `--byte-order` spells a byte order.
enum ByteOrderName: String, CaseIterable, ExpressibleByArgument {
    case big
    case little
}

/// A position in pixels, written as `x,y`.
struct PixelPosition: ExpressibleByArgument {
    var x: Double
    var y: Double

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map {
            Double(decimal: $0)
        }
        guard parts.count == 2, let x = parts[0], let y = parts[1], x.isFinite, y.isFinite else { return nil }
        (self.x, self.y) = (x, y)
    }
}

/// Width and height, as `640x480`.
struct FrameSize: ExpressibleByArgument, Codable, Sendable {
    var width: Int
    var height: Int

    init?(argument: String) {
        let parts = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1],
            (1...32768).contains(width), (1...32768).contains(height)
        else { return nil }
        (self.width, self.height) = (width, height)
    }
}

extension RawColorFormat: ExpressibleByArgument {}
extension RawDepthFormat: ExpressibleByArgument {}
