/// The smallest box along the axes that holds some points.
struct CloudBounds: BitwiseCopyable, Sendable {
    private var low = SIMD3<Float>(repeating: .infinity)
    private var high = SIMD3<Float>(repeating: -.infinity)

    /// No points.
    init() {}

    /// The box of points.
    init(of points: [SIMD3<Float>]) {
        for point in points { add(point) }
    }

    /// The least coordinates; zero without points.
    var minimum: SIMD3<Float> { low.x <= high.x ? low : .zero }

    /// The greatest coordinates; zero without points.
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
