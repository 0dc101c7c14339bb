internal import Bytes
internal import DepthTypes
internal import Embedded
internal import Scenes

/// Open3D's reconstruction folders, and Redwood's: `depth/` and `color/`, `image/` or `rgb/`, with a trajectory and a camera
/// beside them or one folder above. ScanNet's exported folders are similar, with `pose/N.txt` and `intrinsic/`, and SLAMBench's,
/// with `pose.txt` or `groundtruth.txt`. `masks/` has segmentations.
///
/// A `.log` has records of five lines: ids, and a 4 × 4 matrix that is camera-to-world with axes as in OpenCV. A
/// `PinholeCameraTrajectory` in JSON has matrices that are world-to-camera, column by column. Depth is in millimeters.
enum Open3DReader: RecordingLayoutReader {
    private static let colorNames = ["color", "image", "rgb", "images"]
    /// Segmentations as in sets for BOP and BundleTrack: black is background.
    private static let matteNames = ["masks", "mask", "mattes", "matte"]
    private static let depthNames = ["depth", "depths"]

    static func recognizes(_ folder: RecordingFolder) -> Bool {
        guard !folder.folders.isDisjoint(with: depthNames), !folder.folders.isDisjoint(with: colorNames)
        else { return false }
        let files = folder.folder(anyOf: depthNames)?.files ?? []
        return files.contains { ["png", "exr", "tiff", "tif", "npy", "pgm"].contains($0.pathExtension) }
    }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.open3D)
        draft.coding.depth.isUnitCertain = false
        let depth = folder.folder(anyOf: depthNames)
        let color = folder.folder(anyOf: colorNames)
        var colors: [String: String] = [:]
        for name in color?.files ?? [] { colors[name.pathStem.trimmedZeros] = name }
        let mattes = folder.folder(anyOf: matteNames)
        var masks: [String: String] = [:]
        for name in mattes?.files ?? [] { masks[name.pathStem.trimmedZeros] = name }
        let names = (depth?.files ?? []).filter {
            ["png", "exr", "tiff", "tif", "npy", "pgm"].contains($0.pathExtension)
        }
        let numbered = names.map { ($0.frameNumber ?? 0, $0) }.sorted { $0 < $1 }
        for (number, name) in numbered {
            var frame = RecordedFrame(number: number)
            frame.depth = depth?.part(name)
            frame.color = colors[name.pathStem.trimmedZeros].flatMap { color?.part($0) }
            frame.matte = masks[name.pathStem.trimmedZeros].flatMap { mattes?.part($0) }
            try draft.append(frame, limits)
        }
        reportLone(pictures: colors, depth: names, &draft)
        try readPoses(folder, limits, &draft)
        try readCamera(folder, limits, &draft)
        return draft
    }

    /// Warns about pictures without a depth map of the same name, unless most pictures lack one.
    private static func reportLone(pictures: [String: String], depth: [String], _ draft: inout RecordingDraft)
    {
        let lone = Set(pictures.keys).subtracting(depth.map(\.pathStem.trimmedZeros)).count
        guard lone > 0, 2 * lone < pictures.count else { return }
        draft.warn(
            .missingFiles,
            lone == 1
                ? "1 picture has no depth map of its name, and is not read"
                : "\(lone) pictures have no depth map of their name, and are not read")
    }

    private static func readPoses(
        _ folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft
    ) throws(ContainerError) {
        if let poses = folder.folder(anyOf: ["pose", "poses"]) { return readMatrices(poses, limits, &draft) }
        let logs = folder.files.filter { $0.hasSuffix(".log") }
        let preferred = ["trajectory.log", "odometry.log"].first(where: folder.holds)
        if let name = preferred ?? logs.first { return try readLog(name, folder, limits, &draft) }
        let json = folder.files.first { $0.hasSuffix(".json") && $0.contains("trajectory") }
        if let json { return try readTrajectory(json, folder, limits, &draft) }
        if let name = ["pose.txt", "poses.txt", "groundtruth.txt", "traj.txt"].first(where: folder.holds) {
            readList(name, folder, limits, &draft)
        }
    }

    /// Reads a list of poses, in any form of ``PoseFile``; times are numbers of frames.
    private static func readList(
        _ name: String, _ folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft
    ) {
        do throws(ContainerError) {
            let file = try PoseFile(try folder.source(name, limits), limits)
            switch file.poses {
            case .listed(let poses):
                for (index, pose) in poses.enumerated() where draft.frames.indices.contains(index) {
                    draft.frames[index].pose = pose
                }
                if poses.count != draft.frames.count {
                    draft.warn(
                        .lostTracking,
                        "\(name) has \(poses.count) poses for \(draft.frames.count) frames; they are paired in order"
                    )
                }
            case .timed(let samples):
                let poses = Dictionary(samples.map { ($0.time, $0.pose) }) { first, _ in first }
                for index in draft.frames.indices {
                    draft.frames[index].pose = poses[Double(draft.frames[index].number)]
                }
            case .named: return
            }
            if draft.frames.contains(where: { $0.pose != nil }) { draft.convention = file.convention }
        } catch {
            draft.diagnostics.append(Diagnostic(error, .unreadableLines, name))
        }
    }

    /// Reads a file with a matrix for each frame.
    private static func readMatrices(
        _ poses: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft
    ) {
        draft.convention = .cameraToWorldOpenCV
        var names: [Int: String] = [:]
        for name in poses.files where name.hasSuffix(".txt") { names[name.frameNumber ?? -1] = name }
        var unreadable: [String] = []
        for index in draft.frames.indices {
            guard let name = names[draft.frames[index].number] else { continue }
            let rows = (try? poses.numbers(name, limits)) ?? []
            draft.frames[index].pose = CameraPose(rows: rows, .cameraToWorldOpenCV)
            if rows.count != 16 { unreadable.append(name) }
        }
        draft.complain(about: unreadable, what: "cannot be read as a matrix")
    }

    /// Reads a log, whose n-th matrix belongs to the n-th frame.
    private static func readLog(
        _ name: String, _ folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft
    ) throws(ContainerError) {
        draft.convention = .cameraToWorldOpenCV
        var rows: [Double] = []
        var count = 0
        try forEachLine(of: name, in: folder, limits, &draft) { line, draft in
            guard let numbers = line.numbers else { return false }
            if numbers.count == 3, numbers.allSatisfy({ $0 == $0.rounded() }) {
                rows = []
                return true
            }
            guard numbers.count == 4, rows.count < 16 else { return false }
            rows += numbers
            guard rows.count == 16 else { return true }
            if count < draft.frames.count {
                draft.frames[count].pose = CameraPose(rows: rows, .cameraToWorldOpenCV)
            }
            count += 1
            return true
        }
        if count != draft.frames.count {
            draft.warn(
                .lostTracking,
                "\(name) has \(count) poses for \(draft.frames.count) frames; they are paired in order")
        }
    }

    private static func readTrajectory(
        _ name: String, _ folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft
    ) throws(ContainerError) {
        draft.convention = .worldToCameraOpenCV
        let json = try folder.json(name, limits)
        let matrices = json["parameters"]?.elements.compactMap { $0["extrinsic"]?.numbers } ?? []
        for (index, matrix) in matrices.enumerated() where index < draft.frames.count {
            draft.frames[index].pose = CameraPose(columnMajor: matrix, .worldToCameraOpenCV)
        }
    }

    private static func readCamera(
        _ folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft
    ) throws(ContainerError) {
        if let intrinsic = folder.folder("intrinsic"),
            let name = ["intrinsic_depth.txt", "intrinsic_color.txt"].first(where: intrinsic.holds),
            let rows = try? intrinsic.numbers(name, limits), rows.count == 16
        {
            draft.intrinsics = Intrinsics(
                fx: rows[0], fy: rows[5], cx: rows[2], cy: rows[6], from: .center)
            draft.cameraIsOfDepth = name == "intrinsic_depth.txt"
            if draft.intrinsics != nil { return }
        }
        let above = folder.path.folderAbove.flatMap { try? RecordingFolder($0) }
        for place in [folder, above].compactMap(\.self) {
            if let camera = CameraFile(in: place, limits, &draft) { return draft.use(camera) }
        }
        draft.intrinsics = Intrinsics(fx: 525, fy: 525, cx: 319.5, cy: 239.5)
        draft.cameraFrame = PixelSize(width: 640, height: 480)
        draft.cameraOrigin = .assumed
        draft.note(
            .assumedCamera,
            "the recording names no camera: assuming a PrimeSense's, 525 px of 640 × 480")
    }
}

extension String {
    /// A numeric name without leading zeros.
    var trimmedZeros: String {
        let rest = drop { $0 == "0" }
        return rest.isEmpty && !isEmpty ? "0" : String(rest)
    }
}
