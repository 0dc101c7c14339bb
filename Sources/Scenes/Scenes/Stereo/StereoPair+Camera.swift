internal import Bytes
internal import DepthTypes
internal import PhotoFormats
internal import RasterFormats

extension StereoPair {
    /// The pair as the caller describes it. Cameras of a calibration file replace those of the pair; a baseline and another
    /// camera are used if the pair has no cameras. `leftPath` is the path of the left picture.
    ///
    /// Throws ``SceneError`` if the camera's file cannot be read, or is for pictures of another shape.
    func described(
        by reading: ReadingOptions, leftPath: String?, limits: DecodingLimits
    ) throws(SceneError) -> StereoPair {
        var pair = self
        pair.isRectified = reading.isRectified
        if let path = reading.cameraPath {
            let file = try CalibrationFile(path, camera: leftPath.flatMap(Self.cameraNumber), limits: limits)
            if case .pair(let calibration) = file.content {
                do throws(ContainerError) {
                    try pair.calibrate(calibration)
                } catch {
                    throw SceneError.unreadableCalibration(path: path, error)
                }
                pair.baseline = reading.baseline ?? pair.baseline
                return pair
            }
            guard reading.baseline != nil else {
                throw SceneError.unreadableCalibration(path: path, .calibrationOfOneCamera)
            }
        }
        let size = PixelSize(width: left.width, height: left.height)
        guard let baseline = reading.baseline, computedScale == .affine, left.width > 0,
            let camera = try reading.calibration(for: size, limits: limits)
        else { return pair }
        (pair.left.calibration, pair.right.calibration) = (camera, camera)
        (pair.baseline, pair.horizontalFieldOfView, pair.cameraOrigin) = (baseline, nil, .flags)
        return pair
    }

    /// Sets the cameras of a calibration, scaled to the pictures' size.
    private mutating func calibrate(_ file: StereoCalibration) throws(ContainerError) {
        let size = PixelSize(width: left.width, height: left.height)
        let own = PixelSize(width: file.width ?? size.width, height: file.height ?? size.height)
        guard own.hasSameAspect(as: size) else {
            throw ContainerError(
                .malformed(rule: "it is for \(own) pixels, and the left picture has \(size)"))
        }
        var camera = file.left.calibration(own)
        left.calibration = camera.scaled(toWidth: size.width, height: size.height)
        camera.principalPointX += file.disparityOffset
        right.calibration = camera.scaled(toWidth: size.width, height: size.height)
        (baseline, horizontalFieldOfView) = (file.baseline, nil)
        cameraOrigin = .calibration
        cameraNames = file.cameras.map { "\($0.left) and \($0.right)" }
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
    /// The error for one camera that is given for a stereo pair without a baseline.
    fileprivate static let calibrationOfOneCamera = ContainerError(
        .malformed(rule: "it holds one camera, and a stereo pair needs a calib.txt of both, or a baseline"))
}
