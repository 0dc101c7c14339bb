/// The rays from a camera through the samples of a map: X / Z = (u − cx) / fx and Y / Z = (v − cy) / fy, with (u, v) the
/// sample's position after lens correction.
///
/// Positions are scaled from the map's size to the calibration's reference frame, separately in each direction: u_ref = (u +
/// ½) · W / w − ½.
package struct CameraRays: Sendable {
    /// Samples in a row of the map.
    package let width: Int
    /// The number of rows.
    package let height: Int
    private let camera: CameraCalibration
    private let lens: LensModel?
    /// X / Z and Y / Z of each sample, for a lens in OpenCV's model; empty for others.
    private let corrected: [SIMD2<Float>]
    /// X / Z of each column, for a pinhole lens.
    package let columns: [Float]
    /// Y / Z of each row, for a pinhole lens.
    package let rows: [Float]

    /// The rays of maps of `width` × `height` samples. Focal lengths must not be 0, and the reference frame must have pixels.
    package init(_ camera: CameraCalibration, width: Int, height: Int, correctsLens: Bool = true) {
        (self.camera, self.width, self.height) = (camera, width, height)
        lens = correctsLens ? LensModel(camera) : nil
        corrected = correctsLens ? camera.lens.map { camera.rays(through: $0, width, height) } ?? [] : []
        columns = Self.rays(
            width, across: camera.width, center: camera.principalPointX, focalLength: camera.focalLengthX)
        rows = Self.rays(
            height, across: camera.height, center: camera.principalPointY, focalLength: camera.focalLengthY)
    }

    /// The rays of `count` samples across `length` reference pixels, along one axis of a pinhole.
    private static func rays(
        _ count: Int, across length: Int, center: Double, focalLength: Double
    ) -> [Float] {
        let scale = Double(length) / Double(max(count, 1))
        return (0..<count).map { Float(((Double($0) + 0.5) * scale - 0.5 - center) / focalLength) }
    }

    /// Whether the lens is corrected: this was requested, and the camera describes its lens.
    package var correctsLens: Bool { lens != nil || !corrected.isEmpty }

    /// Whether ``load(row:x:y:)`` may give `nan`.
    package var hasInvalidRays: Bool { lens.map { $0.fold.isFinite } ?? !corrected.isEmpty }

    /// The mean focal length in samples of the map.
    package var focalLength: Double {
        let x = camera.focalLengthX * Double(width) / Double(camera.width)
        let y = camera.focalLengthY * Double(height) / Double(camera.height)
        return (x + y) / 2
    }

    /// X / Z and Y / Z for each sample of a row, x right and y down; `nan` where the lens folds back.
    package func load(row: Int, x: inout [Float], y: inout [Float]) {
        guard corrected.isEmpty else {
            for column in 0..<width {
                let ray = corrected[row * width + column]
                (x[column], y[column]) = (ray.x, ray.y)
            }
            return
        }
        if let lens {
            let position = (Double(row) + 0.5) * Double(camera.height) / Double(height) - 0.5
            return loadCorrected(lens, position, x: &x, y: &y)
        }
        let rayY = rows[row]
        x = columns
        for column in 0..<width { y[column] = rayY }
    }

    private func loadCorrected(_ lens: LensModel, _ row: Double, x: inout [Float], y: inout [Float]) {
        let (fx, fy) = (Float(camera.focalLengthX), Float(camera.focalLengthY))
        let scale = Double(camera.width) / Double(width)
        let stepX = Float(scale / lens.radius)
        let startX = Float((0.5 * scale - 0.5 - lens.centerX) / lens.radius)
        let dy = Float((row - lens.centerY) / lens.radius)
        let offsetX = Float((lens.centerX - camera.principalPointX) / camera.focalLengthX)
        let offsetY = Float((lens.centerY - camera.principalPointY) / camera.focalLengthY)
        let (toX, toY) = (Float(lens.radius) / fx, Float(lens.radius) / fy)
        for column in 0..<width {
            let dx = startX + Float(column) * stepX
            let radius = (dx * dx + dy * dy).squareRoot()
            let stretch = radius < lens.fold ? 1 + lens.elongation(radius) : .nan
            x[column] = offsetX + dx * stretch * toX
            y[column] = offsetY + dy * stretch * toY
        }
    }
}

extension CameraCalibration {
    /// X / Z and Y / Z of each sample of a map, corrected by a lens; `nan` outside of it.
    fileprivate func rays(through lens: LensCoefficients, _ width: Int, _ height: Int) -> [SIMD2<Float>] {
        let camera = scaled(toWidth: width, height: height)
        let focal = SIMD2(camera.focalLengthX, camera.focalLengthY)
        let center = SIMD2(camera.principalPointX, camera.principalPointY)
        return (0..<width * height).map { index in
            let pixel = SIMD2(Double(index % width), Double(index / width))
            return lens.ray(pixel, focal: focal, center: center).map(SIMD2<Float>.init)
                ?? SIMD2(repeating: .nan)
        }
    }

    /// The point at a distance along the optical axis that appears at a pixel of the reference frame, for a pinhole lens: x
    /// right, y down, z forward.
    package func point(at pixel: SIMD2<Double>, distance: Double) -> SIMD3<Double> {
        let x = (pixel.x - principalPointX) / focalLengthX
        let y = (pixel.y - principalPointY) / focalLengthY
        return SIMD3(x * distance, y * distance, distance)
    }

    /// The pixel that shows a point in front of the camera, the inverse of ``point(at:distance:)``.
    package func pixel(of point: SIMD3<Double>) -> SIMD2<Double> {
        SIMD2(
            point.x / point.z * focalLengthX + principalPointX,
            point.y / point.z * focalLengthY + principalPointY)
    }
}

extension CameraRays {
    /// Converts distances along the rays, row by row, to distances along the optical axis.
    package func convertToDepth(_ distances: inout [Float]) {
        var (x, y) = ([Float](repeating: 0, count: width), [Float](repeating: 0, count: width))
        for row in 0..<height {
            load(row: row, x: &x, y: &y)
            for column in 0..<width {
                distances[row * width + column] /= (1 + x[column] * x[column] + y[column] * y[column])
                    .squareRoot()
            }
        }
    }
}
