internal import Glibc

/// Samples that lie in the air between two surfaces: where a camera or a smoothing filter mixed what is near with what
/// is far.
///
/// A sample flies when it is nearer than one neighbor and farther than the one opposite, in its row or in its column,
/// both by more than a share of its distance. The samples at both sides of an edge stay, each of which is level with a
/// neighbor; so does what sticks out, such as a wire one sample wide.
///
/// The share is what a surface would have whose normal is ``steepest`` off the line of sight, and ``leastShare`` at
/// least, so that noise is no edge.
struct FlyingSamples: Sendable {
    /// Degrees.
    static let steepest = 85.0
    /// Of the distance.
    static let leastShare = 0.02

    /// 1 and the share.
    let ratio: Float
    private let inverse: Float

    /// The rule for a map whose focal length is given in its own samples.
    init(focalLength: Double) {
        let share = tan(Self.steepest * .pi / 180) / focalLength
        // A very short focal length leaves the rule for jumps to twice the distance.
        ratio = Float(1 + min(max(share, Self.leastShare), 1))
        inverse = 1 / ratio
    }

    /// Takes flying samples from the selection of a row. Rows have one sample of padding at both ends, and `nan` for
    /// what is no distance.
    func remove(from selected: inout [UInt8], row: [Float], above: [Float], below: [Float]) {
        precondition(min(row.count, above.count, below.count) == selected.count + 2)
        let (row, above, below) = (row.span, above.span, below.span)
        for column in selected.indices {
            let depth = row[column + 1]
            let flies =
                isBetween(depth, row[column], row[column + 2])
                | isBetween(depth, above[column + 1], below[column + 1])
            selected[column] &= ~flies
        }
    }

    /// 1 or 0.
    private func isBetween(_ depth: Float, _ first: Float, _ second: Float) -> UInt8 {
        let (low, high) = (depth * inverse, depth * ratio)
        let rises: UInt8 = (first < low ? 1 : 0) & (second > high ? 1 : 0)
        let falls: UInt8 = (second < low ? 1 : 0) & (first > high ? 1 : 0)
        return rises | falls
    }
}
