internal import Bytes
public import CIsobath
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Geometry
internal import Scenes

/// `isobath_write_array`
@_cdecl("isobath_write_array")
public func writeArray(
    _ array: UnsafePointer<isobath_array>?, _ path: UnsafePointer<CChar>?,
    _ options: UnsafePointer<isobath_write_options>?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe done(error) {
        guard let array = unsafe array?.pointee else { throw InvalidArgument("the array is NULL") }
        let given = try unsafe WriteSettings(path, options)
        guard !given.isText else { throw InvalidArgument("ISOBATH_WRITE_TEXT is for clouds") }
        let size = try unsafe array.checkedSize
        let channels = unsafe array.dimension_count == 3 ? array.shape.2 : 1
        switch unsafe (Int(array.type), channels) {
        case (ISOBATH_FLOAT32, 1): try unsafe array.map(size).write(given)
        case (ISOBATH_UINT8, 1):
            let coverage = unsafe Matte(
                width: size.width, height: size.height, coverage: array.elements(size))
            try coverage.write(to: given.path, replacingExisting: given.replaces)
        case (ISOBATH_UINT8, 3), (ISOBATH_UINT16, 3), (ISOBATH_UINT8, 4), (ISOBATH_UINT16, 4):
            let picture = try unsafe array.picture(size, channels: Int(channels))
            try picture.write(to: given.path, quality: given.quality, replacingExisting: given.replaces)
        default:
            throw InvalidArgument(
                "samples to write must be float32 or uint8 in two dimensions, or uint8 or uint16 with 3 or 4 for each pixel"
            )
        }
    }
}

/// `isobath_write_cloud`
@_cdecl("isobath_write_cloud")
public func writeCloud(
    _ cloud: UnsafePointer<isobath_cloud>?, _ path: UnsafePointer<CChar>?,
    _ options: UnsafePointer<isobath_write_options>?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe done(error) {
        guard let cloud = unsafe cloud?.pointee else { throw InvalidArgument("the cloud is NULL") }
        let given = try unsafe WriteSettings(path, options)
        let points = try unsafe cloud.points()
        guard let triangles = try unsafe cloud.checkedTriangles else {
            return try points.write(
                to: given.path, replacingExisting: given.replaces, asText: given.isText)
        }
        try TriangleMesh(vertices: points, triangles: triangles).write(
            to: given.path, replacingExisting: given.replaces, asText: given.isText)
    }
}

/// Runs `body`, which has no result, and stores its error where the caller's pointer leads.
private func done(_ error: ErrorPlace?, _ body: () throws -> Void) -> isobath_status {
    var nothing: Void? = nil
    return unsafe withUnsafeMutablePointer(to: &nothing) { place in unsafe answer(place, error, body) }
}

/// The quantity of a map with this name; depth for NULL.
func depthQuantity(_ given: UnsafePointer<CChar>?) throws(InvalidArgument) -> DepthQuantity {
    let name = unsafe text(given) ?? DepthQuantity.depth.rawValue
    guard let quantity = DepthQuantity(rawValue: name) else {
        throw InvalidArgument("quantity is '\(name)'; it must be 'depth' or 'disparity'")
    }
    return quantity
}

/// Where and how a result is written.
private struct WriteSettings {
    let path: String
    let quality: Int
    let quantity: DepthQuantity
    let replaces: Bool
    let isText: Bool
    let camera: CameraCalibration?

    init(
        _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<isobath_write_options>?
    ) throws(InvalidArgument) {
        let given = try unsafe CInterface.options(options, else: isobath_write_options())
        guard let path = unsafe CInterface.path(path) else { throw InvalidArgument("the path is NULL") }
        try unsafe check(given.flags, known: ISOBATH_WRITE_REPLACE | ISOBATH_WRITE_TEXT)
        let quality = unsafe given.quality
        guard (0...100).contains(quality) else {
            throw InvalidArgument("quality is \(quality); it must be 1 to 100, or 0 for 92")
        }
        (self.path, quantity) = (path, try unsafe depthQuantity(given.quantity))
        self.quality = quality > 0 ? Int(quality) : 92
        (replaces, isText) = unsafe (
            given.flags.has(ISOBATH_WRITE_REPLACE), given.flags.has(ISOBATH_WRITE_TEXT)
        )
        camera = try unsafe given.camera.map { camera throws(InvalidArgument) in
            try unsafe CameraCalibration(camera.pointee)
        }
    }
}

extension CameraCalibration {
    fileprivate init(_ camera: isobath_camera) throws(InvalidArgument) {
        let numbers = unsafe [camera.fx, camera.fy, camera.cx, camera.cy]
        let (width, height) = unsafe (Int(camera.width), Int(camera.height))
        guard numbers.allSatisfy(\.isFinite), numbers[0] > 0, numbers[1] > 0, width > 0, height > 0 else {
            throw InvalidArgument("the camera needs positive focal lengths, a principal point and a size")
        }
        self.init(
            focalLengthX: numbers[0], focalLengthY: numbers[1], principalPointX: numbers[2],
            principalPointY: numbers[3], width: width, height: height)
        let size = unsafe camera.pixel_size
        pixelSize = size > 0 && size.isFinite ? size : nil
        distortion = try unsafe LensDistortion(camera)
    }
}

extension LensDistortion {
    /// `nil` without a lens.
    fileprivate init?(_ camera: isobath_camera) throws(InvalidArgument) {
        let forward = try unsafe numbers(camera.coefficients, camera.coefficient_count)
        let inverse = try unsafe numbers(camera.inverse_coefficients, camera.inverse_coefficient_count)
        guard !forward.isEmpty || !inverse.isEmpty else { return nil }
        self.init(
            coefficients: forward, inverseCoefficients: inverse,
            centerX: unsafe camera.distortion_center_x, centerY: unsafe camera.distortion_center_y)
    }
}

