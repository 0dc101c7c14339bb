import DepthMaps
import DepthTypes
import Geometry

/// A ball of radius 0.3 m, 1.2 m away, in front of a slanted wall. Its depth is known exactly.
struct Scene {
    /// The camera's frame is larger than the map, as phones' frames are.
    static let camera = CameraCalibration(
        focalLengthX: 900, focalLengthY: 900, principalPointX: 519.5, principalPointY: 375.5, width: 1024,
        height: 768)
    static let center = SIMD3(0.1, -0.05, 1.2)
    static let radius = 0.3
    /// Points with wall · P = 1.
    static let wall = SIMD3(0.1, 0.05, 0.5)

    /// The distance along the axis at which a ray (x, y, 1) first hits a surface, and whether the surface is the ball.
    static func depth(_ x: Double, _ y: Double) -> (meters: Double, isBall: Bool) {
        let ray = SIMD3(x, y, 1)
        let (a, b) = ((ray * ray).sum(), (ray * center).sum())
        let root = b * b - a * ((center * center).sum() - radius * radius)
        if root > 0 { return ((b - root.squareRoot()) / a, true) }
        return (1 / (wall * ray).sum(), false)
    }

    /// How far a point is from the surface nearest to it.
    static func distance(_ point: SIMD3<Double>) -> Double {
        let offset = point - center
        let ball = abs((offset * offset).sum().squareRoot() - radius)
        let plane = abs((wall * point).sum() - 1) / (wall * wall).sum().squareRoot()
        return min(ball, plane)
    }

    /// The map that a camera sees; `rectified` moves a point of the frame to where it would be without a lens.
    static func map(
        width: Int, height: Int, camera: CameraCalibration = camera,
        rectified: (Double, Double) -> (x: Double, y: Double) = { ($0, $1) }
    ) -> DepthMap {
        var meters: [Float] = []
        for row in 0..<height {
            for column in 0..<width {
                let place = rectified(
                    (Double(column) + 0.5) * Double(camera.width) / Double(width) - 0.5,
                    (Double(row) + 0.5) * Double(camera.height) / Double(height) - 0.5)
                let x = (place.x - camera.principalPointX) / camera.focalLengthX
                let y = (place.y - camera.principalPointY) / camera.focalLengthY
                meters.append(Float(depth(x, y).meters))
            }
        }
        return DepthMap(
            width: width, height: height, meters: meters, scale: .absolute, calibration: camera)
    }
}

extension DepthMap {
    /// A map of some values.
    static func of(_ meters: [Float], width: Int) -> DepthMap {
        DepthMap(width: width, height: meters.count / width, meters: meters, scale: .absolute)
    }

    /// The map's cloud, by the map's camera or one of focal length 100.
    func cloud(axes: CloudAxes = .opencv, options: CloudOptions = CloudOptions()) throws -> PointCloud {
        let camera = calibration ?? CameraCalibration(focalLength: 100, width: width, height: height)
        let unprojection = try Unprojection(camera, width: width, height: height, axes: axes)
        return GridCloud(self, unprojection, options: options).collected()
    }
}
