/// A 3 × 3 matrix that rotates directions or maps pixels of one picture to pixels of another.
struct Homography: Sendable {
    /// The rows of the matrix.
    var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        rows = (first, second, third)
    }

    /// Nine numbers, row by row.
    init(_ numbers: [Double]) {
        precondition(numbers.count == 9)
        self.init(
            SIMD3(numbers[0], numbers[1], numbers[2]), SIMD3(numbers[3], numbers[4], numbers[5]),
            SIMD3(numbers[6], numbers[7], numbers[8]))
    }

    static let identity = Homography([1, 0, 0, 0, 1, 0, 0, 0, 1])

    var transposed: Homography {
        Homography(
            SIMD3(rows.0.x, rows.1.x, rows.2.x), SIMD3(rows.0.y, rows.1.y, rows.2.y),
            SIMD3(rows.0.z, rows.1.z, rows.2.z))
    }

    static func * (a: Homography, b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((a.rows.0 * b).sum(), (a.rows.1 * b).sum(), (a.rows.2 * b).sum())
    }

    static func * (a: Homography, b: Homography) -> Homography {
        let columns = b.transposed.rows
        return Homography(a * columns.0, a * columns.1, a * columns.2).transposed
    }

    /// The image of a pixel; `nan` behind the camera.
    func mapped(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let place = self * SIMD3(point.x, point.y, 1)
        return place.z > 0 ? SIMD2(place.x, place.y) / place.z : SIMD2(.nan, .nan)
    }

    /// The same map between pictures whose sides are divided by `reduction`; (0, 0) is the center of the first pixel in all.
    func reduced(by reduction: Int) -> Homography {
        let scale = Double(reduction)
        let shift = (scale - 1) / 2
        let enlarge = Homography(SIMD3(scale, 0, shift), SIMD3(0, scale, shift), SIMD3(0, 0, 1))
        let reduce = Homography(
            SIMD3(1 / scale, 0, -shift / scale), SIMD3(0, 1 / scale, -shift / scale), SIMD3(0, 0, 1))
        return reduce * self * enlarge
    }
}
