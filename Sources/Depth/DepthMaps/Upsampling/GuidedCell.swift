/// The kind of a cell, by its 4 × 4 samples.
enum GuidedCell: UInt8, BitwiseCopyable, Sendable {
    /// No corner is finite, and all are unknown.
    case empty
    /// All are finite and nearly equal.
    case even
    /// All are finite and differ by less than a jump.
    case weak
    /// There is a jump, or a sample that is not finite.
    case edge
}
