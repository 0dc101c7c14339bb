internal import ArgumentParser
internal import ImageContainers
internal import Isobath

/// Flags that say of a plain raster what it does not say itself.
struct RasterOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Divide stored values by this: units per meter (1000 for millimeters), or per 1/m for disparity.",
            valueName: "units"), transform: decimal)
    var scale: Double?

    @Option(help: ArgumentHelp("What a raster holds: depth or disparity.", valueName: "quantity"))
    var quantity: DepthQuantity?

    @Option(
        help: ArgumentHelp("Which shade of a gray depth image is near: white or black.", valueName: "shade"))
    var nearIs: NearShade?

    @Option(help: ArgumentHelp("The photo that belongs to a raster.", valueName: "file"))
    var color: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The focal length, in pixels of the raster.", valueName: "pixels"),
        transform: decimal)
    var focal: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The principal point, in pixels of the raster; 0,0 is the center of the first.", valueName: "x,y")
    )
    var principal: PixelPosition?

    @Option(
        help: ArgumentHelp("The camera: Middlebury's calib.txt, or a sidecar of isobath.", valueName: "file"))
    var calibration: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The distance of the cameras, for disparity in pixels.", valueName: "meters"),
        transform: decimal)
    var baseline: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The stored value that means unknown, besides 0 and negative ones; none keeps all values.",
            valueName: "value|none"), transform: noDataValue)
    var noData: RasterInterpretation.NoData?

    @Option(help: ArgumentHelp("The channel of an EXR file or the array of an NPZ file.", valueName: "name"))
    var channel: String?

    /// The option's name until 0.1.0.
    @Option(help: .hidden)
    var array: String?

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

    /// The flags as the library takes them.
    var reading: RasterInterpretation {
        var reading = RasterInterpretation()
        reading.quantity = quantity ?? nearIs?.quantity
        reading.scale = scale
        reading.focalLength = focal
        reading.principalPoint = principal.map { ($0.x, $0.y) }
        reading.calibrationPath = calibration
        reading.baseline = baseline
        reading.colorPath = color
        reading.arrayName = channel ?? array
        reading.layout = layout
        reading.orientation = orientation
        reading.noData = noData
        reading.byteOrder = byteOrder.map { $0 == .little ? .littleEndian : .bigEndian }
        return reading
    }

    func validate() throws {
        if let quantity, let nearIs, quantity != nearIs.quantity {
            throw ValidationError(
                "--quantity \(quantity.rawValue) and --near-is \(nearIs.rawValue) disagree; give one of them."
            )
        }
        for (name, value) in [("scale", scale), ("focal", focal), ("baseline", baseline)] {
            guard let value, !(value > 0 && value.isFinite) else { continue }
            throw ValidationError("'--\(name)' must be a positive number.")
        }
        do throws(SceneError) {
            try reading.validate()
        } catch {
            throw ValidationError("\(error)".capitalizedSentence)
        }
    }
}

/// A place in pixels, written as `x,y`.
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

/// Reads a number, or `none`.
@Sendable private func noDataValue(_ text: String) throws -> RasterInterpretation.NoData {
    guard let noData = RasterInterpretation.NoData(text) else {
        throw ValidationError("it is a number or none.")
    }
    return noData
}

/// Which shade of a depth image is near.
enum NearShade: String, CaseIterable, ExpressibleByArgument {
    case white
    case black

    /// What grows towards white.
    var quantity: DepthQuantity { self == .white ? .disparity : .depth }
}

/// How `--byte-order` spells a byte order.
enum ByteOrderName: String, CaseIterable, ExpressibleByArgument {
    case big
    case little
}

extension String {
    /// The text as a sentence: the first letter large, a full stop behind.
    fileprivate var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}

extension RasterInterpretation {
    /// The files that it names.
    var files: [String] { [colorPath, calibrationPath].compactMap(\.self) }
}
