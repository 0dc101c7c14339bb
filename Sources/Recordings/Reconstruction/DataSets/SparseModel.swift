internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import Geometry
internal import Recordings

/// COLMAP's sparse model as text: world-to-camera poses with axes as in OpenCV, pixel coordinates from a corner. With it, the lists
/// that COLMAP's dense steps and 3D Gaussian splatting read.
struct SparseModel {
    private let frames: [DataSetFrame]
    private let points: PointCloud
    private let tracks: PointTracks

    init(_ frames: [DataSetFrame], points: PointCloud) {
        (self.frames, self.points) = (frames, points)
        tracks = PointTracks(points.positions, frames)
    }

    var pointCount: Int { tracks.points.count }

    /// Trainers read `sparse/0`, and COLMAP's dense steps `sparse`.
    var files: [DataSetFile] {
        let model = [
            ("cameras.txt", Array(cameras.utf8)), ("images.txt", Array(images.utf8)),
            ("points3D.txt", pointLines),
        ]
        let split = frames.split
        let names = frames.compactMap { $0.picture?.lastPathComponent }
        return ["sparse/0", "sparse"].flatMap { folder in
            model.map { DataSetFile("\(folder)/\($0)", $1) }
        } + [
            DataSetFile("sparse/0/train.txt", text: Self.list(split.training.map(\.lastPathComponent))),
            DataSetFile("sparse/0/test.txt", text: Self.list(split.testing.map(\.lastPathComponent))),
            DataSetFile("sparse/0/depth_params.json", text: depthParameters(names)),
            DataSetFile("stereo/fusion.cfg", text: Self.list(names)),
            DataSetFile("stereo/patch-match.cfg", text: Self.list(names.flatMap { [$0, "__auto__, 20"] })),
        ]
    }

    private static func list(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    /// The factor and the offset that make 1/m of the samples in `inverse_depths`, by the stem of a picture.
    private func depthParameters(_ names: [String]) -> String {
        let scale = JSONValue.object([
            ("scale", .number(Double(DepthFile.inverseScale))), ("offset", .number(0)),
        ])
        return JSONValue.object(names.map { ($0.pathStem, scale) }).serialized + "\n"
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

    /// Two lines a frame; the second lists the points that it shows.
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
                + "\(picture.lastPathComponent)\n"
            text +=
                tracks.observations[index].map { seen in
                    "\(seen.position.x + 0.5) \(seen.position.y + 0.5) \(seen.point + 1)"
                }.joined(separator: " ") + "\n"
        }
        return text
    }

    /// Points without a color are gray. Their error is 0, because the positions in pictures are projections.
    private var pointLines: [UInt8] {
        var bytes = Array("# POINT3D_ID, X, Y, Z, R, G, B, ERROR, TRACK[] as (IMAGE_ID, POINT2D_IDX)\n".utf8)
        for (index, (place, track)) in zip(tracks.points, tracks.tracks).enumerated() {
            let point = points.positions[place]
            let color = points.colors.isEmpty ? RGB(red: 128, green: 128, blue: 128) : points.colors[place]
            let images = track.map { " \($0.frame + 1) \($0.index)" }.joined()
            bytes +=
                "\(index + 1) \(point.x) \(point.y) \(point.z) \(color.red) \(color.green) \(color.blue) 0\(images)\n"
                .utf8
        }
        return bytes
    }
}
