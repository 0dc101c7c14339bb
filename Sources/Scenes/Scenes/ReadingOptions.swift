package import Bytes
public import DepthTypes
package import PhotoFormats

/// Facts that an input does not hold, given by the caller. Most rasters, stereo pairs and recordings need some; photos none.
///
/// ``DepthScene`` uses the options for pictures and ignores those for recordings.
public struct ReadingOptions: Hashable, Codable, Sendable {
    /// What is measured. `nil`: the declared quantity; if missing, disparity with a stereo calibration, otherwise
    /// depth.
    public var quantity: DepthQuantity?
    /// The divisor of stored values: units per meter for depth, per 1/meter for disparity (per pixel, if a baseline turns
    /// pixels into 1/meters). `nil`: integers have no unit, floating point is in meters.
    public var scale: Double?
    /// The focal length in pixels of the raster, or of a recording's depth.
    public var focalLength: Double?
    /// The principal point in the same pixels, from the center of the first one; `nil` is the middle.
    public var principalPoint: (x: Double, y: Double)? {
        get { point.map { ($0[0], $0[1]) } }
        set { point = newValue.map { SIMD2($0.x, $0.y) } }
    }
    /// A file with the camera: a calibration of a stereo pair in the form of Middlebury, ETH3D or KITTI, or a sidecar of Isobath
    /// (`isobath.plane/1`), which is for rasters only.
    public var calibrationPath: String?
    /// The distance between the two cameras in meters. If set, disparity is in pixels.
    public var baseline: Double?
    /// The photo that belongs to the raster, or, for numbered depth images, the pattern of their pictures, such as `rgb-%04d.png`.
    public var colorPath: String?
    /// Which part of the picture is the depth of the rest; if set, the photo is read as a pair.
    package var layout: PairLayout?
    /// Which samples are unknown. `nil`: in depth, 0, negative and non-finite samples; in disparity, negative and non-finite
    /// samples and the value that the file declares; in heights (GeoTIFF), the declared value and non-finite samples.
    public var noData: NoData?
    /// The array of an NPZ file, or the channel of an OpenEXR file.
    public var arrayName: String?
    /// The byte order of a 16-bit PGM file; the format's rule is big-endian.
    package var byteOrder: ByteOrder?
    /// The orientation of stored pixels of a raster or photo; overrides the file's.
    public var orientation: Orientation?
    /// The right picture of a stereo pair, whose left picture is the input.
    public var rightPath: String?
    /// Whether the rows of a stereo pair match as they are, so that its pictures are neither rectified nor aligned.
    public var isRectified = false
    /// A file with the poses of a recording, which replace its own.
    public var posesPath: String?
    /// The convention of these poses; `nil` for the one of the recording's layout, or of the file.
    public var poseConvention: PoseConvention?
    /// The topics of a ROS bag to read, by their names: of depth, pictures or poses. Others are chosen by type and name.
    public var topics: [String] = []
    /// Whether frames of recordings come as they are stored, and not upright.
    package var keepsOrientation = false
    /// Whether ``quantity`` is a default that nobody stated.
    package var isQuantityAssumed = false
    private var point: SIMD2<Double>?

    /// Adds nothing to the file's declarations.
    public init() {}

    /// The files that they name, besides the input.
    package var files: [String] { [colorPath, calibrationPath, rightPath, posesPath].compactMap(\.self) }
}

extension ReadingOptions {
    /// Which samples are unknown; overrides the file's declaration.
    public enum NoData: Hashable, Codable, Sendable {
        /// Samples with this stored value, and samples that are unknown by the default rule.
        case value(Double)
        /// Only `nan`.
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

extension ReadingOptions {
    /// Throws ``SceneError`` for invalid numbers, and for values that need another one that is missing.
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
        if rightPath != nil {
            let others = [
                ("quantity", quantity != nil), ("scale", scale != nil), ("picture", colorPath != nil),
                ("layout", layout != nil), ("array", arrayName != nil),
                ("principal point", principalPoint != nil), ("orientation", orientation != nil),
            ]
            if let other = others.first(where: \.1)?.0 { throw .notForPairs(name: other) }
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
