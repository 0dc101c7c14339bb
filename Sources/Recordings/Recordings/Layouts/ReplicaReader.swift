internal import Bytes
internal import DepthTypes
internal import Scenes

/// Replica as NICE-SLAM renders it: `results/frameNNNNNN.jpg`, `results/depthNNNNNN.png`, and `traj.txt`, whose line n is the
/// 4 × 4 matrix of frame n, row by row: camera-to-world, axes as in OpenCV. `cam_params.json` beside the scene, or above it,
/// has the camera and the units of depth; without it, those of NICE-SLAM are assumed.
enum ReplicaReader: RecordingLayoutReader {
    private static let poses = "traj.txt"

    static func recognizes(_ folder: RecordingFolder) -> Bool {
        folder.holds(poses) && folder.folders.contains("results")
    }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.replica)
        draft.convention = .cameraToWorldOpenCV
        var path: [CameraPose?] = []
        try forEachLine(of: poses, in: folder, limits, &draft) { line, _ in
            let numbers = line.numbers ?? []
            path.append(CameraPose(rows: numbers, .cameraToWorldOpenCV))
            return numbers.count == 16
        }
        let results = folder.folder("results")
        for name in results?.files ?? [] where name.hasPrefix("depth") && name.pathExtension == "png" {
            guard let number = name.frameNumber else { continue }
            var frame = RecordedFrame(number: number)
            frame.depth = results?.part(name)
            frame.color = results?.part(
                "frame" + name.pathStem.dropFirst("depth".count), anyOf: ["jpg", "jpeg", "png"])
            if frame.color == nil { draft.missingColor += 1 }
            if path.indices.contains(number) { frame.pose = path[number] }
            try draft.append(frame, limits)
        }
        draft.frames.sort { $0.number < $1.number }
        (draft.coding.depth.unitsPerMeter, draft.coding.depth.isUnitCertain) = (6553.5, false)
        let above = folder.path.folderAbove.flatMap { try? RecordingFolder($0) }
        for place in [folder, above].compactMap(\.self) {
            guard let camera = CameraFile(in: place, limits, &draft) else { continue }
            draft.use(camera)
            return draft
        }
        draft.intrinsics = Intrinsics(fx: 600, fy: 600, cx: 599.5, cy: 339.5)
        (draft.cameraFrame, draft.cameraOrigin) = (PixelSize(width: 1200, height: 680), .assumed)
        draft.note(
            .assumedCamera,
            "there is no cam_params.json: assuming NICE-SLAM's camera, 600 px of 1200 × 680")
        return draft
    }
}
