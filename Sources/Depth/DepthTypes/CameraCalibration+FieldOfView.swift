internal import Glibc

extension CameraCalibration {
    /// The field of view along the longer side of the frame, in degrees, assumed if the camera is unknown.
    package static let assumedFieldOfView = 65.0

    /// tan(32.5°).
    private static let tangentOfHalfView = 0.637070260807493

    /// A camera with square pixels and the principal point in the middle of its frame; the focal length is in pixels.
    public init(focalLength: Double, width: Int, height: Int) {
        self.init(
            focalLengthX: focalLength, focalLengthY: focalLength, principalPointX: Double(width - 1) / 2,
            principalPointY: Double(height - 1) / 2, width: width, height: height)
    }

    /// A camera with the diagonal field of view of a focal length on 35 mm film: f = f35 · √(width² + height²) / √(36² +
    /// 24²). The intrinsics that phones store confirm this reading of the Exif tag.
    public init(focalLength35mm: Double, width: Int, height: Int) {
        let diagonal = hypot(Double(width), Double(height))
        self.init(focalLength: focalLength35mm * diagonal / hypot(36, 24), width: width, height: height)
    }

    /// A camera with a horizontal field of view, in degrees between 0 and 180.
    package init(horizontalFieldOfView angle: Double, width: Int, height: Int) {
        self.init(
            focalLength: Double(width) / 2 / tan(angle / 2 * .pi / 180), width: width, height: height)
    }

    /// The camera assumed if nothing is known: ``assumedFieldOfView`` along the longer side, f = longer side / 2 / tan(65° /
    /// 2).
    init(assumedForWidth width: Int, height: Int) {
        self.init(
            focalLength: Double(max(width, height)) / 2 / Self.tangentOfHalfView, width: width, height: height
        )
    }
}

/// The angle of a tangent, in radians.
func arctangent(_ tangent: Double) -> Double { atan(tangent) }
