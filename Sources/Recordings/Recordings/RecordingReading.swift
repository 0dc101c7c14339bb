package import Scenes

/// Information that a recording does not declare, given by the caller.
package struct RecordingReading: Sendable {
    /// Stored units per meter; `nil` for the layout's unit.
    package var unitsPerMeter: Double?
    /// The focal length in pixels of the depth.
    package var focalLength: Double?
    /// The principal point in pixels of the depth; `nil` is the middle. Needs a focal length.
    package var principalPoint: SIMD2<Double>?
    /// The pattern of the color pictures of numbered depth images, as in `rgb-%04d.png`.
    package var colorPattern: String?
    /// A file with the poses, which replace those of the recording.
    package var posesPath: String?
    /// The convention of poses; `nil` for the layout's, or the file's.
    package var poseConvention: PoseConvention?
    /// The topics of a bag to read, by their names; others are chosen by type and name.
    package var topics: [String] = []

    /// Adds nothing to the recording's declarations.
    package init() {}

    /// The part of a raster's reading that applies to recordings.
    package init(_ reading: RasterInterpretation) {
        unitsPerMeter = reading.scale
        focalLength = reading.focalLength
        principalPoint = reading.principalPoint.map { SIMD2($0.x, $0.y) }
        colorPattern = reading.colorPath
    }
}
