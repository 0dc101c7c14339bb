package import DepthMaps
package import DepthTypes

/// Unprojects the samples of a map: X = x · Z and Y = y · Z, with (x, y, 1) the sample's ray (``CameraRays``).
package struct Unprojection: Sendable {
    /// The directions of the points' axes.
    package let axes: CloudAxes
    /// The rays of samples.
    package let rays: CameraRays

    /// The unprojection of maps of `width` × `height` samples that a camera saw.
    ///
    /// Throws if focal lengths are not positive, if the reference frame is empty, and if the frame would extend beyond 89.99°
    /// from the axis.
    package init(
        _ camera: CameraCalibration, width: Int, height: Int, axes: CloudAxes = .opengl,
        correctsLens: Bool = true
    ) throws(CloudError) {
        try Self.check(camera)
        self.axes = axes
        rays = CameraRays(camera, width: width, height: height, correctsLens: correctsLens)
    }

    /// Samples in a row of the map.
    package var width: Int { rays.width }

    /// The number of rows.
    package var height: Int { rays.height }

    /// Whether the lens is corrected: this was requested, and the camera describes its lens.
    package var correctsLens: Bool { rays.correctsLens }

    /// The mean focal length in samples of the map.
    var focalLength: Double { rays.focalLength }

    /// The number of a map's known samples where the lens model folds back. They become no points.
    package func invalidSampleCount(of map: DepthMap) -> Int {
        guard rays.hasInvalidRays else { return 0 }
        var count = 0
        var x = [Float](repeating: 0, count: width)
        var y = x
        for row in 0..<height {
            rays.load(row: row, x: &x, y: &y)
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
