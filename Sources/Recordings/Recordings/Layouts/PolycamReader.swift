internal import Bytes
internal import DepthTypes
internal import Embedded
internal import Scenes

/// Polycam's raw data: `keyframes/` with `images`, `depth`, `confidence` and `cameras`, whose file names are microseconds.
///
/// Cameras have `t_00` to `t_23`, rows of a 3 × 4 matrix, camera-to-world with ARKit's axes. `corrected_cameras` were
/// adjusted by the app and fit the depth better; they are preferred if at least half of the frames have one. Their pictures are undistorted and are not used with
/// depth.
enum PolycamReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool { cameras(folder) != nil }

    private static func cameras(_ folder: RecordingFolder) -> RecordingFolder? {
        let keyframes = folder.folder("keyframes") ?? folder
        guard keyframes.folders.contains("depth") || keyframes.folders.contains("images") else { return nil }
        let found = keyframes.folder(anyOf: ["corrected_cameras", "cameras"])
        return found?.files.contains { $0.hasSuffix(".json") } == true ? keyframes : nil
    }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.polycam)
        draft.convention = .cameraToWorldOpenGL
        draft.isListed = true
        draft.coding.confidence = .spread
        let keyframes = cameras(folder) ?? folder
        let corrected = keyframes.folder("corrected_cameras")
        let plain = keyframes.folder("cameras")
        let (depth, confidence) = (keyframes.folder("depth"), keyframes.folder("confidence"))
        let images = keyframes.folder(anyOf: ["images", "corrected_images"])
        let all = (plain ?? corrected)?.files.filter { $0.hasSuffix(".json") } ?? []
        let (total, missing) = (all.count, all.count { corrected?.holds($0) == false })
        // The two sets of cameras do not fit each other.
        let usesCorrected = corrected != nil && 2 * missing <= total
        if usesCorrected {
            draft.note(.assumedCamera, "cameras are those that the app corrected")
            draft.explainsMissingPoses = missing > 0
        }
        if missing > 0 {
            draft.warn(
                usesCorrected ? .lostTracking : .assumedCamera,
                "\(missing) of \(total) cameras are not corrected by the app: "
                    + (usesCorrected ? "these frames have no pose" : "those as recorded are used for all"))
        }
        var unreadable: [String] = []
        for name in all {
            let stem = name.pathStem
            var frame = RecordedFrame(number: draft.frames.count)
            frame.time = Double(word: ArraySlice(stem.utf8)).map { $0 / 1e6 }
            frame.depth = depth?.part(stem, anyOf: ["png"])
            frame.confidence = confidence?.part(stem, anyOf: ["png"])
            frame.color = images?.part(stem, anyOf: ["jpg", "jpeg", "png"])
            let isCorrected = usesCorrected && corrected?.holds(name) == true
            if let json = try? (isCorrected ? corrected : plain)?.json(name, limits) {
                frame.time = json["timestamp"]?.double.map { $0 / 1e6 } ?? frame.time
                frame.intrinsics = Intrinsics(
                    fx: json["fx"]?.double, fy: json["fy"]?.double, cx: json["cx"]?.double,
                    cy: json["cy"]?.double, from: .corner)
                frame.intrinsics?.size = PixelSize(json["width"]?.integer, json["height"]?.integer)
                let rows = (0..<12).compactMap { json["t_\($0 / 4)\($0 % 4)"]?.double }
                if isCorrected == usesCorrected { frame.pose = CameraPose(rows: rows, .cameraToWorldOpenGL) }
            } else {
                unreadable.append(name)
            }
            try draft.append(frame, limits)
        }
        draft.frames.sort { ($0.time ?? 0, $0.number) < ($1.time ?? 0, $1.number) }
        draft.complain(about: unreadable, what: "cannot be read")
        return draft
    }
}
