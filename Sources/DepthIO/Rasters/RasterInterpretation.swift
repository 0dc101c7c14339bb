package import ByteParsing
public import DepthModel
package import ImageContainers

/// What a plain raster does not say itself, given by the caller. Photos need none of it.
public struct RasterInterpretation: Hashable, Codable, Sendable {
    /// What is measured; `nil`: what the file says, disparity where a stereo calibration is given, else depth.
    public var quantity: DepthQuantity?
    /// What stored values are divided by: units per meter for depth, per 1/meter for disparity (per pixel, where a
    /// baseline turns pixels into 1/meters). `nil`: integers have no unit, floating point is read as meters.
    public var scale: Double?
    /// The focal length in pixels of the raster.
    public var focalLength: Double?
    /// The principal point in pixels of the raster, from the center of its first one; `nil` is the middle.
    public var principalPoint: (x: Double, y: Double)? {
        get { point.map { ($0[0], $0[1]) } }
        set { point = newValue.map { SIMD2($0.x, $0.y) } }
    }
    /// A file with the camera: Middlebury's `calib.txt`, or a sidecar of Isobath (`isobath.plane/1`).
    public var calibrationPath: String?
    /// The distance of the two cameras in meters: makes a disparity one in pixels.
    public var baseline: Double?
    /// The photo that belongs to the raster.
    public var colorPath: String?
    /// Which part of a picture is the depth of the other; makes a photo a pair.
    package var layout: PairLayout?
    /// Which samples are unknown. `nil`: in depth 0, negative and non-finite ones, in disparity negative and non-finite ones, and
    /// those of the value that the file declares; in heights (GeoTIFF) only the latter and non-finite ones.
    public var noData: NoData?
    /// The array of an NPZ file, or the channel of an OpenEXR file.
    public var arrayName: String?
    /// The byte order of a 16-bit PGM file; big-endian by the format's rule.
    package var byteOrder: ByteOrder?
    /// How stored pixels of a raster or photo are turned upright, instead of what the file says.
    public var orientation: Orientation?
    /// Whether ``quantity`` is what is usual where nobody said it.
    package var isQuantityAssumed = false
    private var point: SIMD2<Double>?

    /// Nothing is known but what the file says.
    public init() {}

    /// Whether anything was given.
    public var isEmpty: Bool { self == RasterInterpretation() }
}

extension RasterInterpretation {
    /// Which samples are unknown, whatever the file declares.
    public enum NoData: Hashable, Codable, Sendable {
        /// Those that are stored as this value, besides those that the usual rule names.
        case value(Double)
        /// None but `nan`.
        case nothing

        /// Reads a number, or `none`.
        public init?(_ text: String) {
            guard text != "none" else {
                self = .nothing
                return
            }
            guard let value = Double(text) else { return nil }
            self = .value(value)
        }
    }
}

extension RasterInterpretation {
    /// Throws ``SceneError`` for numbers that make no sense, and for facts that need another one.
    public func validate() throws(SceneError) {
        for (name, value) in [("scale", scale), ("focal length", focalLength), ("baseline", baseline)] {
            guard let value else { continue }
            guard value.isFinite, value > 0 else {
                throw .notPositive(name: name, value)
            }
        }
        if let point = principalPoint {
            guard point.x.isFinite, point.y.isFinite else {
                throw .invalidPrincipalPoint
            }
            guard focalLength != nil || calibrationPath != nil else {
                throw .principalPointWithoutCamera
            }
        }
        if baseline != nil {
            guard quantity != .depth else {
                throw .baselineForDepth
            }
            guard focalLength != nil || calibrationPath != nil else {
                throw .baselineWithoutCamera
            }
        }
    }
}
