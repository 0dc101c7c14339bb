/// The axis-aligned bounding box of some points.
struct CloudBounds: BitwiseCopyable, Sendable {
    private var low = SIMD3<Float>(repeating: .infinity)
    private var high = SIMD3<Float>(repeating: -.infinity)

    /// No points.
    init() {}

    /// The box of points.
    init(of points: [SIMD3<Float>]) {
        for point in points { add(point) }
    }

    /// The bounding box of the points of a row, x · z, y · z and z times the signs of the axes; `nan` in `z` for missing
    /// points.
    init(ofRow x: [Float], _ y: [Float], _ z: [Float], _ signs: SIMD3<Float>) {
        precondition(x.count == y.count && x.count <= z.count)
        var (xs, ys, zs) = (LaneRange(), LaneRange(), LaneRange())
        var column = 0
        // SAFETY: all three have eight elements from `column` on.
        unsafe x.withUnsafeBytes { x in
            unsafe y.withUnsafeBytes { y in
                unsafe z.withUnsafeBytes { z in
                    while column + 8 <= x.count / 4 {
                        let depth = unsafe z.loadUnaligned(fromByteOffset: column * 4, as: SIMD8<Float>.self)
                        xs.add(
                            unsafe x.loadUnaligned(fromByteOffset: column * 4, as: SIMD8<Float>.self) * depth)
                        ys.add(
                            unsafe y.loadUnaligned(fromByteOffset: column * 4, as: SIMD8<Float>.self) * depth)
                        zs.add(depth)
                        column += 8
                    }
                }
            }
        }
        for column in column..<x.count {
            xs.add(SIMD8(repeating: x[column] * z[column]))
            ys.add(SIMD8(repeating: y[column] * z[column]))
            zs.add(SIMD8(repeating: z[column]))
        }
        guard zs.low.min() <= zs.high.max() else { return }
        add(SIMD3(xs.low.min(), ys.low.min(), zs.low.min()) * signs)
        add(SIMD3(xs.high.max(), ys.high.max(), zs.high.max()) * signs)
    }

    /// The smallest coordinates; zero without points.
    var minimum: SIMD3<Float> { low.x <= high.x ? low : .zero }

    /// The largest coordinates; zero without points.
    var maximum: SIMD3<Float> { low.x <= high.x ? high : .zero }

    mutating func add(_ point: SIMD3<Float>) {
        low = low.replacing(with: point, where: point .< low)
        high = high.replacing(with: point, where: point .> high)
    }

    mutating func add(_ other: CloudBounds) {
        guard other.low.x <= other.high.x else { return }
        add(other.low)
        add(other.high)
    }
}

/// The range of values in eight lanes, without `nan`.
private struct LaneRange {
    var low = SIMD8<Float>(repeating: .infinity)
    var high = SIMD8<Float>(repeating: -.infinity)

    mutating func add(_ values: SIMD8<Float>) {
        low.replace(with: values, where: values .< low)
        high.replace(with: values, where: values .> high)
    }
}
