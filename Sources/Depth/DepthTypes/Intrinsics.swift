/// Focal lengths and principal point of a camera, in pixels; (0, 0) is the center of the first pixel.
package struct Intrinsics: Hashable, Sendable {
    /// The focal length horizontally.
    package var fx: Double
    /// The focal length vertically.
    package var fy: Double
    /// The column of the principal point.
    package var cx: Double
    /// The row of the principal point.
    package var cy: Double
    /// The frame that they are for; `nil` if it is stated elsewhere.
    package var size: PixelSize?
    /// The distortion of the lens; `nil` without any.
    package var lens: LensCoefficients?

    /// Intrinsics of these numbers.
    package init(fx: Double, fy: Double, cx: Double, cy: Double) {
        self.fx = fx
        self.fy = fy
        self.cx = cx
        self.cy = cy
    }

    /// The origin of a file's pixel coordinates.
    package enum Origin {
        /// The center of the first pixel (OpenCV, ROS).
        case center
        /// The corner of the first pixel (ARKit, COLMAP), so half a pixel is subtracted.
        case corner
    }

    /// Intrinsics that a file stores; `nil` if they are invalid.
    package init?(fx: Double?, fy: Double?, cx: Double?, cy: Double?, from origin: Origin) {
        guard let fx, let fy, let cx, let cy, fx.isFinite, fy.isFinite, fx > 0, fy > 0, cx.isFinite,
            cy.isFinite, max(fx, fy, abs(cx), abs(cy)) < 1e7
        else { return nil }
        let shift = origin == .corner ? 0.5 : 0
        self.init(fx: fx, fy: fy, cx: cx - shift, cy: cy - shift)
    }

    /// From the nine numbers of a matrix, row by row.
    package init?(matrix: [Double]?, from origin: Origin) {
        guard let matrix, matrix.count == 9 else { return nil }
        self.init(fx: matrix[0], fy: matrix[4], cx: matrix[2], cy: matrix[5], from: origin)
    }

    /// From the nine numbers of a matrix, column by column.
    package init?(columnMajor matrix: [Double]?, from origin: Origin) {
        guard let matrix, matrix.count == 9 else { return nil }
        self.init(fx: matrix[0], fy: matrix[4], cx: matrix[6], cy: matrix[7], from: origin)
    }

    /// The camera, for its own frame, or else one of this size.
    package func calibration(_ usual: PixelSize) -> CameraCalibration {
        let size = size ?? usual
        var camera = CameraCalibration(
            focalLengthX: fx, focalLengthY: fy, principalPointX: cx, principalPointY: cy, width: size.width,
            height: size.height)
        camera.lens = lens
        return camera
    }

    /// The intrinsics of a calibration, for its frame.
    package init(_ camera: CameraCalibration) {
        self.init(
            fx: camera.focalLengthX, fy: camera.focalLengthY, cx: camera.principalPointX,
            cy: camera.principalPointY)
        (size, lens) = (PixelSize(width: camera.width, height: camera.height), camera.lens)
    }
}
