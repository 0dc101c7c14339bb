internal import DepthTypes

/// Depth and brightness of a view at one resolution.
struct ViewLevel: Sendable {
    let width: Int
    let height: Int
    /// Focal lengths in pixels.
    let focal: SIMD2<Float>
    /// The principal point, from the center of the first pixel.
    let center: SIMD2<Float>
    /// Distances along the optical axis in meters, row by row; `nan` where unknown.
    var depth: [Float]
    /// Luma, 0…1, row by row; empty without a picture.
    let brightness: [Float]

    init(_ camera: CameraCalibration, width: Int, height: Int, depth: [Float], brightness: [Float]) {
        precondition(depth.count == width * height && (brightness.isEmpty || brightness.count == depth.count))
        let camera = camera.scaled(toWidth: width, height: height)
        self.init(
            width: width, height: height,
            focal: SIMD2(Float(camera.focalLengthX), Float(camera.focalLengthY)),
            center: SIMD2(Float(camera.principalPointX), Float(camera.principalPointY)), depth: depth,
            brightness: brightness)
    }

    private init(
        width: Int, height: Int, focal: SIMD2<Float>, center: SIMD2<Float>, depth: [Float],
        brightness: [Float]
    ) {
        (self.width, self.height, self.focal, self.center) = (width, height, focal, center)
        (self.depth, self.brightness) = (depth, brightness)
    }

    /// The point of a pixel at a distance, in the camera's coordinates.
    @inline(__always)
    func point(_ column: Int, _ row: Int, _ z: Float) -> SIMD3<Float> {
        let ray = (SIMD2(Float(column), Float(row)) - center) / focal
        return SIMD3(ray.x * z, ray.y * z, z)
    }

    /// Half the width and height, for an odd size without its last column or row. A sample is the mean of four.
    func halved() -> ViewLevel {
        let (width, height) = (self.width / 2, self.height / 2)
        var depth = [Float](repeating: .nan, count: width * height)
        var brightness = [Float](repeating: 0, count: self.brightness.isEmpty ? 0 : width * height)
        for row in 0..<height {
            for column in 0..<width {
                let start = 2 * row * self.width + 2 * column
                let places = SIMD4(start, start + 1, start + self.width, start + self.width + 1)
                depth[row * width + column] = ViewReduction.mean(
                    SIMD4(
                        self.depth[places[0]], self.depth[places[1]], self.depth[places[2]],
                        self.depth[places[3]]))
                if !brightness.isEmpty {
                    brightness[row * width + column] =
                        (self.brightness[places[0]] + self.brightness[places[1]] + self.brightness[places[2]]
                            + self.brightness[places[3]]) / 4
                }
            }
        }
        return ViewLevel(
            width: width, height: height, focal: focal / 2, center: (center - 0.5) / 2, depth: depth,
            brightness: brightness)
    }

    /// The fraction of another view's known samples that this view sees too. `pose` is the other camera's in this camera. From every third pixel of every third row.
    func overlap(_ other: ViewLevel, at pose: CameraPose) -> Double {
        var (count, seen) = (0, 0)
        for row in stride(from: 1, to: other.height, by: 3) {
            for column in stride(from: 1, to: other.width, by: 3) {
                let z = other.depth[row * other.width + column]
                guard z > 0 else { continue }
                count += 1
                let point = SIMD3<Float>(pose.world(SIMD3<Double>(other.point(column, row, z))))
                guard let place = place(of: point) else { continue }
                // Poses drift, so depths need to match roughly only.
                if abs(depth[place] - point.z) < 0.2 * point.z { seen += 1 }
            }
        }
        return count == 0 ? 0 : Double(seen) / Double(count)
    }

    /// The index of the pixel nearest to a point in camera coordinates; `nil` if the point is not in view.
    @inline(__always)
    func place(of point: SIMD3<Float>) -> Int? {
        guard point.z > 0.05 else { return nil }
        let pixel = SIMD2(point.x, point.y) / SIMD2(repeating: point.z) * focal + center
        guard pixel.x >= 0, pixel.y >= 0, pixel.x < Float(width) - 1, pixel.y < Float(height) - 1 else {
            return nil
        }
        return Int(pixel.y + 0.5) * width + Int(pixel.x + 0.5)
    }

    /// How much two views of the same size differ: the mean of the differences in brightness and in depth, relative to it, on a
    /// grid of about 20 × 15 pixels. Infinite for different sizes.
    func difference(_ other: ViewLevel) -> Float {
        guard (width, height) == (other.width, other.height),
            brightness.isEmpty == other.brightness.isEmpty
        else { return .infinity }
        var (sum, count): (Float, Float) = (0, 0)
        let step = max(1, width / 20)
        for row in stride(from: step / 2, to: height, by: step) {
            for place in stride(from: row * width + step / 2, to: (row + 1) * width, by: step) {
                count += 1
                let change = abs(depth[place] - other.depth[place]) / (depth[place] + other.depth[place])
                // Unknown samples differ by a quarter.
                sum += change >= 0 ? min(change, 0.25) : 0.25
                if !brightness.isEmpty { sum += min(abs(brightness[place] - other.brightness[place]), 0.25) }
            }
        }
        return sum / count
    }
}
