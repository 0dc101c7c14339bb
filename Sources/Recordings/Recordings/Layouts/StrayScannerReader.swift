internal import Bytes
internal import DepthTypes
internal import Scenes

/// Stray Scanner, an app for iPhones with LiDAR.
///
/// `odometry.csv` has a line for each frame: time since the phone started, frame number, position, quaternion, in newer versions
/// intrinsics. Poses are camera-to-world with axes as in OpenCV; poses recorded before February 2021 have ARKit's axes.
/// `camera_matrix.csv` is the camera of the last frame, in pixels of the movie `rgb.mp4`. Depth is in millimeters.
enum StrayScannerReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool {
        folder.holds("odometry.csv") && folder.holds("camera_matrix.csv")
    }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.strayScanner)
        draft.convention = .cameraToWorldOpenCV
        draft.isListed = true
        draft.intrinsics = Intrinsics(matrix: try folder.numbers("camera_matrix.csv", limits), from: .corner)
        if draft.intrinsics == nil {
            draft.warn(.unreadableLines, "camera_matrix.csv is not the matrix of a camera")
        }
        draft.movie = StoredMovie("rgb.mp4", in: folder)
        let (depth, confidence) = (folder.folder("depth"), folder.folder("confidence"))
        var columns: Columns?
        try forEachLine(of: "odometry.csv", in: folder, limits, &draft) {
            (line, draft) throws(ContainerError) in
            guard let known = columns else {
                columns = Columns(line.fields)
                return columns != nil
            }
            guard var frame = known.frame(line.fields) else { return false }
            let name = padded(frame.number, to: 6)
            frame.depth = depth?.part(name, anyOf: ["png", "npy"])
            frame.confidence = confidence?.part(name, anyOf: ["png"])
            // The movie's clock is the frame number at 60 frames a second.
            if draft.movie != nil {
                frame.movie = MoviePart(time: Double(frame.number) / 60, planes: [.picture])
            }
            try draft.append(frame, limits)
            return true
        }
        return draft
    }

    /// The indices of the columns that are used.
    private struct Columns {
        private var time: Int
        private var number: Int
        private var pose: [Int]
        private var intrinsics: [Int]?

        init?(_ names: [ArraySlice<UInt8>]) {
            let names = names.map { String(decoding: $0, as: UTF8.self) }
            func places(_ wanted: [String]) -> [Int]? {
                let found = wanted.compactMap { names.firstIndex(of: $0) }
                return found.count == wanted.count ? found : nil
            }
            guard let first = places(["timestamp", "frame"]),
                let pose = places(["x", "y", "z", "qx", "qy", "qz", "qw"])
            else { return nil }
            (time, number, self.pose) = (first[0], first[1], pose)
            intrinsics = places(["fx", "fy", "cx", "cy"])
        }

        func frame(_ fields: [ArraySlice<UInt8>]) -> RecordedFrame? {
            func value(_ place: Int) -> Double? {
                place < fields.count ? Double(word: fields[place]) : nil
            }
            guard let time = value(time), let index = value(number).flatMap({ Int(exactly: $0) }), index >= 0
            else { return nil }
            var frame = RecordedFrame(number: index, time: time)
            let values = pose.compactMap(value)
            guard values.count == 7 else { return nil }
            frame.pose = CameraPose(
                quaternion: SIMD4(values[3], values[4], values[5], values[6]),
                translation: SIMD3(values[0], values[1], values[2]), .cameraToWorldOpenCV)
            if let intrinsics {
                frame.intrinsics = Intrinsics(
                    fx: value(intrinsics[0]), fy: value(intrinsics[1]), cx: value(intrinsics[2]),
                    cy: value(intrinsics[3]), from: .corner)
            }
            return frame
        }
    }
}
