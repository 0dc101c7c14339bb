extension CameraCalibration {
    /// The field of view along the longer side of the frame that is assumed where nothing is known of a camera, in degrees.
    package static let assumedFieldOfView = 65.0

    /// The focal length in pixels of a frame of `width` × `height` whose camera is unknown: that of ``assumedFieldOfView``, half the
    /// longer side / tan(65° / 2).
    package static func assumedFocalLength(width: Int, height: Int) -> Double {
        Double(max(width, height)) / 2 / tangentOfHalfView
    }

    /// tan(32.5°).
    private static let tangentOfHalfView = 0.637070260807493
}
