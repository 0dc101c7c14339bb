internal import Bytes
internal import DepthTypes
internal import Scenes

/// Microsoft 7-Scenes and similar sets: `NAME.depth.png` in millimeters (65535 unknown), `NAME.color.png` or `.jpg`,
/// `NAME.pose.txt`, a 4 × 4 matrix, camera-to-world with axes as in OpenCV. `camera-intrinsics.txt` may hold the camera's
/// matrix. Poses may be missing.
///
/// 7-Scenes' own camera is a Kinect: depth has a focal length of 585 pixels, and poses are those of its depth camera. Pictures
/// are not registered; those of another camera have 525 pixels, 25 mm to the right. Edges of the depth and of the pictures
/// match best with these numbers, and so do pictures of different frames.
enum SevenScenesReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool {
        let depths = folder.files.filter { $0.hasSuffix(".depth.png") }.map(stem)
        if depths.contains(where: { folder.holds($0 + ".pose.txt") }) { return true }
        return depths.count > 1
            && depths.contains { $0.digitsAtEnd != nil && folder.part($0 + ".color", anyOf: colors) != nil }
    }

    private static let colors = ["png", "jpg", "jpeg"]

    private static func stem(_ name: String) -> String { String(name.dropLast(".depth.png".count)) }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.sevenScenes)
        draft.coding.depth.unknownCode = 65535
        draft.coding.depth.isUnitCertain = false
        var unreadable: [String] = []
        // A pose without depth is a listed frame with a missing file.
        let poses = folder.files.filter { $0.hasSuffix(".pose.txt") }.map { String($0.dropLast(9)) }
        if !poses.isEmpty { draft.convention = .cameraToWorldOpenCV }
        let depths = folder.files.filter { $0.hasSuffix(".depth.png") }.map(stem)
        for stem in Set(poses + depths) {
            var frame = RecordedFrame(number: stem.digitsAtEnd ?? draft.frames.count)
            frame.depth = folder.part(stem + ".depth.png")
            frame.color = folder.part(stem + ".color", anyOf: colors)
            let name = stem + ".pose.txt"
            if folder.holds(name) {
                if let numbers = try? folder.numbers(name, limits), numbers.count == 16 {
                    frame.pose = CameraPose(rows: numbers, .cameraToWorldOpenCV)
                } else {
                    unreadable.append(name)
                }
            }
            try draft.append(frame, limits)
        }
        draft.frames.sort { $0.number < $1.number }
        draft.complain(about: unreadable.sorted(), what: "cannot be read as a matrix")
        try readCamera(folder, limits, &draft)
        if reading.camera == nil { try register(&draft, limits) }
        return draft
    }

    /// Registers depth to the pictures, if they are of 7-Scenes' camera.
    private static func register(
        _ draft: inout RecordingDraft, _ limits: DecodingLimits
    ) throws(ContainerError) {
        let size = PixelSize(width: 640, height: 480)
        let camera = Intrinsics(fx: 585, fy: 585, cx: 320, cy: 240)
        guard draft.intrinsics == camera, draft.frames.contains(where: { $0.color != nil }),
            let depth = draft.frames.lazy.compactMap(\.depth).first,
            let color = draft.frames.lazy.compactMap(\.color).first,
            pictureSize(depth, limits) == size, pictureSize(color, limits) == size
        else { return }
        var picturing = LensCamera(Intrinsics(fx: 525, fy: 525, cx: 320, cy: 240))
        picturing.pose.position.x = -0.025
        let cameras = CameraPair(depth: LensCamera(camera), color: picturing)
        draft.coding.registration = CameraRegistration(cameras: cameras, depth: size, color: size)
        (draft.intrinsics, draft.cameraFrame) = (picturing.camera, size)
        draft.diagnostics.append(RegisteredGrid(cameras, color: size).note)
        draft.diagnostics.removeAll { $0.code == .assumedCamera }
        draft.note(
            .assumedCamera,
            "assuming the cameras of 7-Scenes: 585 px for depth, and 525 px, 25 mm to the right, for pictures"
        )
        let offset = picturing.pose.inverse
        for index in draft.frames.indices {
            draft.frames[index].pose = draft.frames[index].pose?.appending(offset)
        }
    }

    private static func readCamera(
        _ folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft
    ) throws(ContainerError) {
        if folder.holds("camera-intrinsics.txt") {
            draft.intrinsics = Intrinsics(
                matrix: try folder.numbers("camera-intrinsics.txt", limits), from: .center)
            if draft.intrinsics != nil { return }
            draft.warn(.unreadableLines, "camera-intrinsics.txt is not the matrix of a camera")
        }
        draft.intrinsics = Intrinsics(fx: 585, fy: 585, cx: 320, cy: 240)
        draft.cameraFrame = PixelSize(width: 640, height: 480)
        draft.cameraOrigin = .assumed
        draft.note(
            .assumedCamera, "the recording names no camera: assuming the one of 7-Scenes, 585 px")
    }
}

extension String {
    /// The trailing digits of the text, as a number.
    var digitsAtEnd: Int? {
        let digits = reversed().prefix { $0.isASCII && $0.isNumber }
        return digits.count <= 18 ? Int(String(digits.reversed())) : nil
    }
}
