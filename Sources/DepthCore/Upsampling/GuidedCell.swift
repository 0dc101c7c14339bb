/// What a cell's 4 × 4 samples are like.
enum GuidedCell: UInt8, BitwiseCopyable, Sendable {
    /// None of the four corners is finite, and all are unknown.
    case empty
    /// All are finite, and next to equal.
    case even
    /// All are finite, and differ by less than a jump.
    case weak
    /// There is a jump, or something is not finite.
    case edge
}
