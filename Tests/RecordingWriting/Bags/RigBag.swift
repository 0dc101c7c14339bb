internal import DepthMaps
package import DepthTypes
internal import TestSupport

/// A bag of the analytic room: a depth camera of 80 × 60 pixels, and a camera of pictures, each with a lens of OpenCV's model.
package struct RigBag: Sendable {
    /// The name of the model in `sensor_msgs/CameraInfo`, and its coefficients in OpenCV's order.
    package var model = "plumb_bob"
    package var lens: [Double] = [0, 0, 0, 0, 0]
    /// The pose of the depth camera, in the axes of the camera of the pictures; `nil` if it is the same camera.
    package var depthPose: CameraPose?
    package static let depthSize = PixelSize(width: 80, height: 60)
    package static let focalLength = 70.0

    package init() {}

    /// The size of the pictures.
    package var pictureSize: PixelSize {
        depthPose == nil ? Self.depthSize : PixelSize(width: 160, height: 120)
    }

    /// The point (x, y, 1) that a camera shows at a pixel: the fixed-point iteration of cv2.undistortPoints.
    private func ray(_ column: Int, _ row: Int, _ size: PixelSize) -> SIMD2<Double> {
        let focal = Self.focalLength * Double(size.width) / Double(Self.depthSize.width)
        let seen =
            SIMD2(Double(column) - Double(size.width - 1) / 2, Double(row) - Double(size.height - 1) / 2)
            / focal
        let k = lens + [Double](repeating: 0, count: 8 - lens.count)
        var point = seen
        for _ in 0..<200 {
            let square = (point * point).sum()
            let over = 1 + square * (k[0] + square * (k[1] + square * k[4]))
            let under = 1 + square * (k[5] + square * (k[6] + square * k[7]))
            let shift = SIMD2(
                2 * k[2] * point.x * point.y + k[3] * (square + 2 * point.x * point.x),
                k[2] * (square + 2 * point.y * point.y) + 2 * k[3] * point.x * point.y)
            point = (seen - shift) * (under / over)
        }
        return point
    }

    /// Distances along the axis, and surfaces, that a camera sees.
    private func view(_ pose: CameraPose, _ size: PixelSize) -> [(distance: Double, surface: Int)] {
        (0..<size.width * size.height).map { index in
            let ray = ray(index % size.width, index / size.width, size)
            return RoomScene.hit(
                from: pose.position, along: pose.right * ray.x + pose.down * ray.y + pose.forward)
        }
    }

    /// The bag, with poses of the pictures' camera in `/tf`.
    package func bag(frameCount: Int) -> BagWriter {
        let (scene, depthFrame) = (RoomScene(), depthPose == nil ? "color" : "depth")
        var bag = BagWriter()
        if let depthPose { bag.add(.transform("/tf_static", depthPose, of: "depth", in: "color", time: 1)) }
        for (topic, size, frame) in [
            ("depth", Self.depthSize, depthFrame), ("color", pictureSize, "color"),
        ] {
            let focal = Self.focalLength * Double(size.width) / Double(Self.depthSize.width)
            bag.add(.camera("/\(topic)/camera_info", focal, size, model: model, lens, frame: frame))
        }
        for index in 0..<frameCount {
            let (pose, time) = (scene.pose(index), 1 + Double(index) / 10)
            bag.add(.transform("/tf", pose, of: "color", in: "map", time: time))
            let depth = view(depthPose.map(pose.appending) ?? pose, Self.depthSize).flatMap {
                littleEndian(Int(Float($0.distance).bitPattern))
            }
            bag.add(.image("/depth/image_raw", "32FC1", Self.depthSize, depth, time: time, frame: depthFrame))
            let pixels = view(pose, pictureSize).flatMap { seen -> [UInt8] in
                let color = RoomScene.colors[seen.surface]
                return [color.red, color.green, color.blue]
            }
            bag.add(.image("/color/image_raw", "rgb8", pictureSize, pixels, time: time, frame: "color"))
        }
        return bag
    }
}
