internal import DepthMaps
internal import DepthTypes
internal import Scenes

/// Reduces frames to the resolution of odometry.
enum ViewReduction {
    /// Samples in a row or column at most: more would take more time and gain little.
    static let mostColumns = 320
    /// Samples farther than the nearest one by this fraction belong to another surface.
    private static let jump: Float = 0.05

    /// A frame's depth in meters and brightness, at most ``mostColumns`` wide. `nil` without depth or camera.
    ///
    /// Samples of low confidence are unknown. A depth sample is the mean of its pixels on the nearest surface.
    static func level(of frame: DepthScene) -> ViewLevel? {
        guard let map = try? frame.depth(), let camera = map.calibration else { return nil }
        let factor = (max(map.width, map.height) + mostColumns - 1) / mostColumns
        let (width, height) = (map.width / factor, map.height / factor)
        guard width >= leastSide, height >= leastSide else { return nil }
        let used = camera.scaled(toWidth: map.width, height: map.height)
            .cropped(left: 0, top: 0, width: width * factor, height: height * factor)
        let confidence = (try? frame.confidence(on: map)) ?? []
        return ViewLevel(
            used, width: width, height: height,
            depth: depth(of: map, confidence, factor: factor, width: width, height: height),
            brightness: brightness(
                of: (try? frame.color()).map(FramePlane.init) ?? FramePlane(), used,
                of: PixelSize(width: map.width, height: map.height), width: width, height: height))
    }

    /// Shorter sides are refused.
    private static let leastSide = 16

    private static func depth(
        of map: DepthMap, _ confidence: [UInt8], factor: Int, width: Int, height: Int
    ) -> [Float] {
        let (samples, stride) = (map.meters, map.width)
        var result = [Float](repeating: .nan, count: width * height)
        var block: [Float] = []
        for row in 0..<height {
            for column in 0..<width {
                block.removeAll(keepingCapacity: true)
                for y in row * factor..<(row + 1) * factor {
                    for place in y * stride + column * factor..<y * stride + (column + 1) * factor
                    where samples[place] > 0 && samples[place].isFinite
                        && (confidence.isEmpty || confidence[place] > 0)
                    {
                        block.append(samples[place])
                    }
                }
                guard let nearest = block.min() else { continue }
                let limit = nearest * (1 + jump)
                var (sum, count): (Float, Float) = (0, 0)
                for z in block where z <= limit { (sum, count) = (sum + z, count + 1) }
                result[row * width + column] = sum / count
            }
        }
        return result
    }

    /// The mean of the samples on the nearest surface; `nan` if all are unknown.
    @inline(__always)
    static func mean(_ samples: SIMD4<Float>) -> Float {
        let known = samples .> 0
        let nearest = samples.replacing(with: .infinity, where: .!known).min()
        let used = known .& (samples .<= nearest * (1 + jump))
        let count = SIMD4<Float>.zero.replacing(with: 1, where: used).sum()
        return samples.replacing(with: 0, where: .!used).sum() / count
    }

    /// Luma as the mean over each pixel's area in the picture. Empty without a picture.
    private static func brightness(
        of picture: FramePlane<RGB<UInt8>>, _ used: CameraCalibration, of full: PixelSize, width: Int,
        height: Int
    ) -> [Float] {
        guard !picture.isEmpty else { return [] }
        // The depth covers the picture; the used part of the depth may end earlier.
        let scaleX = Double(picture.width) * Double(used.width) / Double(full.width) / Double(width)
        let scaleY = Double(picture.height) * Double(used.height) / Double(full.height) / Double(height)
        func ranges(_ count: Int, _ scale: Double, _ limit: Int) -> [Range<Int>] {
            (0..<count).map { index in
                let start = min(Int((Double(index) * scale).rounded()), limit - 1)
                return start..<min(max(start + 1, Int((Double(index + 1) * scale).rounded())), limit)
            }
        }
        let columns = ranges(width, scaleX, picture.width)
        var result = [Float](repeating: 0, count: width * height)
        for (row, rows) in ranges(height, scaleY, picture.height).enumerated() {
            for (column, columns) in columns.enumerated() {
                var sum: Int32 = 0
                for y in rows {
                    for place in y * picture.width + columns.lowerBound..<y * picture.width
                        + columns.upperBound
                    {
                        let color = picture.samples[place]
                        // ITU-R BT.601's luma in thousandths.
                        sum += 299 * Int32(color.red) + 587 * Int32(color.green) + 114 * Int32(color.blue)
                    }
                }
                result[row * width + column] = Float(sum) / Float(255_000 * rows.count * columns.count)
            }
        }
        return result
    }
}
