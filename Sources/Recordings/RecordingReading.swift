package import DepthIO

/// What a recording does not say itself, given by the caller.
package struct RecordingReading: Codable, Sendable {
    /// What stored depths are divided by to give meters; `nil`: what the layout says.
    package var unitsPerMeter: Double?
    /// The focal length in pixels of the depth.
    package var focalLength: Double?
    /// The principal point in pixels of the depth; `nil` is the middle. Needs a focal length.
    package var principalPoint: SIMD2<Double>?
    /// Where the color pictures of numbered depth images are, as in `rgb-%04d.png`.
    package var colorPattern: String?
    /// How poses are stored; `nil`: what the layout says.
    package var poseConvention: PoseConvention?

    /// Nothing is known but what the recording says.
    package init() {}

    /// What of the reading of a raster is used for a recording.
    package init(_ reading: RasterInterpretation) {
        unitsPerMeter = reading.scale
        focalLength = reading.focalLength
        principalPoint = reading.principalPoint.map { SIMD2($0.x, $0.y) }
        colorPattern = reading.colorPath
    }
}
