internal import DepthMaps
internal import DepthTypes
internal import Scenes

/// The camera of a page's picture, and how far away what it shows is.
struct PictureView: Sendable {
    private let pose: CameraPose
    private let camera: CameraCalibration
    private let depth: DepthMap

    /// Larger maps are thinned to about this many samples.
    private static let mostSamples = 80_000
    /// Parts of surfaces nearer to the picture's edge are not used, as a fraction of its sides.
    private static let border = 0.005

    /// The view of a frame; `nil` without a picture, depth in its view, a pose, or a camera without distortion.
    init?(_ frame: DepthScene) {
        let description = frame.description
        guard description.colorSize != nil, description.depthPose == nil, let pose = description.pose,
            let resolved = try? frame.resolvedCamera(), let map = try? frame.depth()
        else { return nil }
        let depth = PackedDepth.thinned(map, to: Self.mostSamples)
        let camera = resolved.calibration.scaled(toWidth: depth.width, height: depth.height)
        guard camera.distortion == nil, camera.lens == nil else { return nil }
        self.init(pose, camera, depth)
    }

    /// A view with depth of the camera's size.
    init(_ pose: CameraPose, _ camera: CameraCalibration, _ depth: DepthMap) {
        (self.pose, self.camera, self.depth) = (pose, camera, depth)
    }

    /// The camera's position.
    var position: SIMD3<Float> { SIMD3<Float>(pose.position) }

    /// Whether the picture shows a point, and nothing else before or behind it. Surfaces are known to `tolerance` meters,
    /// and to a hundredth of the distance.
    func shows(_ point: SIMD3<Float>, tolerance: Float) -> Bool {
        let seen = pose.camera(SIMD3<Double>(point))
        guard seen.z > 0.01 else { return false }
        let place = (camera.pixel(of: seen) + 0.5) / SIMD2(Double(depth.width), Double(depth.height))
        guard place.min() > Self.border, place.max() < 1 - Self.border else { return false }
        let (column, row) = (Int(place.x * Double(depth.width)), Int(place.y * Double(depth.height)))
        let distance = Float(seen.z)
        return abs(depth.meters[row * depth.width + column] - distance) <= tolerance + 0.01 * distance
    }
}
