internal import Bytes
package import DepthTypes

/// The position of the subject, according to the camera: `SubjectArea` and `SubjectDistance` (Exif 2.32, CIPA DC-008, 4.6.5).
package struct ExifSubject: Hashable, Sendable {
    /// The center of the area as fractions of ``frame``, before it is turned upright; more than 1 if it belongs to a frame before
    /// an editor turned the photo. `nil` if not given, or if it is the center of the frame.
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
        if 2...4 ~= area.count, width > 0, height > 0, max(area[0], area[1]) <= max(width, height) {
            let point = SIMD2(Double(area[0]) / Double(width), Double(area[1]) / Double(height))
            if !Self.isMiddle(point) { self.point = point }
        }
        isBackgroundBlurred = [7, 8].contains(try directory.integer(.customRendered, in: &block))
        let distance = try directory.rational(.subjectDistance, in: &block)
        // 0 means unknown, and the largest numerator infinity.
        if let distance, distance > 0, distance < Double(UInt32.max) / 100 { self.distance = distance }
    }
}

extension ExifSubject {
    /// The positions of the subject as fractions of the upright photo, without those that were cut off: in the frame that Exif
    /// states, and, if the photo is stored upright, in the frame of a camera that was held upright. Editors that turn a photo's
    /// samples leave its position.
    package func points(in photo: PixelSize, turnedBy orientation: Orientation) -> [SIMD2<Double>] {
        guard let point else { return [] }
        func upright(
            _ point: SIMD2<Double>, in frame: PixelSize, of photo: PixelSize, _ orientation: Orientation
        ) -> SIMD2<Double>? {
            guard let cut = CutFrame(frame, around: photo)?.photoFraction(of: point),
                cut.min() >= 0, cut.max() <= 1
            else { return nil }
            let turned = orientation.point(cut.x, cut.y, width: 1, height: 1)
            return [turned.x, turned.y]
        }
        let stated = upright(point, in: frame, of: photo, orientation)
        guard orientation == .up, photo.height > photo.width else { return [stated].compactMap(\.self) }
        let (longer, shorter) = (max(frame.width, frame.height), min(frame.width, frame.height))
        let turned =
            point * SIMD2(Double(frame.width) / Double(longer), Double(frame.height) / Double(shorter))
        if Self.isMiddle(turned) { return [] }
        let unturned = upright(
            turned, in: PixelSize(width: longer, height: shorter),
            of: PixelSize(width: photo.height, height: photo.width), .right)
        return [stated, unturned].compactMap(\.self)
    }

    /// Whether a point is the middle of a frame, which cameras write if they do not know the subject.
    private static func isMiddle(_ point: SIMD2<Double>) -> Bool {
        max(abs(point.x - 0.5), abs(point.y - 0.5)) <= 0.02
    }
}
