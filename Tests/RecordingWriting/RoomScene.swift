package import Codecs
package import DepthMaps
package import DepthTypes
internal import Foundation
internal import TestSupport

/// A camera that moves in a room of 4 × 3 × 4 m with a ball in it: depth and poses are known exactly.
///
/// The room's walls are x = ±2, y = ±1.5 and z = ±2; y points down, as in OpenCV. Each wall has a different color.
package struct RoomScene {
    package var width = 160
    package var height = 120
    package var focalLength = 140.0

    /// The scene from a camera of 160 × 120 pixels.
    package init() {}

    package var center: SIMD2<Double> { SIMD2(Double(width - 1) / 2 + 3, Double(height - 1) / 2 - 2) }
    package static let ball = (center: SIMD3(0.4, 0.6, 0.9), radius: 0.5)

    /// The pose of frame `index`: the camera circles and turns.
    package func pose(_ index: Int) -> CameraPose {
        let angle = 0.12 * Double(index) - 0.5
        let tilt = 0.05 * sin(Double(index))
        let forward = SIMD3(sin(angle) * cos(tilt), sin(tilt), cos(angle) * cos(tilt))
        let right = SIMD3(cos(angle), 0, -sin(angle))
        let down = SIMD3(
            forward.y * right.z - forward.z * right.y, forward.z * right.x - forward.x * right.z,
            forward.x * right.y - forward.y * right.x)
        return CameraPose(
            right: right, down: down, forward: forward,
            position: SIMD3(0.3 * cos(angle), 0.1 * sin(2 * angle), -0.8 + 0.2 * sin(angle)))
    }

    /// The distance along a ray of the world to the nearest surface, and the surface's number: 0…5 a wall, 6 the ball.
    package static func hit(from origin: SIMD3<Double>, along ray: SIMD3<Double>) -> (
        distance: Double, surface: Int
    ) {
        var best = (distance: Double.infinity, surface: 0)
        let half = SIMD3(2.0, 1.5, 2.0)
        for axis in 0..<3 where ray[axis] != 0 {
            let side = ray[axis] > 0 ? 1.0 : -1.0
            let distance = (side * half[axis] - origin[axis]) / ray[axis]
            if distance > 0, distance < best.distance { best = (distance, axis * 2 + (side > 0 ? 1 : 0)) }
        }
        let offset = origin - ball.center
        let (a, b) = ((ray * ray).sum(), (ray * offset).sum())
        let root = b * b - a * ((offset * offset).sum() - ball.radius * ball.radius)
        if root > 0 {
            let distance = (-b - root.squareRoot()) / a
            if distance > 0, distance < best.distance { best = (distance, 6) }
        }
        return best
    }

    /// How far a point of the world is from the nearest surface.
    package static func distance(_ point: SIMD3<Double>) -> Double {
        let offset = point - ball.center
        let toBall = abs((offset * offset).sum().squareRoot() - ball.radius)
        let half = SIMD3(2.0, 1.5, 2.0)
        var toWall = Double.infinity
        for axis in 0..<3 {
            toWall = min(toWall, abs(point[axis] - half[axis]), abs(point[axis] + half[axis]))
        }
        return min(toBall, toWall)
    }

    package static let colors: [RGB<UInt8>] = [
        RGB(red: 200, green: 40, blue: 40), RGB(red: 40, green: 200, blue: 40),
        RGB(red: 40, green: 40, blue: 200), RGB(red: 200, green: 200, blue: 40),
        RGB(red: 40, green: 200, blue: 200), RGB(red: 200, green: 40, blue: 200),
        RGB(red: 240, green: 240, blue: 240),
    ]

    /// Depth along the axis in meters, and colors, of a camera's view.
    package func view(_ pose: CameraPose) -> (meters: [Double], colors: [RGB<UInt8>]) {
        var meters: [Double] = []
        var colors: [RGB<UInt8>] = []
        for row in 0..<height {
            for column in 0..<width {
                let x = (Double(column) - center.x) / focalLength
                let y = (Double(row) - center.y) / focalLength
                // The axis' component of the ray is 1, so that the distance is the depth.
                let ray = pose.right * x + pose.down * y + pose.forward
                let found = Self.hit(from: pose.position, along: ray)
                meters.append(found.distance)
                colors.append(Self.colors[found.surface])
            }
        }
        return (meters, colors)
    }

    /// A 16-bit PNG of depth.
    package func depthPNG(_ meters: [Double], unitsPerMeter: Double) throws -> [UInt8] {
        let codes = meters.map { UInt16(($0 * unitsPerMeter).rounded()) }
        return try png(.gray16(codes))
    }

    package func png(_ samples: Raster.Samples) throws -> [UInt8] {
        try encodedPNG(Raster(width: width, height: height, samples: samples))
    }

    /// A PNG of colors.
    package func colorPNG(_ colors: [RGB<UInt8>]) throws -> [UInt8] { try png(.color(.uint8(colors))) }

    /// The 4 × 4 matrix of a pose, camera-to-world, row by row.
    package static func rows(_ pose: CameraPose) -> [[Double]] {
        (0..<3).map { [pose.right[$0], pose.down[$0], pose.forward[$0], pose.position[$0]] } + [[0, 0, 0, 1]]
    }

    /// The same with the camera's y axis up and its z axis backward.
    package static func openGLRows(_ pose: CameraPose) -> [[Double]] {
        rows(pose).map { [$0[0], -$0[1], -$0[2], $0[3]] }
    }

    /// The matrix that leads from the world to the camera.
    package static func inverseRows(_ pose: CameraPose) -> [[Double]] {
        let axes = [pose.right, pose.down, pose.forward]
        return axes.map { [$0.x, $0.y, $0.z, -($0 * pose.position).sum()] } + [[0, 0, 0, 1]]
    }

    /// The quaternion x, y, z, w of a rotation, by the branch for a positive trace or the largest diagonal (Shepperd).
    package static func quaternion(_ r: [[Double]]) -> [Double] {
        let trace = r[0][0] + r[1][1] + r[2][2]
        if trace > 0 {
            let s = (trace + 1).squareRoot() * 2
            return [(r[2][1] - r[1][2]) / s, (r[0][2] - r[2][0]) / s, (r[1][0] - r[0][1]) / s, s / 4]
        }
        if r[0][0] > r[1][1], r[0][0] > r[2][2] {
            let s = (1 + r[0][0] - r[1][1] - r[2][2]).squareRoot() * 2
            return [s / 4, (r[0][1] + r[1][0]) / s, (r[0][2] + r[2][0]) / s, (r[2][1] - r[1][2]) / s]
        }
        if r[1][1] > r[2][2] {
            let s = (1 + r[1][1] - r[0][0] - r[2][2]).squareRoot() * 2
            return [(r[0][1] + r[1][0]) / s, s / 4, (r[1][2] + r[2][1]) / s, (r[0][2] - r[2][0]) / s]
        }
        let s = (1 + r[2][2] - r[0][0] - r[1][1]).squareRoot() * 2
        return [(r[0][2] + r[2][0]) / s, (r[1][2] + r[2][1]) / s, s / 4, (r[1][0] - r[0][1]) / s]
    }
}

/// A raster as the bytes of a PNG file.
private func encodedPNG(_ raster: Raster) throws -> [UInt8] {
    let folder = TemporaryFolder()
    let path = folder.file("image.png")
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try raster.writePNG(to: handle.fileDescriptor)
    try handle.close()
    return try folder.bytes(of: "image.png")
}
