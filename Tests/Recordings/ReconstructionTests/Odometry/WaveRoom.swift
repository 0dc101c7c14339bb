import DepthMaps
import DepthTypes
import Glibc
import Scenes
import TestFrames
import TestSupport

/// A room with a ball, with surfaces of smooth waves, seen by a camera at known poses. World axes are OpenCV's.
struct WaveRoom {
    /// The largest noise of depth, at 1 m; it grows with the square of the distance.
    var noise: Float = 0.002
    /// Whether pictures have waves; without, all is gray.
    var hasTexture = true
    /// Only the wall ahead: no ball, and no other wall.
    var isFlat = false
    /// Added to every brightness, 0…255.
    var exposure = 0.0
    /// The largest noise of brightness, in the same unit.
    var grain = 2.0
    /// A corridor along x with tiles of this size instead: walls at y = ±1 and z = 2.2.
    var tile: Double?

    /// The edge of the squares that cover all surfaces like a chessboard, instead of waves.
    var square: Double?

    static let camera = CameraCalibration(
        focalLengthX: 140, focalLengthY: 140, principalPointX: 79.5, principalPointY: 59.5, width: 160,
        height: 120)

    /// The frame that a camera at this pose sees. `seed` selects its noise.
    func frame(at pose: CameraPose, seed: UInt64) -> TestFrame {
        let camera = Self.camera
        var random = SplitMix(seed: seed)
        var depths: [Float] = []
        var colors: [RGB<UInt8>] = []
        for row in 0..<camera.height {
            for column in 0..<camera.width {
                let ray =
                    pose.right * ((Double(column) - camera.principalPointX) / camera.focalLengthX)
                    + pose.down * ((Double(row) - camera.principalPointY) / camera.focalLengthY)
                    + pose.forward
                let z = distance(along: ray, from: pose.position)
                depths.append(Float(z) + noise * Float(z * z) * (2 * random.fraction() - 1))
                let grain = grain * Double(2 * random.fraction() - 1)
                let level = UInt8(
                    min(max(brightness(at: pose.position + ray * z) + exposure + grain, 0), 255))
                colors.append(RGB(red: level, green: level, blue: level))
            }
        }
        var frame = TestFrame()
        frame.depth = FramePlane(width: camera.width, height: camera.height, samples: depths)
        frame.color = FramePlane(width: camera.width, height: camera.height, samples: colors)
        frame.scale = .absolute
        frame.calibration = camera
        return frame
    }

    /// The depth of the nearest surface: a ray's parameter, since its component along the optical axis is 1.
    private func distance(along ray: SIMD3<Double>, from start: SIMD3<Double>) -> Double {
        if isFlat { return (3 - start.z) / ray.z }
        if tile != nil {
            let sides = [(-1 - start.y) / ray.y, (1 - start.y) / ray.y, (2.2 - start.z) / ray.z]
            return sides.filter { $0 > 0 }.min() ?? .infinity
        }
        var nearest = Double.infinity
        let walls = [(0, -2.0), (0, 2.0), (1, -1.2), (1, 1.2), (2, -2.0), (2, 3.0)]
        for (axis, wall) in walls {
            let distance = (wall - start[axis]) / ray[axis]
            if distance > 0 { nearest = min(nearest, distance) }
        }
        // |start + ray·s − center|² = r²
        let offset = start - SIMD3(0.3, 0.4, 2)
        let (a, b) = ((ray * ray).sum(), (ray * offset).sum())
        let root = b * b - a * ((offset * offset).sum() - 0.25)
        guard root > 0 else { return nearest }
        let distance = (-b - root.squareRoot()) / a
        return distance > 0 ? min(nearest, distance) : nearest
    }

    /// How far a point is from the nearest surface.
    static func distance(_ point: SIMD3<Double>) -> Double {
        let walls = [(0, -2.0), (0, 2.0), (1, -1.2), (1, 1.2), (2, -2.0), (2, 3.0)]
        let offset = point - SIMD3(0.3, 0.4, 2)
        return walls.map { abs(point[$0] - $1) }
            .reduce(abs((offset * offset).sum().squareRoot() - 0.5), min)
    }

    private func brightness(at point: SIMD3<Double>) -> Double {
        guard hasTexture else { return 120 }
        if let tile {
            let isGrout = (0..<3).contains { axis in
                let place = point[axis] / tile
                return abs(place - place.rounded(.down) - 0.5) > 0.5 - 0.016 / tile
            }
            return isGrout ? 70 : abs(point.z - 2.2) < 0.001 ? 174 : 210
        }
        if let square {
            let sum = (0..<3).reduce(0) { $0 + Int((point[$1] / square).rounded(.down)) }
            return sum.isMultiple(of: 2) ? 100 : 190
        }
        return 120 + 40 * sin(7 * point.x + 5 * point.y) + 40 * sin(5 * point.y - 8 * point.z)
            + 30 * sin(11 * point.x - 9 * point.z + 1)
    }
}

extension CameraPose {
    /// A camera at a position, turned about the vertical axis: to the right for positive angles.
    static func looking(_ angle: Double, from position: SIMD3<Double>) -> CameraPose {
        CameraPose(
            right: SIMD3(cos(angle), 0, -sin(angle)), down: SIMD3(0, 1, 0),
            forward: SIMD3(sin(angle), 0, cos(angle)), position: position)
    }

    /// The distance between two positions, in meters.
    func distance(to other: CameraPose) -> Double {
        let offset = position - other.position
        return (offset * offset).sum().squareRoot()
    }
}
