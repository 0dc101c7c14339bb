import PhotoWriting

/// How the camera was held: in which direction the stored pixels lie.
enum Posture {
    case level
    /// Stored a quarter turn counterclockwise from upright.
    case turned

    var orientation: UInt16 { self == .level ? 1 : 6 }

    /// The value of `irot` that does the same as ``orientation``.
    var counterclockwiseQuarterTurns: UInt8 { self == .level ? 0 : 3 }

    /// What is stored for an upright raster.
    func stored(_ raster: Raster) -> Raster {
        self == .level ? raster : raster.turnedCounterclockwise
    }

    /// Where an upright point of the photo is stored.
    private func stored(_ point: (x: Double, y: Double)) -> SIMD2<Double> {
        self == .level ? [point.x, point.y] : [point.y, Double(Camera.width) - point.x]
    }

    /// The camera in the stored frame.
    var calibration: CameraCalibrationInfo {
        let size = SIMD2(Camera.width, Camera.height)
        return CameraCalibrationInfo(
            focalLength: SIMD2(repeating: Camera.focalLength), principalPoint: stored(Camera.principalPoint),
            referenceDimensions: self == .level ? size : SIMD2(size.y, size.x), pixelSize: Camera.pixelSize,
            lensDistortion: Camera.lensDistortion, inverseLensDistortion: Camera.inverseLensDistortion,
            lensDistortionCenter: stored(Camera.distortionCenter))
    }

    /// 6 mm, and its equivalent by the diagonal: 1200 px × 43.267 mm / 1200 px = 43 mm.
    var exif: ExifBlock {
        ExifBlock(
            make: "Isobath", model: "Analytic Scene", orientation: orientation,
            focalLength: Camera.focalLength * Camera.pixelSize, focalLengthIn35mmFilm: 43)
    }
}
