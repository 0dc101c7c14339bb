internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import Geometry
internal import Recordings

/// COLMAP's sparse model in its binary form, which all trainers read: world-to-camera poses with axes as in OpenCV, pixel coordinates
/// from a corner. With it, the lists that COLMAP's dense steps and 3D Gaussian splatting read.
struct SparseModel {
    private let frames: [DataSetFrame]
    private let points: PointCloud
    private let tracks: PointTracks
    /// Whether all frames have the same camera; otherwise each has one.
    private let isCameraShared: Bool

    init(_ frames: [DataSetFrame], points: PointCloud) {
        (self.frames, self.points) = (frames, points)
        tracks = PointTracks(points.positions, frames)
        isCameraShared = Set(frames.map(\.camera)).count == 1
    }

    var pointCount: Int { tracks.points.count }

    /// Trainers read `sparse/0`, and COLMAP's dense steps `sparse`.
    var files: [DataSetFile] {
        let model = [
            ("cameras.bin", cameraRecords), ("images.bin", imageRecords), ("points3D.bin", pointRecords),
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

    private var cameraRecords: [UInt8] {
        let described = frames.prefix(isCameraShared ? 1 : frames.count)
        var bytes = [UInt8](recordCount: described.count)
        for (index, frame) in described.enumerated() {
            let camera = frame.camera
            bytes.append(littleEndian: UInt32(index + 1))
            bytes.append(littleEndian: Self.modelNumber(camera.lens))
            bytes.append(littleEndian: UInt64(camera.width))
            bytes.append(littleEndian: UInt64(camera.height))
            bytes.append(numbers: [
                camera.focalLengthX, camera.focalLengthY, camera.principalPointX + 0.5,
                camera.principalPointY + 0.5,
            ])
            bytes.append(numbers: camera.lens?.numbers ?? [])
        }
        return bytes
    }

    /// COLMAP's number of the simplest model that holds a lens: PINHOLE, OPENCV_FISHEYE, OPENCV or FULL_OPENCV.
    private static func modelNumber(_ lens: LensCoefficients?) -> UInt32 {
        guard let lens else { return 1 }
        return lens.isFisheye ? 5 : lens.numbers.count == 4 ? 4 : 6
    }

    /// Each frame with the points that its picture shows.
    private var imageRecords: [UInt8] {
        let images = frames.enumerated().compactMap { index, frame in
            frame.pose.flatMap { pose in
                frame.picture.map { (index: index, pose: pose.stored(in: .worldToCameraOpenCV), picture: $0) }
            }
        }
        var bytes = [UInt8](recordCount: images.count)
        for image in images {
            bytes.append(littleEndian: UInt32(image.index + 1))
            let (q, t) = (image.pose.quaternion, image.pose.position)
            bytes.append(numbers: [q.w, q.x, q.y, q.z, t.x, t.y, t.z])
            bytes.append(littleEndian: UInt32(isCameraShared ? 1 : image.index + 1))
            bytes += Array(image.picture.lastPathComponent.utf8) + [0]
            let observations = tracks.observations[image.index]
            bytes.append(littleEndian: UInt64(observations.count))
            for seen in observations {
                bytes.append(numbers: [Double(seen.position.x) + 0.5, Double(seen.position.y) + 0.5])
                bytes.append(littleEndian: UInt64(seen.point + 1))
            }
        }
        return bytes
    }

    /// Points without a color are gray. Their error is 0, because the positions in pictures are projections.
    private var pointRecords: [UInt8] {
        var bytes = [UInt8](recordCount: tracks.points.count)
        for (index, (place, track)) in zip(tracks.points, tracks.tracks).enumerated() {
            let point = SIMD3<Double>(points.positions[place])
            let color = points.colors.isEmpty ? RGB(red: 128, green: 128, blue: 128) : points.colors[place]
            bytes.append(littleEndian: UInt64(index + 1))
            bytes.append(numbers: [point.x, point.y, point.z])
            bytes += [color.red, color.green, color.blue]
            bytes.append(numbers: [0])
            bytes.append(littleEndian: UInt64(track.count))
            for element in track {
                bytes.append(littleEndian: UInt32(element.frame + 1))
                bytes.append(littleEndian: UInt32(element.index))
            }
        }
        return bytes
    }
}

extension [UInt8] {
    /// The beginning of a file of the model: how many records follow.
    fileprivate init(recordCount: Int) {
        self = []
        append(littleEndian: UInt64(recordCount))
    }

    fileprivate mutating func append(numbers: [Double]) {
        for number in numbers { append(littleEndian: number.bitPattern) }
    }
}
