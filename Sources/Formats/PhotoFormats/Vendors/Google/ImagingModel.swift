internal import Bytes
internal import DepthTypes

/// The camera of a plane, by the `ImagingModel` of Dynamic Depth and the perspective model of XDM.
///
/// The specification does not define units, and writers differ: numbers up to 2 are fractions of the frame's size, others
/// pixels, both from the corner of the first pixel. `Distortion` is not read: its radii have no stated unit.
struct ImagingModel {
    private(set) var calibration: CameraCalibration?
    /// Values that were ignored or assumed.
    private(set) var diagnostics: [Diagnostic] = []
    private let offset: Int

    /// Reads the properties of a namespace for a plane, which may be a crop of their frame. Without a frame they are in the
    /// plane's pixels. `place` is the offset of the properties.
    init(_ fields: XMPProperties, _ namespace: String, planeWidth: Int, planeHeight: Int, at place: Int) {
        offset = place
        func number(_ name: String) -> Double? {
            fields[namespace, name]?.text.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
        }
        guard let focalX = number("FocalLengthX"), let focalY = number("FocalLengthY") else { return }
        let width = number("ImageWidth") ?? Double(planeWidth)
        let height = number("ImageHeight") ?? Double(planeHeight)
        guard focalX > 0, focalY > 0, (1...1e6).contains(width), (1...1e6).contains(height) else {
            report(.warning, .invalidCamera, "the camera intrinsics are not positive; they are ignored")
            return
        }
        func pixels(_ value: Double, _ size: Double) -> Double { value <= 2 ? value * size : value }
        let (fx, fy) = (pixels(focalX, width), pixels(focalY, height))
        // Fields of view of 20° to 130°: f between 0.233 and 2.836 of the longer side.
        guard (0.233...2.836).contains(max(fx, fy) / max(width, height)) else {
            report(
                .warning, .invalidCamera,
                "invalid focal length: \(focalX) for \(Int(width)) × \(Int(height)); the camera is ignored")
            return
        }
        var x = pixels(number("PrincipalPointX") ?? 0.5, width)
        var y = pixels(number("PrincipalPointY") ?? 0.5, height)
        let shift = (
            x: Self.shift(of: x, side: width, other: height), y: Self.shift(of: y, side: height, other: width)
        )
        if shift != (0, 0) {
            report(
                .note, .assumedCamera,
                "the principal point, (\(x), \(y)), belongs to the 4:3 frame that the photo was cut from; "
                    + "(\(x + shift.x), \(y + shift.y)) is used")
            (x, y) = (x + shift.x, y + shift.y)
        }
        if abs(x - width / 2) > width / 4 || abs(y - height / 2) > height / 4 {
            report(
                .warning, .assumedCamera,
                "the principal point, (\(x), \(y)), is far off center; the center is used")
            (x, y) = (width / 2, height / 2)
        } else if abs(x - width / 2) > width / 10 || abs(y - height / 2) > height / 10 {
            // The value is kept: real files have 18 %.
            report(
                .note, .assumedCamera,
                "the principal point, (\(x), \(y)), is more than a tenth off center; it is kept")
        }
        let frame = CameraCalibration(
            focalLengthX: fx, focalLengthY: fy, principalPointX: x - 0.5, principalPointY: y - 0.5,
            width: Int(width), height: Int(height))
        calibration = fitted(frame, planeWidth, planeHeight)
    }

    /// How far to move a coordinate of the principal point along a side of the frame; 0 if it fits.
    ///
    /// Google's cameras crop photos of 16:9 from a frame of 4:3 and give the size of the crop, but the point is off by the
    /// margin that was cut away: (long · 3/4 − short) / 2, away from the center. The center of a lens is never off by a tenth
    /// of a side, so the error is visible.
    private static func shift(of point: Double, side: Double, other: Double) -> Double {
        let margin = (other * 3 / 4 - side) / 2
        let offset = point - side / 2
        guard margin > 0, abs(offset) > side / 10, abs(abs(offset) - margin) <= side / 20 else { return 0 }
        return offset < 0 ? margin : -margin
    }

    private mutating func report(
        _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String
    ) {
        diagnostics.append(Diagnostic(severity, code, message, at: offset, in: StructurePath("XMP")))
    }

    /// The part of the sensor's frame that a plane shows.
    private mutating func fitted(
        _ frame: CameraCalibration, _ width: Int, _ height: Int
    ) -> CameraCalibration {
        var frame = frame
        if (frame.width > frame.height) != (width > height), frame.width != frame.height, width != height {
            report(
                .note, .assumedCamera,
                "the camera's frame lies across the plane; a clockwise turn is assumed")
            frame = frame.oriented(by: .right)
        }
        let plane = PixelSize(width: width, height: height)
        guard !plane.hasSameAspect(as: PixelSize(width: frame.width, height: frame.height)) else {
            return frame
        }
        let (cross, other) = (Double(frame.width) * Double(height), Double(frame.height) * Double(width))
        // Video-like shapes are cropped from the sensor's center.
        let isWide = cross > other
        let newWidth = isWide ? max(1, Int((other / Double(height)).rounded())) : frame.width
        let newHeight = isWide ? frame.height : max(1, Int((cross / Double(width)).rounded()))
        return frame.cropped(
            left: (frame.width - newWidth) / 2, top: (frame.height - newHeight) / 2, width: newWidth,
            height: newHeight)
    }
}
