internal import Bytes
package import DepthTypes

/// The position of the subject, according to the camera: `SubjectArea` and `SubjectDistance` (Exif 2.32, CIPA DC-008, 4.6.5).
package struct ExifSubject: Hashable, Sendable {
    /// The center of the area as fractions of ``frame``, before it is turned upright. `nil` if not given, or if it is the
    /// center of the frame, which cameras write if they do not know the subject.
    package var point: SIMD2<Double>?
    /// The size of the picture that the camera took, in stored pixels (`PixelXDimension`, `PixelYDimension`); the photo may
    /// be cut from it. Empty if unknown.
    package var frame = PixelSize(width: 0, height: 0)
    /// The distance in meters; `nil` if it is unknown or infinite.
    package var distance: Double?
    /// Whether the camera has blurred everything but the subject: Apple's values 7 and 8 of `CustomRendered`, portraits with
    /// and without HDR.
    package var isBackgroundBlurred = false

    /// A subject without position and distance.
    init() {}

    /// Reads both fields of the Exif directory.
    init(_ directory: TIFFDirectory, in block: inout ByteCursor) throws(ContainerError) {
        let area = try directory.shorts(.subjectArea, in: &block)
        let width = try directory.integer(.pixelXDimension, in: &block) ?? 0
        let height = try directory.integer(.pixelYDimension, in: &block) ?? 0
        if width > 0, height > 0 { frame = PixelSize(width: width, height: height) }
        // A point, a circle or a rectangle: each starts with the center.
        if 2...4 ~= area.count, width > 0, height > 0 {
            let point = SIMD2(Double(area[0]) / Double(width), Double(area[1]) / Double(height))
            let offset = point - 0.5
            if max(point.x, point.y) <= 1, max(abs(offset.x), abs(offset.y)) > 0.02 { self.point = point }
        }
        isBackgroundBlurred = [7, 8].contains(try directory.integer(.customRendered, in: &block))
        let distance = try directory.rational(.subjectDistance, in: &block)
        // 0 means unknown, and the largest numerator infinity.
        if let distance, distance > 0, distance < Double(UInt32.max) / 100 { self.distance = distance }
    }
}
