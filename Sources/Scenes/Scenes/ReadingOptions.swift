package import Bytes
public import DepthTypes
package import PhotoFormats

/// Facts that an input does not hold, given by the caller. Most rasters, stereo pairs and recordings need some; photos none.
///
/// ``DepthScene`` uses the options for pictures and ignores those for recordings.
public struct ReadingOptions: Hashable, Sendable {
    /// What is measured. `nil`: the declared quantity; if missing, disparity with a stereo calibration, otherwise
    /// depth.
    public var quantity: Quantity?
    /// The divisor of stored values: units per meter for depth, per 1/meter for disparity (per pixel, if a baseline turns
    /// pixels into 1/meters). `nil`: integers have no unit, floating point is in meters.
    public var scale: Double?
    /// The distances, in meters, of the nearest and the farthest code of an 8- or 16-bit raster, or of a photo's plane without a unit.
    /// Codes from 1 to the greatest are linear in ``quantity``, and 0 is unknown; a photo's own range of codes is used if it has one.
    /// The far end may be infinity, unless codes are linear in depth.
    public var range: ClosedRange<Double>?
    /// The camera of the depth.
    public var camera: Camera?
    /// The distance between the two cameras in meters. If set, disparity is in pixels.
    public var baseline: Double?
    /// The photo that belongs to the raster, or, for numbered depth images, the pattern of their pictures, such as `rgb-%04d.png`.
    public var colorPath: String?
    /// Which part of the picture is the depth of the rest; if set, the photo is read as a pair.
    package var layout: PairLayout?
    /// Which samples are unknown. `nil`: the value that the file declares; non-finite and negative samples; 0, but in disparity of
    /// floating point, where it is infinitely far; and in depth what means that nothing was hit: the greatest value of 16-bit integers
    /// and of binary16, and 1e9 or more, if it is at least twice the next greatest value. In heights (GeoTIFF), the declared value
    /// and non-finite samples.
    public var noData: NoData?
    /// The array of an NPZ file, or the channel of an OpenEXR file.
    public var arrayName: String?
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

    /// Adds nothing to the file's declarations.
    public init() {}

    /// The file with the camera; `nil` if numbers or nothing are given.
    var cameraPath: String? {
        if case .file(let path) = camera { path } else { nil }
    }

    /// The files that they name, besides the input.
    package var files: [String] { [colorPath, cameraPath, rightPath, posesPath].compactMap(\.self) }
}

extension ReadingOptions {
    /// What the samples of a raster measure.
    public enum Quantity: String, CaseIterable, Hashable, Sendable {
        /// Distance along the optical axis.
        case depth
        /// Reciprocal distance.
        case disparity
        /// Distance along the ray of each sample, which the camera converts to depth.
        case distance

        /// The quantity once it is read.
        package var converted: DepthQuantity { self == .disparity ? .disparity : .depth }
    }

    /// Which samples are unknown; overrides the file's declaration.
    public enum NoData: Hashable, Sendable {
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
    /// A camera that the caller gives.
    public enum Camera: Hashable, Sendable {
        /// A focal length in pixels of the depth, and its middle as the principal point.
        case focalLength(Double)
        /// Focal lengths and principal point in pixels of the depth, from the center of the first one.
        case intrinsics(fx: Double, fy: Double, cx: Double, cy: Double)
        /// A file: the calibration of a stereo pair in the form of Middlebury, ETH3D or KITTI; a record of Isobath, as
        /// `extract --json` prints it; or a camera as Open3D, nerfstudio, COLMAP, ETH3D and BOP store it. The lens is corrected of
        /// records, and of nerfstudio's and COLMAP's files.
        case file(String)

        /// Reads `F`, `F,CX,CY`, `FX,FY,CX,CY`, or the path of a file, which does not begin with a number. `nil` for two numbers,
        /// and for more than four.
        public init?(_ text: String) {
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            guard let first = parts.first, !text.isEmpty else { return nil }
            guard Double(first) != nil else {
                self = .file(text)
                return
            }
            let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
            let isDecimal = text.allSatisfy { "0123456789+-.,eE".contains($0) }
            switch numbers.count == parts.count && isDecimal ? numbers.count : 0 {
            case 1: self = .focalLength(numbers[0])
            case 3: self = .intrinsics(fx: numbers[0], fy: numbers[0], cx: numbers[1], cy: numbers[2])
            case 4: self = .intrinsics(fx: numbers[0], fy: numbers[1], cx: numbers[2], cy: numbers[3])
            default: return nil
            }
        }

        /// Throws ``SceneError`` for focal lengths that are not positive.
        func validate() throws(SceneError) {
            switch self {
            case .focalLength(let focalLength): try requirePositive("focal length", focalLength)
            case .intrinsics(let fx, let fy, let cx, let cy):
                try requirePositive("focal length", fx)
                try requirePositive("focal length", fy)
                guard cx.isFinite, cy.isFinite else { throw .invalidPrincipalPoint }
            case .file: break
            }
        }
    }

    /// The given camera, for depth of this size; `nil` without one. Throws ``SceneError`` if its file cannot be read, or is for
    /// pictures of another shape.
    package func calibration(
        for size: PixelSize, limits: DecodingLimits
    ) throws(SceneError) -> CameraCalibration? {
        switch camera {
        case .focalLength(let focalLength):
            CameraCalibration(focalLength: focalLength, width: size.width, height: size.height)
        case .intrinsics(let fx, let fy, let cx, let cy):
            Intrinsics(fx: fx, fy: fy, cx: cx, cy: cy).calibration(size)
        case .file(let path): try CalibrationFile(path, limits: limits).camera(for: size)
        case nil: nil
        }
    }

    /// Throws ``SceneError`` for invalid numbers, and for values that need another one that is missing.
    public func validate() throws(SceneError) {
        if let scale { try requirePositive("scale", scale) }
        if let baseline { try requirePositive("baseline", baseline) }
        try camera?.validate()
        if let range {
            guard range.lowerBound > 0, range.lowerBound < range.upperBound else { throw .invalidRange }
            if scale != nil { throw .rangeWith(name: "scale") }
            if baseline != nil { throw .rangeWith(name: "baseline") }
        }
        if rightPath != nil {
            let others = [
                ("quantity", quantity != nil), ("scale", scale != nil), ("range", range != nil),
                ("picture", colorPath != nil),
                ("layout", layout != nil), ("array", arrayName != nil), ("orientation", orientation != nil),
            ]
            if let other = others.first(where: \.1)?.0 { throw .notForPairs(name: other) }
        }
        if baseline != nil {
            guard quantity?.converted != .depth else { throw .baselineForDepth }
            guard camera != nil else { throw .baselineWithoutCamera }
        }
    }
}

private func requirePositive(_ name: String, _ value: Double) throws(SceneError) {
    guard value.isFinite, value > 0 else { throw .notPositive(name: name, value) }
}
