/// The two eyes of a spatial video, as its file declares them.
package struct RecordedEyes: Hashable, Sendable {
    /// The eye to show where only one can be shown; `nil` if not declared.
    package var hero: Eye?
    /// The distance between the two cameras, in meters; `nil` if not declared.
    package var baseline: Double?
    /// The horizontal field of view, in degrees; `nil` if not declared.
    package var horizontalFieldOfView: Double?
    /// How far to shift the eyes against each other for display, as a fraction of the width; `nil` if not declared. The stored
    /// pictures do not include it.
    package var disparityAdjustment: Double?
    /// The projection: `rect` is a plain camera, `equi`, `hequ` and `fish` show more than one can; `nil` if not declared.
    package var projection: String?
    /// Whether the picture's track holds the right eye and not the left.
    package var firstIsRight = false
    /// Whether a second layer of the picture's track holds the other eye, as in MV-HEVC.
    package var isLayered = false
    /// Whether both eyes are read, and not only the first.
    package var areBothRead = false

    /// Nothing is declared.
    package init() {}

    /// Whether this eye is read.
    package func reads(_ eye: Eye) -> Bool { areBothRead || (eye == .right) == firstIsRight }
}
