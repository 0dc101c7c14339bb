internal import DepthMaps
internal import DepthTypes

/// Fits the planes of a ``SurfelGrid`` to samples of 1/z.
struct SurfelFit {
    let inverses: [Float]
    /// 1 for samples that continue the line between their neighbors, in their row and in their column.
    let smooth: [UInt8]
    let size: PixelSize
    /// Samples from one surfel to the next.
    let step: Int
    /// The standard deviation of 1/z.
    let noise: Float
    /// The standard deviation of a distance that needs no mean with its neighbors, in meters.
    let target: Float
    /// Focal lengths and principal point, in samples.
    let focal: SIMD2<Float>
    let principal: SIMD2<Float>
    /// The confidence of the samples of the depth, 0…2; empty if unknown.
    let confidence: [UInt8]
    let stride: Int
    let depthWidth: Int

    /// The weight of a sample at each level of confidence.
    private static let confidenceWeights: [Float] = [0.1, 0.5, 1]
    /// The weight of samples at edges, and of noisy ones without smooth surroundings.
    private static let roughWeight: Float = 0.5
    /// The least factor of distances: slopes at the edge of objects are often those of noise.
    private static let leastFactor: Float = 0.7
    /// A sample's weight is 1/z², constant below 10 cm.
    private static let mostSquare: Float = 100
    /// The greatest second difference of smooth samples, in its standard deviations (√6 of the noise).
    private static let mostDeviations: Float = 4.5
    /// The least limit of the second difference, as a fraction of 1/z.
    private static let leastShare: Float = 0.002

    /// 1 for each sample whose second differences, in its row and in its column, are like those of noise.
    static func smoothness(_ inverses: [Float], _ size: PixelSize, _ noise: Float) -> [UInt8] {
        let (width, height) = (size.width, size.height)
        let limit = mostDeviations * noise * Float(6).squareRoot()
        return parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                let start = (row - rows.lowerBound) * width
                guard row > 0, row < height - 1 else {
                    for column in 0..<width { output[start + column] = 0 }
                    continue
                }
                // SAFETY: the row is inside of the plane, and so are the rows above and below.
                unsafe inverses.withUnsafeBufferPointer { inverses in
                    unsafe output.withUnsafeMutableBufferPointer { output in
                        let line = unsafe inverses.baseAddress.unsafelyUnwrapped + row * width
                        let result = unsafe output.baseAddress.unsafelyUnwrapped + start
                        unsafe mark(line, width, limit, result)
                    }
                }
            }
        }
    }

    // SAFETY: there are rows of `width` samples at `line`, before it and after it, and the result has as many.
    @inline(never)
    private static func mark(
        _ line: UnsafePointer<Float>, _ width: Int, _ limit: Float, _ result: UnsafeMutablePointer<UInt8>
    ) {
        unsafe (result[0], result[width - 1]) = (0, 0)
        for column in 1..<width - 1 {
            let twice = unsafe 2 * abs(line[column])
            let most = max(limit, leastShare * 0.5 * twice)
            let along = unsafe abs(abs(line[column &- 1]) - twice + abs(line[column &+ 1]))
            let across = unsafe abs(abs(line[column &- width]) - twice + abs(line[column &+ width]))
            unsafe result[column] = (along <= most ? 1 : 0) & (across <= most ? 1 : 0)
        }
    }

    /// The planes of all surfels, with a border of one.
    func planes(width: Int, height: Int) -> [SIMD4<Float>] {
        parallelMapRows(width: width + 2, height: height + 2) { rows, output in
            var line = FittedRow(width: size.width)
            for row in rows {
                let start = (row - rows.lowerBound) * (width + 2)
                let center = (row - 1) * step + step / 2
                // Samples at the border of the map have no neighbor on one side.
                guard row > 0, row <= height, center > 0, center < size.height - 1 else {
                    for column in 0..<width + 2 { output[start + column] = .zero }
                    continue
                }
                line.fit(row: center, of: self)
                (output[start], output[start + width + 1]) = (.zero, .zero)
                for column in 0..<width {
                    output[start + column + 1] = plane(
                        line, column: column * step + step / 2, row: center)
                }
            }
        }
    }

    /// The plane at a sample, as in ``SurfelGrid/planes``; zero where nothing is known.
    @inline(__always)
    private func plane(_ line: borrowing FittedRow, column: Int, row: Int) -> SIMD4<Float> {
        let inverse = line.inverses[column]
        guard inverse > 0 else { return .zero }
        let (alongColumn, alongRow) = (line.columnSlopes[column], line.rowSlopes[column])
        // In the camera, the plane is n · p = 1 with n = (a, b, c): 1/z = a · X / Z + b · Y / Z + c.
        let ray = SIMD2(Float(column) - principal.x, Float(row) - principal.y) / focal
        let normal = SIMD3(
            alongColumn * focal.x, alongRow * focal.y,
            inverse - alongColumn * (Float(column) - principal.x) - alongRow * (Float(row) - principal.y))
        // The distance of a point from the plane, for each meter along the axis.
        let factor = inverse / (normal * normal).sum().squareRoot()
        var weight =
            min(inverse * inverse, Self.mostSquare) * (line.isSmooth[column] != 0 ? 1 : Self.roughWeight)
        weight *= max(factor / (1 + (ray * ray).sum()).squareRoot(), 0.05)
        if !confidence.isEmpty {
            weight *= Self.confidenceWeights[Int(min(confidence[(row * depthWidth + column) * stride], 2))]
        }
        return SIMD4(
            inverse, alongColumn * Float(step), alongRow * Float(step),
            SurfelWeight.packed(weight: weight, factor: max(factor, Self.leastFactor)))
    }
}
