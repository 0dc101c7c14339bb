/// Where charts are in a texture: on shelves, the high ones first.
struct TextureLayout: Sendable {
    /// The edge of a texel, in meters.
    let texelSize: Float
    let width: Int
    let height: Int
    /// The first texel of each chart.
    let corners: [SIMD2<Int>]
    /// The texels of each chart, with its margin.
    let sizes: [SIMD2<Int>]

    /// Texels around a chart that repeat its rim, for filters of viewers and the blocks of JPEG.
    static let margin = 3

    /// Packs charts of these sizes in meters, with texels of an edge that is as small as possible, and not below `texelSize`. No side of
    /// the texture is longer than `longestSide`; `nil` if there are more charts than fit, however small.
    init?(_ extents: [SIMD2<Float>], texelSize least: Float, longestSide: Int) {
        let order = extents.indices.sorted { (extents[$0].y, $0) > (extents[$1].y, $1) }
        var texelSize = least
        while texelSize.isFinite {
            let sizes = extents.map { extent in
                let inside = (extent / texelSize).rounded(.up)
                return SIMD2(Int(inside.x), Int(inside.y)) &+ (1 + 2 * Self.margin)
            }
            let area = sizes.reduce(0) { $0 + $1.x * $1.y }
            let widest = sizes.reduce(0) { max($0, $1.x) }
            // About a square, or as wide as it may be.
            for width in [max(widest, Int((1.05 * Double(area)).squareRoot())), longestSide] {
                let (corners, height) = Self.shelves(sizes, order, width: width)
                guard widest <= width, max(width, height) <= longestSide else { continue }
                (self.texelSize, self.width, self.height) = (texelSize, width, max(1, height))
                (self.corners, self.sizes) = (corners, sizes)
                return
            }
            texelSize *= sizes.allSatisfy { $0.max() <= 2 + 2 * Self.margin } ? .infinity : 1.03
        }
        return nil
    }

    private static func shelves(
        _ sizes: [SIMD2<Int>], _ order: [Int], width: Int
    ) -> (corners: [SIMD2<Int>], height: Int) {
        var corners = [SIMD2<Int>](repeating: .zero, count: sizes.count)
        var (corner, shelf) = (SIMD2(0, 0), 0)
        for index in order {
            if corner.x + sizes[index].x > width { (corner, shelf) = (SIMD2(0, corner.y + shelf), 0) }
            corners[index] = corner
            corner.x += sizes[index].x
            shelf = max(shelf, sizes[index].y)
        }
        return (corners, corner.y + shelf)
    }
}
