internal import DepthMaps
internal import DepthTypes
internal import Geometry
internal import Recordings

/// COLMAP's sparse model as text: world-to-camera poses with axes as in OpenCV, pixel coordinates from a corner.
///
/// Points have no tracks, because nothing was matched between pictures.
struct SparseModel {
    private let frames: [DataSetFrame]
    private let points: PointCloud

    init(_ frames: [DataSetFrame], points: PointCloud) { (self.frames, self.points) = (frames, points) }

    var files: [DataSetFile] {
        [
            DataSetFile("sparse/0/cameras.txt", text: cameras),
            DataSetFile("sparse/0/images.txt", text: images),
            DataSetFile("sparse/0/points3D.txt", pointLines),
        ]
    }

    /// The same camera for all frames, or one for each.
    private var isCameraShared: Bool { Set(frames.map(\.camera)).count == 1 }

    private var cameras: String {
        var text = "# CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]\n"
        for (index, frame) in frames.prefix(isCameraShared ? 1 : frames.count).enumerated() {
            let camera = frame.camera
            var numbers = [
                camera.focalLengthX, camera.focalLengthY, camera.principalPointX + 0.5,
                camera.principalPointY + 0.5,
            ]
            if let lens = camera.lens { numbers += lens.numbers }
            text +=
                "\(index + 1) \(camera.lens?.model ?? "PINHOLE") \(camera.width) \(camera.height) "
                + numbers.map { "\($0)" }.joined(separator: " ") + "\n"
        }
        return text
    }

    /// Two lines a frame; the second lists matched points, and is empty.
    private var images: String {
        var text =
            "# IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME\n# POINTS2D[] as (X, Y, POINT3D_ID)\n"
        for (index, frame) in frames.enumerated() {
            guard let pose = frame.pose?.stored(in: .worldToCameraOpenCV), let picture = frame.picture else {
                continue
            }
            let (q, t) = (pose.quaternion, pose.position)
            text +=
                "\(index + 1) \(q.w) \(q.x) \(q.y) \(q.z) \(t.x) \(t.y) \(t.z) \(isCameraShared ? 1 : index + 1) "
                + "\(picture.split(separator: "/").last ?? "")\n\n"
        }
        return text
    }

    /// Points without a color are gray. An error of -1 is unknown.
    private var pointLines: [UInt8] {
        var bytes = Array("# POINT3D_ID, X, Y, Z, R, G, B, ERROR, TRACK[] as (IMAGE_ID, POINT2D_IDX)\n".utf8)
        for (index, point) in points.positions.enumerated() {
            let color = points.colors.isEmpty ? RGB(red: 128, green: 128, blue: 128) : points.colors[index]
            bytes +=
                "\(index + 1) \(point.x) \(point.y) \(point.z) \(color.red) \(color.green) \(color.blue) -1\n"
                .utf8
        }
        return bytes
    }
}
