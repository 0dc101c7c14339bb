/// The pinhole camera of a plane, with its lens.
///
/// Pixel coordinates have (0, 0) at the *center* of the top-left pixel, as in OpenCV and Open3D. Apple's files measure from
/// the corner of that pixel; half a pixel is subtracted once, on reading. (Apple documents only "origin upper left";
/// the other interpretation would differ by half a reference pixel.)
public struct CameraCalibration: Hashable, Sendable {
    /// The pose of another camera, as file formats store it.
    public struct Extrinsics: Hashable, Sendable {
        /// The 3 × 3 rotation, row by row.
        public var rotation: [Double]
        /// The translation, in meters.
        public var translation: [Double]

        /// The rotation has nine numbers, row by row; the translation has three.
        public init(rotation: [Double], translation: [Double]) {
            self.rotation = rotation
            self.translation = translation
        }
    }

    /// Focal length in reference pixels, horizontally.
    public var focalLengthX: Double
    /// Focal length in reference pixels, vertically.
    public var focalLengthY: Double
    /// The principal point's column, in reference pixels.
    public var principalPointX: Double
    /// The principal point's row, in reference pixels.
    public var principalPointY: Double
    /// The width of the reference frame, in pixels.
    public var width: Int
    /// The height of the reference frame, in pixels.
    public var height: Int
    /// The lens; `nil` if missing.
    public var distortion: LensDistortion?
    /// The lens in OpenCV's model; `nil` if missing. A camera has at most one of both.
    package var lens: LensCoefficients?
    /// The transform from this camera to the reference camera; `nil` if missing.
    public var extrinsics: Extrinsics?
    /// The size of a reference pixel on the sensor, in millimeters.
    public var pixelSize: Double?

    /// Intrinsics in pixels of a frame of `width` × `height`.
    public init(
        focalLengthX: Double, focalLengthY: Double, principalPointX: Double, principalPointY: Double,
        width: Int, height: Int, distortion: LensDistortion? = nil, extrinsics: Extrinsics? = nil,
        pixelSize: Double? = nil
    ) {
        (self.focalLengthX, self.focalLengthY) = (focalLengthX, focalLengthY)
        (self.principalPointX, self.principalPointY, self.width) = (principalPointX, principalPointY, width)
        (self.height, self.distortion, self.extrinsics) = (height, distortion, extrinsics)
        self.pixelSize = pixelSize
    }
}

extension CameraCalibration {
    /// The calibration of the same picture turned upright: frame, focal lengths, principal point, distortion center and
    /// extrinsics.
    ///
    /// With R the turn of the camera's axes, the extrinsic rotation E becomes E·R⁻¹: turned axes are first turned back. A
    /// mirrored orientation mirrors the axes too, so its determinant is −1.
    public func oriented(by orientation: Orientation) -> CameraCalibration {
        guard orientation != .up else { return self }
        var result = self
        (result.width, result.height) = orientation.size(width: width, height: height)
        if orientation.swapsAxes { swap(&result.focalLengthX, &result.focalLengthY) }
        (result.principalPointX, result.principalPointY) = turned(
            principalPointX, principalPointY, by: orientation)
        if var lens = distortion {
            (lens.centerX, lens.centerY) = turned(lens.centerX, lens.centerY, by: orientation)
            result.distortion = lens
        }
        result.lens = lens?.oriented(by: orientation)
        if let rotation = extrinsics?.rotation, rotation.count == 9 {
            let turn = orientation.inverse.matrix
            var turned = rotation
            for row in [0, 3, 6] {
                turned[row] = rotation[row] * Double(turn.a) + rotation[row + 1] * Double(turn.c)
                turned[row + 1] = rotation[row] * Double(turn.b) + rotation[row + 1] * Double(turn.d)
            }
            result.extrinsics?.rotation = turned
        }
        return result
    }

    /// The calibration for the same picture at another size; pixels may become oblong.
    public func scaled(toWidth newWidth: Int, height newHeight: Int) -> CameraCalibration {
        guard width > 0, height > 0, (newWidth, newHeight) != (width, height) else { return self }
        let (scaleX, scaleY) = (Double(newWidth) / Double(width), Double(newHeight) / Double(height))
        var result = self
        (result.width, result.height) = (newWidth, newHeight)
        result.focalLengthX *= scaleX
        result.focalLengthY *= scaleY
        result.principalPointX = (principalPointX + 0.5) * scaleX - 0.5
        result.principalPointY = (principalPointY + 0.5) * scaleY - 0.5
        if var lens = distortion {
            lens.centerX = (lens.centerX + 0.5) * scaleX - 0.5
            lens.centerY = (lens.centerY + 0.5) * scaleY - 0.5
            result.distortion = lens
        }
        result.pixelSize = pixelSize.map { $0 / scaleX }
        return result
    }

    /// The calibration of a crop whose top-left pixel is (`left`, `top`) in this frame.
    public func cropped(left: Int, top: Int, width: Int, height: Int) -> CameraCalibration {
        var result = self
        (result.width, result.height) = (width, height)
        result.principalPointX -= Double(left)
        result.principalPointY -= Double(top)
        result.distortion?.centerX -= Double(left)
        result.distortion?.centerY -= Double(top)
        return result
    }

    private func turned(_ x: Double, _ y: Double, by orientation: Orientation) -> (x: Double, y: Double) {
        let point = orientation.point(x + 0.5, y + 0.5, width: Double(width), height: Double(height))
        return (point.x - 0.5, point.y - 0.5)
    }
}