private func numbers(
    _ start: UnsafePointer<Double>?, _ count: Int64
) throws(InvalidArgument) -> [Double] {
    guard let start = unsafe start else { return [] }
    guard (0...64).contains(count) else {
        throw InvalidArgument("a lens has \(count) coefficients; the most is 64")
    }
    // SAFETY: the caller declares this many numbers.
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
}

/// A map of the caller's samples.
struct GivenMap {
    var size: PixelSize
    var samples: [Float]
    var scale: DepthScale

    func depth(_ camera: CameraCalibration? = nil) -> DepthMap {
        DepthMap(width: size.width, height: size.height, meters: samples, scale: scale, calibration: camera)
    }

    func disparity(_ camera: CameraCalibration? = nil) -> DisparityMap {
        DisparityMap(
            width: size.width, height: size.height, reciprocalMeters: samples, scale: scale,
            calibration: camera)
    }

    fileprivate func write(_ given: WriteSettings) throws {
        if let camera = given.camera, camera.width != size.width || camera.height != size.height {
            throw InvalidArgument(
                "the camera is for \(camera.width) × \(camera.height) samples, and the map has \(size)")
        }
        if given.quantity == .depth {
            try depth(given.camera).write(to: given.path, replacingExisting: given.replaces)
        } else {
            try disparity(given.camera).write(to: given.path, replacingExisting: given.replaces)
        }
    }
}

extension isobath_array {
    /// Throws unless the array is of two or three dimensions and not too large.
    var checkedSize: PixelSize {
        get throws(InvalidArgument) {
            let (height, width) = unsafe (Int(shape.0), Int(shape.1))
            let limit = DecodingLimits()[.pixels]
            guard unsafe data != nil, unsafe (2...3).contains(dimension_count) else {
                throw InvalidArgument("an array needs data, and two or three dimensions")
            }
            guard width > 0, height > 0, width <= limit, height <= limit / width else {
                throw InvalidArgument(
                    "an array has \(height) rows and \(width) columns; both must be positive, and their product at most \(limit)"
                )
            }
            return PixelSize(width: width, height: height)
        }
    }

    fileprivate func elements<Element: BitwiseCopyable>(_ size: PixelSize) -> [Element] {
        // `checkedSize` requires data.
        unsafe data.map { unsafe copied($0, count: size.width * size.height) } ?? []
    }

    func map(
        _ size: PixelSize, else undeclared: DepthScale = .unknown
    ) throws(InvalidArgument) -> GivenMap {
        let name = unsafe text(scale) ?? undeclared.rawValue
        guard let scale = DepthScale(rawValue: name) else {
            throw InvalidArgument(
                "scale is '\(name)'; it must be absolute, relative, unknown, affine or unitless")
        }
        return unsafe GivenMap(size: size, samples: elements(size), scale: scale)
    }

    fileprivate func picture(_ size: PixelSize, channels: Int) throws(InvalidArgument) -> Picture {
        let profile = try unsafe colorProfile(color_profile, color_profile_size)
        let (width, height, isEight) = unsafe (size.width, size.height, Int(type) == ISOBATH_UINT8)
        if channels == 3 {
            let pixels: ColorImage.Pixels =
                unsafe isEight ? .uint8(elements(size)) : .uint16(elements(size))
            return Picture(
                ColorImage(width: width, height: height, pixels: pixels, colorProfile: profile))
        }
        let pixels: RGBAImage.Pixels = unsafe isEight ? .uint8(elements(size)) : .uint16(elements(size))
        return Picture(RGBAImage(width: width, height: height, pixels: pixels, colorProfile: profile))
    }
}

extension isobath_cloud {
    fileprivate func points() throws(InvalidArgument) -> PointCloud {
        let count = unsafe Int(point_count)
        guard count > 0, unsafe positions != nil else { throw InvalidArgument("the cloud has no points") }
        var points = unsafe PointCloud(positions: vectors(positions, count))
        if let colors = unsafe colors {
            // SAFETY: the caller declares three bytes for each point, as RGB has.
            let start = unsafe UnsafeRawPointer(colors).assumingMemoryBound(to: RGB<UInt8>.self)
            points.colors = unsafe Array(UnsafeBufferPointer(start: start, count: count))
        }
        if let normals = unsafe normals { points.normals = unsafe vectors(normals, count) }
        if let confidences = unsafe confidences {
            points.confidences = unsafe Array(UnsafeBufferPointer(start: confidences, count: count))
        }
        return points
    }

    /// `nil` for points alone.
    fileprivate var checkedTriangles: [Triangle]? {
        get throws(InvalidArgument) {
            let count = unsafe Int(triangle_count)
            guard let start = unsafe triangles, count > 0 else { return nil }
            // SAFETY: the caller declares three indices for each triangle, as Triangle has.
            let triangles = unsafe Array(
                UnsafeBufferPointer(
                    start: UnsafeRawPointer(start).assumingMemoryBound(to: Triangle.self), count: count))
            let last = triangles.lazy.map { max($0.first, $0.second, $0.third) }.max() ?? 0
            guard unsafe last < point_count else {
                throw InvalidArgument(
                    "a triangle has the point \(last), and the last one is \(unsafe point_count - 1)")
            }
            return triangles
        }
    }
}

/// Vectors of three adjacent numbers.
private func vectors(_ start: UnsafePointer<Float>, _ count: Int) -> [SIMD3<Float>] {
    // SAFETY: the caller declares three numbers for each point.
    (0..<count).map { point in
        unsafe SIMD3(start[3 * point], start[3 * point + 1], start[3 * point + 2])
    }
}
