internal import DepthMaps

/// Detects samples in the air between two surfaces, where a camera or a smoothing filter mixed near and far.
///
/// A sample flies if it is nearer than one neighbor and farther than the opposite one, in its row or in its column, both by
/// more than a fraction of its distance. Samples on both sides of an edge are kept, because each is level with a neighbor; so
/// are protruding objects, such as a wire one sample wide.
///
/// The fraction is computed for a surface whose normal is ``steepest`` off the line of sight, but at least ``leastShare``, so that
/// noise does not make edges.
struct FlyingPixels: Sendable {
    /// Degrees.
    static let steepest = 82.0
    /// A fraction of the distance.
    static let leastShare = 0.03

    /// 1 plus the fraction.
    let ratio: Float
    private let inverse: Float

    /// The rule for a map whose focal length is given in samples of the map.
    init(focalLength: Double) {
        let share = Math.tangent(Self.steepest * .pi / 180) / focalLength
        // With a very short focal length, only jumps to twice the distance are detected.
        ratio = Float(1 + min(max(share, Self.leastShare), 1))
        inverse = 1 / ratio
    }

    /// Removes flying samples from the selection of a row. Rows have one sample of padding at both ends, and `nan` for
    /// unknown distances.
    func remove(from selected: inout [UInt8], row: [Float], above: [Float], below: [Float]) {
        precondition(min(row.count, above.count, below.count) == selected.count + 2)
        let (row, above, below) = (row.span, above.span, below.span)
        var selected = selected.mutableSpan
        for column in selected.indices {
            // SAFETY: the rows have two samples more than are selected, as checked above.
            let depth = unsafe row[unchecked: column &+ 1]
            let level = unsafe keeps(depth, between: row[unchecked: column], row[unchecked: column &+ 2])
            let upright = unsafe keeps(
                depth, between: above[unchecked: column &+ 1], below[unchecked: column &+ 1])
            unsafe selected[unchecked: column] &= level & upright
        }
    }

    /// 0 if one of two neighbors is nearer and the other farther, by more than the fraction; else 1, also for `nan`.
    @inline(__always)
    private func keeps(_ depth: Float, between first: Float, _ second: Float) -> UInt8 {
        let isLess = second < first
        let (near, far) = (isLess ? second : first, isLess ? first : second)
        return ((near < depth * inverse ? 1 : 0) & (far > depth * ratio ? 1 : 0)) ^ 1
    }
}
