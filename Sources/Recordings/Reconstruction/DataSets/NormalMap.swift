internal import DepthMaps
internal import DepthTypes

/// The directions of surfaces in a depth map, in the camera's axes and toward the camera.
///
/// On a plane, 1/z is a linear function of X/Z and Y/Z, and its three coefficients are along the plane's normal. They are
/// fitted to the samples around each that are within 5 % of its distance, so that no edge is part of a fit.
struct NormalMap {
    let size: PixelSize
    /// The x of all samples, then the y, then the z, as COLMAP stores them; 0 where unknown.
    let samples: [Float]

    /// The rows and columns on each side of a sample.
    private static let reach = 3
    private static let tolerance: Float = 0.05
    private static let fewestSamples: Float = 12

    /// The camera may be for a frame of another size.
    init(_ depth: FramePlane<Float>, _ camera: CameraCalibration) {
        size = depth.size
        let (width, height) = (depth.width, depth.height)
        let camera = camera.scaled(toWidth: width, height: height)
        let focal = SIMD2(Float(camera.focalLengthX), Float(camera.focalLengthY))
        let center = SIMD2(Float(camera.principalPointX), Float(camera.principalPointY))
        let inverses = depth.samples.map { $0 > 0 && $0.isFinite ? 1 / $0 : Float.nan }
        let normals: [SIMD3<Float>] = parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                for column in 0..<width {
                    let fit = Self.fit(inverses, width, height, column, row)
                    let slope = SIMD2(fit.x, fit.y) * focal
                    let place = (SIMD2(Float(column), Float(row)) - center) / focal
                    let normal = -SIMD3(slope.x, slope.y, fit.z - (slope * place).sum())
                    let length = (normal * normal).sum().squareRoot()
                    output[(row - rows.lowerBound) * width + column] = length > 0 ? normal / length : .zero
                }
            }
        }
        samples = (0..<3).flatMap { axis in normals.map { $0[axis] } }
    }

    /// The slopes of 1/z per column and row, and its value at a sample; zeros if it is unknown, or if it has too few neighbors.
    private static func fit(
        _ inverses: [Float], _ width: Int, _ height: Int, _ column: Int, _ row: Int
    ) -> SIMD3<Float> {
        let middle = inverses[row * width + column]
        guard middle > 0 else { return .zero }
        var (count, sum, square, product) = (Float(0), SIMD2<Float>.zero, SIMD2<Float>.zero, Float(0))
        var (value, weighted) = (Float(0), SIMD2<Float>.zero)
        for y in max(0, row - reach)...min(height - 1, row + reach) {
            for x in max(0, column - reach)...min(width - 1, column + reach) {
                let difference = inverses[y * width + x] - middle
                guard difference.magnitude < tolerance * middle else { continue }
                let offset = SIMD2(Float(x - column), Float(y - row))
                count += 1
                sum += offset
                square += offset * offset
                product += offset.x * offset.y
                value += difference
                weighted += offset * difference
            }
        }
        guard count >= fewestSamples else { return .zero }
        // The normal equations about the means.
        square -= sum * sum / count
        product -= sum.x * sum.y / count
        weighted -= sum * (value / count)
        let determinant = square.x * square.y - product * product
        guard determinant > 1 else { return .zero }
        let slope =
            SIMD2(
                weighted.x * square.y - weighted.y * product, weighted.y * square.x - weighted.x * product)
            / determinant
        return SIMD3(slope.x, slope.y, middle + (value - (slope * sum).sum()) / count)
    }
}
