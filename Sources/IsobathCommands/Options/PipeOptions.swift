internal import ArgumentParser
internal import Isobath
internal import Movies
internal import Sequences

/// How frames are read that come through pipes or from recordings.
struct PipeOptions: ParsableArguments {
    @OptionGroup var format: PipeFormatOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Divide stored distances by this: units per meter, 1000 for millimeters.", valueName: "units"),
        transform: decimal)
    var scale: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The focal length, in pixels of the depth.", valueName: "pixels"),
        transform: decimal)
    var focal: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The principal point, in pixels of the depth.", valueName: "x,y"))
    var principal: PixelPosition?

    @Flag(
        help:
            "Leave frames of a recording as they are stored. By default they come out upright, by its poses.")
    var storedOrientation = false

    func validate() throws {
        if principal != nil, focal == nil { throw ValidationError("'--principal' needs '--focal'.") }
        for (name, value) in [("scale", scale), ("focal", focal)] {
            guard let value, !(value > 0 && value.isFinite) else { continue }
            throw ValidationError("'--\(name)' must be a positive number.")
        }
    }

    /// The flags as a job takes them.
    var reading: SequenceReading {
        var reading = format.reading(unitsPerMeter: scale)
        reading.keepsOrientation = storedOrientation
        reading.focalLength = focal
        reading.principalPoint = principal.map { SIMD2($0.x, $0.y) }
        return reading
    }
}

/// How the samples of a pipe without a header are read.
struct PipeFormatOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The input is pixels without a header: rgb24, yuv420p or nv12. Without it a pipe is y4m.",
            valueName: "format"))
    var colorFormat: RawColorFormat?

    @Option(help: ArgumentHelp("The size of pixels without a header.", valueName: "WxH"))
    var colorSize: FrameSize?

    @Option(
        help: ArgumentHelp(
            "Depth comes in a pipe, without a header: gray16le or grayf32le.", valueName: "format"))
    var depthFormat: RawDepthFormat?

    @Option(help: ArgumentHelp("The size of the depth in a pipe.", valueName: "WxH"))
    var depthSize: FrameSize?

    @Option(
        help: ArgumentHelp(
            "Where the depth comes from: the number of an open descriptor, a named pipe or a file. Without it, each frame's depth follows its color in the input.",
            valueName: "descriptor|file"))
    var depthInput: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames a second of pipes that do not say.", valueName: "rate"), transform: decimal
    )
    var frameRate: Double?

    func validate() throws {
        if colorFormat != nil, colorSize == nil {
            throw ValidationError("'--color-format' needs '--color-size'.")
        }
        if depthFormat != nil, depthSize == nil {
            throw ValidationError("'--depth-format' needs '--depth-size'.")
        }
        if colorSize != nil, colorFormat == nil {
            throw ValidationError("'--color-size' needs '--color-format'.")
        }
        if depthSize != nil, depthFormat == nil {
            throw ValidationError("'--depth-size' needs '--depth-format'.")
        }
        if depthInput != nil, depthFormat == nil {
            throw ValidationError("'--depth-input' needs '--depth-format'.")
        }
        if let frameRate, FrameTimes.rate(frameRate) == nil {
            throw ValidationError("'--frame-rate' must be a number from 0.000001 to 1000000.")
        }
    }

    /// The flags as a job takes them.
    func reading(unitsPerMeter: Double?) -> SequenceReading {
        var reading = SequenceReading()
        if let colorFormat, let colorSize {
            reading.color = .init(format: colorFormat, width: colorSize.width, height: colorSize.height)
        }
        if let depthFormat, let depthSize {
            reading.depth = .init(
                format: depthFormat, width: depthSize.width, height: depthSize.height,
                unitsPerMeter: unitsPerMeter)
        }
        reading.depthInput = depthInput
        reading.rate = frameRate
        reading.unitsPerMeter = unitsPerMeter
        return reading
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
