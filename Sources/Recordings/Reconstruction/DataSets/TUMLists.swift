internal import DepthTypes
internal import Recordings

/// The lists of a data set in TUM's form.
///
/// `rgb.txt` and `depth.txt` have lines `time path`, `groundtruth.txt` lines `time tx ty tz qx qy qz qw`: camera-to-world, axes
/// as in OpenCV. `associated.txt` and `calibration.txt` (`fx fy cx cy`, from the center of the first pixel) are ETH3D's.
struct TUMLists {
    private let frames: [DataSetFrame]

    init(_ frames: [DataSetFrame]) { self.frames = frames }

    var files: [DataSetFile] {
        var lists = [
            list("depth.txt", "depth maps, 5000 steps a meter", "timestamp filename") {
                "\(Self.stamp($0)) \($0.depth)"
            },
            list("associated.txt", "pictures with depth maps", "timestamp rgb timestamp depth") { frame in
                let time = Self.stamp(frame)
                return frame.picture.map { "\(time) \($0) \(time) \(frame.depth)" }
            },
            list("rgb.txt", "color images", "timestamp filename") { frame in
                frame.picture.map { "\(Self.stamp(frame)) \($0)" }
            },
            list("groundtruth.txt", "poses", "timestamp tx ty tz qx qy qz qw") { frame in
                guard let pose = frame.pose else { return nil }
                let (q, t) = (pose.quaternion, pose.position)
                return "\(Self.stamp(frame)) \(t.x) \(t.y) \(t.z) \(q.x) \(q.y) \(q.z) \(q.w)"
            },
        ].compactMap(\.self)
        if let camera = frames.first?.camera {
            let numbers = [
                camera.focalLengthX, camera.focalLengthY, camera.principalPointX, camera.principalPointY,
            ]
            lists.append(
                DataSetFile("calibration.txt", text: numbers.map { "\($0)" }.joined(separator: " ") + "\n"))
        }
        return lists
    }

    /// A list with a line for each frame that has one; `nil` if none has.
    private func list(
        _ name: String, _ title: String, _ columns: String, _ line: (DataSetFrame) -> String?
    ) -> DataSetFile? {
        let lines = frames.compactMap(line)
        guard !lines.isEmpty else { return nil }
        return DataSetFile(
            name, text: (["# \(title)", "# \(columns)"] + lines).joined(separator: "\n") + "\n")
    }

    /// The time in seconds, with six digits after the point.
    private static func stamp(_ frame: DataSetFrame) -> String {
        let microseconds = Int((abs(frame.time) * 1e6).rounded())
        let rest = "\(microseconds % 1_000_000)"
        return (frame.time < 0 ? "-" : "") + "\(microseconds / 1_000_000)."
            + String(repeating: "0", count: 6 - rest.count) + rest
    }
}
