package import DepthTypes
internal import Scenes

/// A frame of a recording, before anything is decoded.
///
/// A frame needs about 400 bytes, so a million frames fit into memory.
package struct RecordedFrame: Sendable {
    /// Its number in the recording; numbers may have gaps.
    package var number: Int
    /// Seconds. The stored time while the recording is being read, afterwards the time since its first frame.
    package var time: Double?
    /// The depth; `nil` if missing.
    var depth: (any FramePart)?
    /// The color picture; `nil` if missing, or if it is in a movie.
    var color: (any FramePart)?
    /// The parts in the recording's movie; `nil` if none are.
    var movie: MoviePart?
    /// How far each depth sample can be trusted.
    var confidence: (any FramePart)?
    /// The pixels of the subject.
    var matte: (any FramePart)?
    /// The camera's pose; `nil` if unknown, as after tracking was lost.
    package var pose: CameraPose?
    /// The camera, in pixels of the recording's ``Recording/cameraFrame``; `nil` if all frames have the same.
    package var intrinsics: Intrinsics?

    /// Whether parts of the frame are in a movie.
    package var isInMovie: Bool { movie != nil }

    /// Whether the frame has a color picture, in a separate file or in a movie.
    package var hasColor: Bool { color != nil || movie?.planes.contains(.picture) ?? false }

    /// Whether the frame has depth, in a separate file or in a movie.
    package var hasDepth: Bool { depth != nil || movie?.planes.contains(.depth) ?? false }

    /// The planes that it has.
    var planes: Set<PlaneID> {
        var planes = movie?.planes ?? []
        if color != nil { planes.insert(.picture) }
        if depth != nil { planes.insert(.depth) }
        if confidence != nil { planes.insert(.confidence) }
        if matte != nil { planes.insert(.matte) }
        return planes
    }

    init(number: Int, time: Double? = nil) {
        self.number = number
        self.time = time
    }
}

/// Focal lengths and principal point of a frame's camera, in pixels; (0, 0) is the center of the first pixel.
package struct Intrinsics: Hashable, Sendable {
    /// The focal length horizontally.
    package var fx: Double
    /// The focal length vertically.
    package var fy: Double
    /// The column of the principal point.
    package var cx: Double
    /// The row of the principal point.
    package var cy: Double

    /// Intrinsics of these numbers.
    package init(fx: Double, fy: Double, cx: Double, cy: Double) {
        self.fx = fx
        self.fy = fy
        self.cx = cx
        self.cy = cy
    }

    /// The origin of a file's pixel coordinates.
    enum Origin {
        /// The center of the first pixel (OpenCV, ROS).
        case center
        /// The corner of the first pixel (ARKit, COLMAP), so half a pixel is subtracted.
        case corner
    }

    /// Intrinsics that a file stores; `nil` if they are invalid.
    init?(fx: Double?, fy: Double?, cx: Double?, cy: Double?, from origin: Origin) {
        guard let fx, let fy, let cx, let cy, fx.isFinite, fy.isFinite, fx > 0, fy > 0, cx.isFinite,
            cy.isFinite, max(fx, fy, abs(cx), abs(cy)) < 1e7
        else { return nil }
        let shift = origin == .corner ? 0.5 : 0
        self.init(fx: fx, fy: fy, cx: cx - shift, cy: cy - shift)
    }

    /// From the nine numbers of a matrix, row by row.
    init?(matrix: [Double]?, from origin: Origin) {
        guard let matrix, matrix.count == 9 else { return nil }
        self.init(fx: matrix[0], fy: matrix[4], cx: matrix[2], cy: matrix[5], from: origin)
    }

    /// From the nine numbers of a matrix, column by column.
    init?(columnMajor matrix: [Double]?, from origin: Origin) {
        guard let matrix, matrix.count == 9 else { return nil }
        self.init(fx: matrix[0], fy: matrix[4], cx: matrix[6], cy: matrix[7], from: origin)
    }

    /// The camera, for a frame of this size.
    func calibration(_ size: PixelSize) -> CameraCalibration {
        CameraCalibration(
            focalLengthX: fx, focalLengthY: fy, principalPointX: cx, principalPointY: cy, width: size.width,
            height: size.height)
    }
}
