package import DepthCore
package import DepthModel

/// Leads the samples of a map into space: X = (u − cx) · Z / fx, Y = (v − cy) · Z / fy, with (u, v) the sample's place
/// once the lens is corrected.
///
/// Places are scaled from the map's size to the calibration's reference frame, in each direction by itself:
/// u_ref = (u + ½) · W / w − ½.
package struct Unprojection: Sendable {
    /// Samples in a row of the map.
    package let width: Int
    /// The number of rows.
    package let height: Int
    /// Which way the axes of points are to point.
    package let axes: CloudAxes
    private let camera: CameraCalibration
    private let lens: LensModel?
    /// X / Z of each column, of a lens without distortion.
    private let columns: [Float]

    /// The unprojection of maps of `width` × `height` samples that a camera saw.
    ///
    /// Throws where focal lengths are not positive numbers, where the reference frame is empty, and where the frame
    /// would reach beyond 89.99° from the axis.
    package init(
        _ camera: CameraCalibration, width: Int, height: Int, axes: CloudAxes = .opengl,
        correctsLens: Bool = true
    ) throws(CloudError) {
        try Self.check(camera)
        self.camera = camera
        self.width = width
        self.height = height
        self.axes = axes
        lens = correctsLens ? LensModel(camera) : nil
        let scale = Double(camera.width) / Double(max(width, 1))
        columns = (0..<width).map { column in
            let place = (Double(column) + 0.5) * scale - 0.5
            return Float((place - camera.principalPointX) / camera.focalLengthX)
        }
    }

    /// Whether a lens is corrected: the camera says how, and it was wanted.
    package var correctsLens: Bool { lens != nil }

    /// Whether there may be places for which ``rays(ofRow:x:y:)`` gives none.
    var hasInvalidRays: Bool { lens.map { $0.fold.isFinite } ?? false }

    /// The mean focal length in samples of the map.
    var focalLength: Double {
        let x = camera.focalLengthX * Double(width) / Double(camera.width)
        let y = camera.focalLengthY * Double(height) / Double(camera.height)
        return (x + y) / 2
    }

    /// X / Z and Y / Z for each sample of a row, x right and y down; `nan` where the lens folds back.
    func rays(ofRow row: Int, x: inout [Float], y: inout [Float]) {
        let place = (Double(row) + 0.5) * Double(camera.height) / Double(height) - 0.5
        let rayY = Float((place - camera.principalPointY) / camera.focalLengthY)
        guard let lens else {
            x = columns
            for column in 0..<width { y[column] = rayY }
            return
        }
        correctedRays(lens, place, x: &x, y: &y)
    }

    private func correctedRays(_ lens: LensModel, _ row: Double, x: inout [Float], y: inout [Float]) {
        let (fx, fy) = (Float(camera.focalLengthX), Float(camera.focalLengthY))
        let scale = Double(camera.width) / Double(width)
        let shareX = Float(scale / lens.radius)
        let startX = Float((0.5 * scale - 0.5 - lens.centerX) / lens.radius)
        let shareY = Float((row - lens.centerY) / lens.radius)
        let offsetX = Float((lens.centerX - camera.principalPointX) / camera.focalLengthX)
        let offsetY = Float((lens.centerY - camera.principalPointY) / camera.focalLengthY)
        let (toX, toY) = (Float(lens.radius) / fx, Float(lens.radius) / fy)
        for column in 0..<width {
            let dx = startX + Float(column) * shareX
            let radius = (dx * dx + shareY * shareY).squareRoot()
            let stretch = radius < lens.fold ? 1 + lens.elongation(radius) : .nan
            x[column] = offsetX + dx * stretch * toX
            y[column] = offsetY + shareY * stretch * toY
        }
    }

    /// Distances along the optical axis, of a map that holds distances along each sample's own ray (`OpticRay` in
    /// Google's GDepth): Z = d / √(1 + x² + y²).
    package func axisDepth(ofRayLengths map: DepthMap) -> DepthMap {
        precondition((map.width, map.height) == (width, height), "the map has the size that was announced")
        let meters: [Float] = parallelMapRows(width: width, height: height) { rows, output in
            var x = [Float](repeating: 0, count: width)
            var y = x
            for row in rows {
                rays(ofRow: row, x: &x, y: &y)
                for column in 0..<width {
                    let length = (1 + x[column] * x[column] + y[column] * y[column]).squareRoot()
                    output[(row - rows.lowerBound) * width + column] =
                        map.meters[row * width + column] / length
                }
            }
        }
        return map.replacing(meters: meters)
    }

    /// The number of a map's known samples that lie where the lens model folds back: they become no points.
    package func invalidSampleCount(of map: DepthMap) -> Int {
        guard hasInvalidRays else { return 0 }
        var count = 0
        var x = [Float](repeating: 0, count: width)
        var y = x
        for row in 0..<height {
            rays(ofRow: row, x: &x, y: &y)
            for column in 0..<width where x[column].isNaN && map.meters[row * width + column] > 0 {
                count += 1
            }
        }
        return count
    }

    private static func check(_ camera: CameraCalibration) throws(CloudError) {
        let (fx, fy) = (camera.focalLengthX, camera.focalLengthY)
        let (cx, cy) = (camera.principalPointX, camera.principalPointY)
        guard fx.isFinite, fy.isFinite, fx > 0, fy > 0, cx.isFinite, cy.isFinite else {
            throw .invalidIntrinsics(focalLength: SIMD2(fx, fy), principalPoint: SIMD2(cx, cy))
        }
        guard camera.width > 0, camera.height > 0 else {
            throw .emptyFrame
        }
        let reachX = max(abs(cx), abs(Double(camera.width) - cx)) / fx
        let reachY = max(abs(cy), abs(Double(camera.height) - cy)) / fy
        guard max(reachX, reachY) < 5729 else {
            throw .focalLengthTooShort(min(fx, fy), width: camera.width, height: camera.height)
        }
    }
}
