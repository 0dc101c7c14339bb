internal import Bytes
internal import DepthTypes
internal import PhotoFormats
internal import RasterFormats

/// The camera of a raster, from the caller or the record in the raster.
struct RasterCamera {
    /// Intrinsics in the raster's pixels.
    var calibration: CameraCalibration?
    /// How disparity in pixels becomes disparity in 1/meters: `(d + doffs) / (baseline · f)`.
    var stereo: (offset: Double, baselineTimesFocal: Double)?
    /// The meaning of samples, if the given file is the record of this raster.
    var record: SampleEncoding?

    /// The camera that the caller gives, else the stored one.
    init(
        _ raster: RasterDescription, stored: CameraCalibration?, reading: ReadingOptions,
        limits: DecodingLimits
    ) throws(SceneError) {
        let size = PixelSize(width: raster.width, height: raster.height)
        var (offset, baseline) = (0.0, reading.baseline)
        calibration = stored
        if let path = reading.cameraPath {
            let file = try CalibrationFile(path, limits: limits)
            if case .pair(let pair) = file.content {
                try Self.checkSize(pair, size)
                (offset, baseline) = (pair.disparityOffset, baseline ?? pair.baseline)
            }
            record = file.record(of: raster)
            if record == nil || file.hasCamera { calibration = try file.camera(for: size) }
        } else if let given = try reading.calibration(for: size, limits: limits) {
            calibration = given
        }
        if let baseline, let calibration, reading.quantity?.converted != .depth {
            stereo = (offset, baseline * calibration.focalLengthX)
        }
    }

    /// Disparities of a raster of another size are in other pixels than the calibration.
    private static func checkSize(_ file: StereoCalibration, _ raster: PixelSize) throws(SceneError) {
        guard let width = file.width, let height = file.height else { return }
        let size = PixelSize(width: width, height: height)
        guard size == raster else { throw .calibrationOfOtherSize(size, raster: raster) }
    }
}
