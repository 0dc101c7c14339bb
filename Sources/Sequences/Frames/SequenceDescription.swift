package import DepthModel

/// What is known of a recording, movie or pipe before a frame is read. Upright.
package struct SequenceDescription: Sendable {
    /// The depth of all frames.
    package struct Depth: Hashable, Sendable {
        /// Its size, in samples.
        package var size: PixelSize
        /// What values mean once they are read.
        package var scale: DepthScale
        /// How many stored units a meter has, such as 1000 or 5000; `nil` where samples are stored in meters or have no unit.
        package var unitsPerMeter: Double?

        /// The depth of a source.
        package init(size: PixelSize, scale: DepthScale, unitsPerMeter: Double? = nil) {
            (self.size, self.scale, self.unitsPerMeter) = (size, scale, unitsPerMeter)
        }
    }

    /// Where cameras stood.
    package struct Poses: Hashable, Sendable {
        /// How many frames have a pose.
        package var count: Int
        /// How they are stored, in words for people, such as `camera-to-world, OpenGL axes`.
        package var convention: String

        /// Poses of a source.
        package init(count: Int, convention: String) {
            self.count = count
            self.convention = convention
        }
    }

    /// The kind of source, such as `TUM RGB-D`, `Matroska` or `y4m`.
    package var layout: String
    /// The number of frames; `nil` where only reading shows it.
    package var frameCount: Int?
    /// How many more frames are listed whose files are missing.
    package var missingCount = 0
    /// Seconds from the first frame to the last; `nil` where only reading shows it.
    package var seconds: Double?
    /// The nominal rate, in frames per second; `nil` where nothing says so. Times of frames are what applies.
    package var rate: Double?
    /// The picture's size, in pixels; `nil` where there is no picture.
    package var colorSize: PixelSize?
    /// The depth; `nil` where there is none.
    package var depth: Depth?
    /// Whether there is a confidence for each sample of the depth.
    package var hasConfidence = false
    /// Whether frames have mattes of their own.
    package var hasMattes = false
    /// Where cameras stood; `nil` where there are no poses.
    package var poses: Poses?
    /// The camera of the first frame; `nil` where it is unknown.
    package var calibration: CameraCalibration?

    /// Nothing but the kind of source is known.
    package init(layout: String) { self.layout = layout }
}
