/// The positions where values far inside wide holes are computed: those between are interpolated.
struct HoleLattice: Sendable {
    /// The steps from the rim up to which each sample is computed.
    static let reach = 16
    /// The spacing of the positions, a power of 2 and at most the reach.
    private static let pitch = 4

    private let holes: HoleGrid
    /// The largest difference between values that are averaged.
    private let closeness: Float

    init(_ holes: HoleGrid, closeness: Float) { (self.holes, self.closeness) = (holes, closeness) }

    /// Whether a sample is far inside a hole, and between four positions.
    @inline(__always)
    static func interpolates(_ row: Int, _ column: Int, in holes: HoleGrid, _ cells: Span<Int32>) -> Bool {
        let mask = pitch - 1
        return cells[row &* holes.width &+ column] > reach && (row | column) & mask != 0
            && row | mask < holes.height &- 1 && column | mask < holes.width &- 1
    }

    /// The plane with interpolated values: the bilinear mean of those that are close to the one with the largest weight;
    /// `nan` where all four are unknown.
    func interpolated(_ plane: [Float]) -> [Float] {
        parallelMapRows(width: holes.width, height: holes.height) { rows, output in
            let (cells, plane) = (holes.cells.span, plane.span)
            for row in rows {
                for column in 0..<holes.width {
                    output[(row - rows.lowerBound) * holes.width + column] =
                        Self.interpolates(row, column, in: holes, cells)
                        ? interpolated(row, column, plane) : plane[row &* holes.width &+ column]
                }
            }
        }
    }

    private func interpolated(_ row: Int, _ column: Int, _ plane: Span<Float>) -> Float {
        let mask = Self.pitch - 1
        let first = (row & ~mask) &* holes.width &+ (column & ~mask)
        let below = first &+ Self.pitch &* holes.width
        let values = SIMD4(
            plane[first], plane[first &+ Self.pitch], plane[below], plane[below &+ Self.pitch])
        let (x, y) = (Float(column & mask) / Float(Self.pitch), Float(row & mask) / Float(Self.pitch))
        var weights = SIMD4((1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y)
        weights.replace(with: -1, where: values .!= values)
        let greatest = weights.max()
        guard greatest >= 0 else { return .nan }
        let reference = values.replacing(with: .infinity, where: weights .!= greatest).min()
        let offsets = values - reference
        let isClose = (offsets .<= closeness) .& (offsets .>= -closeness)
        weights.replace(with: 0, where: .!isClose)
        return reference + (weights * offsets.replacing(with: 0, where: .!isClose)).sum() / weights.sum()
    }
}
