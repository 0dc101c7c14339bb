/// The known cameras of a picture, best first. Only this type decides which one is used.
package struct CameraCandidates: Hashable, Sendable {
    /// Intrinsics given by the caller.
    package var given: CameraCalibration?
    /// Intrinsics in the file.
    package var file: CameraCalibration?
    /// The 35 mm equivalent focal length in Exif, in millimeters.
    package var focalLength35mm: Int?

    /// The candidates; `nil` for unknown ones.
    package init(
        given: CameraCalibration? = nil, file: CameraCalibration? = nil, focalLength35mm: Int? = nil
    ) {
        (self.given, self.file, self.focalLength35mm) = (given, file, focalLength35mm)
    }

    /// The camera of a picture or a map of this size, with its origin. Intrinsics keep the frame that they were made for:
    /// scale them to the size. Without any candidate, a usual field of view is assumed.
    ///
    /// Without intrinsics, the 35 mm equivalent of the photo's focal length is applied to the diagonal: the principal point
    /// is then the middle, and the lens is not corrected.
    package func camera(for size: PixelSize) -> ResolvedCamera {
        known(for: size)
            ?? ResolvedCamera(
                calibration: CameraCalibration(assumedForWidth: size.width, height: size.height),
                source: .assumed)
    }

    /// As ``camera(for:)``; `nil` without candidates.
    package func known(for size: PixelSize) -> ResolvedCamera? {
        if let given { return ResolvedCamera(calibration: given, source: .given) }
        if let file { return ResolvedCamera(calibration: file, source: .file) }
        guard let focalLength35mm, focalLength35mm > 0 else { return nil }
        return ResolvedCamera(
            calibration: CameraCalibration(
                focalLength35mm: Double(focalLength35mm), width: size.width, height: size.height),
            source: .focalLength35mm(focalLength35mm))
    }
}

/// A camera and the origin of its values.
package struct ResolvedCamera: Hashable, Sendable {
    package var calibration: CameraCalibration
    /// The origin of its values.
    package var source: CameraSource

    /// The camera in pixels of a picture of this size.
    package func scaled(to size: PixelSize) -> ResolvedCamera {
        ResolvedCamera(
            calibration: calibration.scaled(toWidth: size.width, height: size.height), source: source)
    }
}
