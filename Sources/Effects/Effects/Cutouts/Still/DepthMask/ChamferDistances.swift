/// Distances of samples to the nearest zero sample, in thirds of a sample.
///
/// The chamfer distance with steps of 3 and 4 (G. Borgefors, "Distance Transformations in Digital Images", 1986), which
/// differs from the Euclidean one by less than 6 %.
enum ChamferDistances {
    /// The initial distance of samples that are not 0.
    static var farthest: UInt16 { 60_000 }

    /// Propagates distances down and right, then up and left.
    static func swept(_ edges: [UInt16], _ width: Int, _ height: Int) -> [UInt16] {
        var thirds = edges
        for y in 0..<height { sweep(&thirds, row: y, from: y - 1, width, height, forward: true) }
        for y in (0..<height).reversed() {
            sweep(&thirds, row: y, from: y + 1, width, height, forward: false)
        }
        return thirds
    }

    private static func sweep(
        _ thirds: inout [UInt16], row: Int, from other: Int, _ width: Int, _ height: Int, forward: Bool
    ) {
        var thirds = thirds.mutableSpan
        let (start, near) = (row * width, other * width)
        if other >= 0, other < height {
            for x in 0..<width {
                let left = thirds[near + max(x - 1, 0)] &+ 4
                let right = thirds[near + min(x + 1, width - 1)] &+ 4
                thirds[start + x] = min(thirds[start + x], thirds[near + x] &+ 3, left, right)
            }
        }
        if forward {
            for x in stride(from: 1, to: width, by: 1) {
                thirds[start + x] = min(thirds[start + x], thirds[start + x - 1] &+ 3)
            }
        } else {
            for x in stride(from: width - 2, through: 0, by: -1) {
                thirds[start + x] = min(thirds[start + x], thirds[start + x + 1] &+ 3)
            }
        }
    }
}
