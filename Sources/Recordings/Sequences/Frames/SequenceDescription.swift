package import DepthTypes

/// The description of a recording, movie or pipe, available before any frame is read. Upright.
package struct SequenceDescription: Sendable {
    /// The depth of all frames.
    package struct Depth: Hashable, Sendable {
        /// Its size, in samples.
        package var size: PixelSize
        /// The scale of values after reading.
        package var scale: DepthScale
        /// Stored units per meter, such as 1000 or 5000; `nil` if samples are stored in meters or have no unit.
        package var unitsPerMeter: Double?

        /// The depth of a source.
        package init(size: PixelSize, scale: DepthScale, unitsPerMeter: Double? = nil) {
            (self.size, self.scale, self.unitsPerMeter) = (size, scale, unitsPerMeter)
        }
    }

    /// The camera's poses.
    package struct Poses: Hashable, Sendable {
        /// How many frames have a pose.
        package var count: Int
        /// Their convention, for people, such as `camera-to-world, OpenGL axes`.
        package var convention: String

        /// Poses of a source.
        package init(count: Int, convention: String) {
            self.count = count
            self.convention = convention
        }
    }

    /// The kind of source, such as `TUM RGB-D`, `Matroska` or `y4m`.
    package var layout: String
    /// The number of frames; `nil` if it is known only after reading.
    package var frameCount: Int?
    /// How many further frames are listed with missing files.
    package var missingCount = 0
    /// Seconds from the first frame to the last; `nil` if it is known only after reading.
    package var seconds: Double?
    /// The nominal rate, in frames per second; `nil` if not stated. The times of frames take precedence.
    package var rate: Double?
    /// The picture's size, in pixels; `nil` without a picture.
    package var colorSize: PixelSize?
    /// The depth; `nil` if missing.
    package var depth: Depth?
    /// Whether there is a confidence for each sample of the depth.
    package var hasConfidence = false
    /// The mattes that frames have, not necessarily all of them: `.matte` for the subject, `.skin`, `.sky`.
    package var mattes: [PlaneKind] = []
    /// The camera's poses; `nil` if missing.
    package var poses: Poses?
    /// The camera of the first frame; `nil` if unknown.
    package var calibration: CameraCalibration?
    /// Whether the camera comes from the caller, and not from the source.
    package var isCameraGiven = false
    /// The eyes of a spatial video; `nil` for others.
    package var eyes: RecordedEyes?

    /// The planes that frames have besides the picture.
    package var planes: [PlaneKind] {
        (depth == nil ? [] : [.depth]) + (hasConfidence ? [.confidence] : []) + mattes
    }

    /// Only the kind of source is known.
    package init(layout: String) { self.layout = layout }
}
