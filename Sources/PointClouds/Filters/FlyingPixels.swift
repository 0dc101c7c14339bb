internal import DepthCore

/// Samples that lie in the air between two surfaces: where a camera or a smoothing filter mixed what is near with what
/// is far.
///
/// A sample flies when it is nearer than one neighbor and farther than the one opposite, in its row or in its column,
/// both by more than a share of its distance. The samples at both sides of an edge stay, each of which is level with a
/// neighbor; so does what sticks out, such as a wire one sample wide.
///
/// The share is what a surface would have whose normal is ``steepest`` off the line of sight, and ``leastShare`` at
/// least, so that noise does not make edges.
struct FlyingPixels: Sendable {
    /// Degrees.
    static let steepest = 82.0
    /// Of the distance.
    static let leastShare = 0.03

    /// 1 and the share.
    let ratio: Float
    private let inverse: Float

    /// The rule for a map whose focal length is given in its own samples.
    init(focalLength: Double) {
        let share = Math.tangent(Self.steepest * .pi / 180) / focalLength
        // A very short focal length leaves the rule for jumps to twice the distance.
        ratio = Float(1 + min(max(share, Self.leastShare), 1))
        inverse = 1 / ratio
    }

    /// Takes flying samples from the selection of a row. Rows have one sample of padding at both ends, and `nan` for
    /// unknown distances.
    func remove(from selected: inout [UInt8], row: [Float], above: [Float], below: [Float]) {
        precondition(min(row.count, above.count, below.count) == selected.count + 2)
        var column = 0
        // SAFETY: eight elements from `column` on, and one before and behind them, are inside the padded rows.
        unsafe row.withUnsafeBytes { row in
            unsafe above.withUnsafeBytes { above in
                unsafe below.withUnsafeBytes { below in
                    func load(_ row: UnsafeRawBufferPointer, _ place: Int) -> SIMD8<Float> {
                        unsafe row.loadUnaligned(fromByteOffset: place * 4, as: SIMD8<Float>.self)
                    }
                    while column + 8 <= selected.count {
                        let depth = unsafe load(row, column + 1)
                        let flies =
                            unsafe isBetween(depth, load(row, column), load(row, column + 2))
                            .| isBetween(depth, load(above, column + 1), load(below, column + 1))
                        if any(flies) {
                            for lane in 0..<8 where flies[lane] { selected[column + lane] = 0 }
                        }
                        column += 8
                    }
                }
            }
        }
        for column in column..<selected.count {
            let depth = SIMD8(repeating: row[column + 1])
            let (left, right) = (SIMD8(repeating: row[column]), SIMD8(repeating: row[column + 2]))
            let (up, down) = (SIMD8(repeating: above[column + 1]), SIMD8(repeating: below[column + 1]))
            if any(isBetween(depth, left, right) .| isBetween(depth, up, down)) { selected[column] = 0 }
        }
    }

    /// Whether one of two neighbors is nearer and the other one farther, by more than the share. None of this is true of `nan`.
    @inline(__always)
    private func isBetween(
        _ depth: SIMD8<Float>, _ first: SIMD8<Float>, _ second: SIMD8<Float>
    ) -> SIMDMask<SIMD8<Int32>> {
        let isLess = second .< first
        let (near, far) = (
            first.replacing(with: second, where: isLess), second.replacing(with: first, where: isLess)
        )
        return (near .< depth * inverse) .& (far .> depth * ratio)
    }
}
