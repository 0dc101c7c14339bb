internal import Bytes
internal import DepthTypes
internal import Glibc
internal import PhotoFormats
internal import RasterFormats

extension StereoPair {
    /// The pair as the caller describes it. Cameras of a calibration file replace those of the pair; a baseline and a focal
    /// length are used if the pair has no cameras. `leftPath` is the path of the left picture.
    ///
    /// Throws ``SceneError`` if the calibration cannot be read, or is for pictures of another shape.
    func described(
        by reading: ReadingOptions, leftPath: String?, limits: DecodingLimits
    ) throws(SceneError) -> StereoPair {
        var pair = self
        pair.isRectified = reading.isRectified
        if let path = reading.calibrationPath {
            let camera = leftPath.flatMap(Self.cameraNumber)
            do throws(ContainerError) {
                let file = try CalibrationFile(path: path, camera: camera, limits: limits)
                guard case .stereo(let calibration) = file else { throw ContainerError.sidecarOfOneCamera }
                try pair.calibrate(calibration)
            } catch {
                throw SceneError.unreadableCalibration(path: path, error)
            }
            pair.override(baseline: reading.baseline, focalLength: reading.focalLength)
        } else if let baseline = reading.baseline, let focalLength = reading.focalLength,
            computedScale == .affine, left.width > 0
        {
            pair.baseline = baseline
            pair.horizontalFieldOfView = 2 * atan(Double(left.width) / 2 / focalLength) * 180 / .pi
            (pair.left.calibration, pair.right.calibration) = (nil, nil)
            pair.cameraOrigin = .flags
        }
        return pair
    }

    /// Sets the cameras of a calibration, scaled to the pictures' size.
    private mutating func calibrate(_ file: StereoCalibration) throws(ContainerError) {
        let width = file.width ?? left.width
        let height = file.height ?? left.height
        let size = PixelSize(width: left.width, height: left.height)
        guard PixelSize(width: width, height: height).hasSameAspect(as: size) else {
            throw ContainerError(
                .malformed(rule: "it is for \(width) × \(height) pixels, and the left picture has \(size)"))
        }
        var camera = CameraCalibration(
            focalLengthX: file.focalLengthX, focalLengthY: file.focalLengthY,
            principalPointX: file.principalPointX, principalPointY: file.principalPointY,
            width: width, height: height)
        left.calibration = camera.scaled(toWidth: size.width, height: size.height)
        camera.principalPointX += file.disparityOffset
        right.calibration = camera.scaled(toWidth: size.width, height: size.height)
        (baseline, horizontalFieldOfView) = (file.baseline, nil)
        cameraOrigin = .calibration
        cameraNames = file.cameras.map { "\($0.left) and \($0.right)" }
    }

    private mutating func override(baseline given: Double?, focalLength: Double?) {
        baseline = given ?? baseline
        guard let focalLength else { return }
        for eye in [\StereoPair.left.calibration, \StereoPair.right.calibration] {
            self[keyPath: eye]?.focalLengthX = focalLength
            self[keyPath: eye]?.focalLengthY = focalLength
        }
    }

    /// The number of KITTI's camera, by the folder of a picture: `image_02/data/0000000000.png`, `image_2/000000.png`; `nil` for
    /// other names.
    private static func cameraNumber(ofPicture path: String) -> Int? {
        path.split(separator: "/").dropLast().reversed().lazy.compactMap { folder in
            folder.hasPrefix("image_") ? Int(folder.dropFirst(6)) : nil
        }.first
    }
}

extension ContainerError {
    /// The error for a sidecar that is given for a stereo pair.
    fileprivate static let sidecarOfOneCamera = ContainerError(
        .malformed(rule: "this sidecar holds one camera, and a stereo pair needs a calib.txt of both"))
}
