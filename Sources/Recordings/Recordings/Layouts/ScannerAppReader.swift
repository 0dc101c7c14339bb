internal import Bytes
internal import DepthTypes
internal import Embedded
internal import Scenes

/// 3D Scanner App's “All Data”: each frame has `frame_N.json`, `depth_N.png` in millimeters and `conf_N.png`; some have
/// `frame_N.jpg`.
///
/// `cameraPoseARFrame` is row by row, camera-to-world with ARKit's axes; `intrinsics` are row by row, in pixels of the camera's
/// 1920 × 1440.
enum ScannerAppReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool {
        frameFiles(folder).contains { folder.holds("depth_\($0.digits).png") }
    }

    private static func frameFiles(_ folder: RecordingFolder) -> [(name: String, digits: String)] {
        folder.files.compactMap { name in
            guard name.hasPrefix("frame_"), name.hasSuffix(".json") else { return nil }
            let digits = name.dropFirst(6).dropLast(5)
            return !digits.isEmpty && digits.allSatisfy(\.isNumber) ? (name, String(digits)) : nil
        }
    }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.scannerApp)
        draft.convention = .cameraToWorldOpenGL
        draft.isListed = true
        var unreadable: [String] = []
        for (name, digits) in frameFiles(folder) {
            var frame = RecordedFrame(number: Int(digits) ?? draft.frames.count)
            frame.depth = folder.part("depth_\(digits)", anyOf: ["png"])
            frame.confidence = folder.part("conf_\(digits)", anyOf: ["png"])
            frame.color = folder.part("frame_\(digits)", anyOf: ["jpg", "png"])
            if let json = try? folder.json(name, limits) {
                frame.time = json["time"]?.double
                frame.intrinsics = Intrinsics(matrix: json["intrinsics"]?.numbers, from: .corner)
                frame.pose = json["cameraPoseARFrame"]?.numbers.flatMap {
                    CameraPose(rows: $0, .cameraToWorldOpenGL)
                }
            } else {
                unreadable.append(name)
            }
            try draft.append(frame, limits)
        }
        draft.frames.sort { $0.number < $1.number }
        draft.complain(about: unreadable, what: "cannot be read")
        return draft
    }
}

extension RecordingDraft {
    /// Warns about files of frames.
    mutating func complain(about names: [String], what: String) {
        guard let first = names.first else { return }
        warn(
            .unreadableLines,
            names.count == 1
                ? "\(first) \(what)" : "\(names.count) files \(what), the first is \(first)")
    }
}
