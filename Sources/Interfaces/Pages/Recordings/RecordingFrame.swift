internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Embedded
internal import Scenes

/// A frame of a recording in a page: its picture, and its depth in the recording's stored values.
struct PageFrame: Sendable {
    /// Its number in the recording, from 0.
    let index: Int
    /// Seconds since the first frame.
    let time: Double
    /// The picture, or depth in colors without one; `nil` without either.
    let picture: PagePicture?
    /// Meters, or values without a unit, as a gray PNG file; `nil` without depth.
    let depth: (png: [UInt8], codes: PackedCodes, size: PixelSize)?
    /// The camera's pose.
    let pose: CameraPose?
    let camera: CameraCalibration?
    /// A sample of the reciprocals of its values, sorted.
    let disparities: [Float]

    /// The maximum number of depth samples, which keeps a page small.
    private static let mostSamples = 16_000
    private static let mostPictureBytes = 40_000

    /// Recodes a frame. `unitsPerMeter` is the unit of its stored depth; `nil` for samples in meters.
    init(_ frame: DepthScene, unitsPerMeter: Double?, _ options: PageOptions) throws {
        let description = frame.description
        (index, time, pose) = (description.index ?? 0, description.time ?? 0, description.pose)
        camera = description.calibrationOfFrame
        var colored: ColorImage?
        let full = try frame.depthIfPresent()
        if let full {
            let map = PackedDepth.thinned(full, to: Self.mostSamples)
            let codes = PackedCodes(map.meters, step: unitsPerMeter.map { 1 / $0 })
            let size = PixelSize(width: map.width, height: map.height)
            let raster = Raster(width: size.width, height: size.height, samples: codes.samples)
            let png = try bytesWritten { (descriptor) throws(WriteError) in
                try raster.writePNG(to: descriptor)
            }
            depth = (png, codes, size)
            let known = map.meters.filter { $0 > 0 && $0 < .infinity }
            disparities = stride(from: 0, to: known.count, by: max(1, known.count / 1024))
                .map { 1 / known[$0] }.sorted()
            if description.colorSize == nil { colored = map.normalized().inverted.colored(by: .viridis) }
        } else {
            (depth, disparities) = (nil, [])
        }
        if description.colorSize != nil { colored = try frame.color() }
        picture = try colored.map { image throws(WriteError) in
            try PagePicture(
                image, longestSide: options.frameSide, quality: options.quality,
                maximumBytes: options.hasOwnFrameSide ? .max : Self.mostPictureBytes)
        }
    }

    /// The parameters for the page's script.
    var record: JSONValue {
        .object([
            ("index", .integer(index)), ("time", .number((time * 1e6).rounded() / 1e6)),
            ("hasPicture", .bool(picture != nil)),
            (
                "depth",
                depth.map { depth in
                    .object([
                        ("width", .integer(depth.size.width)), ("height", .integer(depth.size.height)),
                        ("minimum", .number(depth.codes.minimum)), ("step", .number(depth.codes.step)),
                        ("first", .integer(depth.codes.first)),
                    ])
                } ?? .null
            ),
            ("pose", pose.map { .numbers(Self.numbers($0)) } ?? .null),
            (
                "camera",
                camera.map { camera in
                    let (width, height) = (Double(max(camera.width, 1)), Double(max(camera.height, 1)))
                    return .numbers([
                        camera.focalLengthX / width, camera.focalLengthY / height,
                        (camera.principalPointX + 0.5) / width, (camera.principalPointY + 0.5) / height,
                    ])
                } ?? .null
            ),
        ])
    }

    /// Right, down, forward and position, concatenated.
    private static func numbers(_ pose: CameraPose) -> [Double] {
        [pose.right, pose.down, pose.forward, pose.position].flatMap { vector in
            (0..<3).map { (vector[$0] * 1e6).rounded() / 1e6 }
        }
    }
}
