internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Scenes

/// Registers depth to the view of the camera that takes the pictures: each sample becomes a point, which is projected into
/// that view.
///
/// If points coincide, the nearest is kept. Pixels that the depth camera does not see are unknown.
struct DepthRegistration: Sendable {
    /// The resulting grid.
    let grid: RegisteredGrid
    private let measured: PixelSize
    private let color: LensCamera
    /// For each measured sample, its position at a distance of 1, in the axes of the pictures' camera; `nan` outside the
    /// lens.
    private let rays: [SIMD3<Float>]

    /// For depth and pictures of these sizes. Computes the rays of all samples.
    init(_ cameras: CameraPair, depth: PixelSize, color picture: PixelSize) {
        grid = RegisteredGrid(cameras, color: picture)
        measured = depth
        color = cameras.color
        let turn = cameras.color.pose.rotation
        var rays: [SIMD3<Float>] = []
        rays.reserveCapacity(depth.width * depth.height)
        for row in 0..<depth.height {
            for column in 0..<depth.width {
                guard let ray = cameras.depth.ray(Double(column), Double(row)) else {
                    rays.append(SIMD3(repeating: .nan))
                    continue
                }
                rays.append(
                    SIMD3(
                        Float(turn[0] * ray.x + turn[1] * ray.y + turn[2]),
                        Float(turn[3] * ray.x + turn[4] * ray.y + turn[5]),
                        Float(turn[6] * ray.x + turn[7] * ray.y + turn[8])))
            }
        }
        self.rays = rays
    }

    /// Throws if depth has another size than the one passed to the initializer.
    func check(_ depth: FramePlane<Float>) throws(ContainerError) {
        guard depth.size != measured else { return }
        throw ContainerError(
            .malformed(rule: "depth has \(depth.size) samples, and that of the first frame \(measured)"))
    }

    /// Writes the depth as the pictures' camera would measure it. `depth` is in meters and has the size passed to the
    /// initializer.
    func register(_ depth: FramePlane<Float>, into output: inout FramePlane<Float>) {
        precondition(depth.size == measured)
        let offset = SIMD3<Float>(color.pose.position)
        let (samples, rays) = (depth.samples.span, rays.span)
        let (size, samplesPerPixel) = (grid.size, 1 / Double(grid.step))
        let (width, height) = (Double(size.width), Double(size.height))
        output.overwrite(width: size.width, height: size.height, fill: .nan) { target in
            for index in target.indices { target[index] = .nan }
            for index in samples.indices where samples[index] > 0 {
                let point = rays[index] * samples[index] + offset
                guard point.z > 0,
                    let seen = color.project(Double(point.x / point.z), Double(point.y / point.z))
                else { continue }
                let column = (seen.x + 0.5) * samplesPerPixel
                let row = (seen.y + 0.5) * samplesPerPixel
                guard column >= 0, row >= 0, column < width, row < height else { continue }
                let place = Int(row) * size.width + Int(column)
                if !(target[place] <= point.z) { target[place] = point.z }
            }
        }
    }
}
