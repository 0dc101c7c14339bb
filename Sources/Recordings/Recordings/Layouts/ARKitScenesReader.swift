internal import Bytes
internal import DepthTypes
internal import Scenes

/// Apple's ARKitScenes: `lowres_depth`, `lowres_wide`, `confidence` and `lowres_wide_intrinsics`, with files named
/// `VIDEO_SECONDS`, and `lowres_wide.traj`.
///
/// Lines of the trajectory are `time rx ry rz tx ty tz`: a rotation vector and a translation from world to camera, axes as in
/// OpenCV, ten a second. A `.pincam` is `width height fx fy cx cy`. Depth is in millimeters.
enum ARKitScenesReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool {
        folder.folders.contains("lowres_depth")
            && (folder.holds("lowres_wide.traj") || folder.folders.contains("lowres_wide"))
    }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.arkitScenes)
        let convention = PoseConvention.worldToCameraOpenCV
        var samples: [(time: Double, pose: CameraPose)] = []
        if folder.holds("lowres_wide.traj") {
            draft.convention = convention
            try forEachLine(of: "lowres_wide.traj", in: folder, limits, &draft) { line, _ in
                guard let numbers = line.numbers, numbers.count == 7,
                    let pose = CameraPose(
                        rotationVector: SIMD3(numbers[1], numbers[2], numbers[3]),
                        translation: SIMD3(numbers[4], numbers[5], numbers[6]), convention)
                else { return false }
                samples.append((numbers[0], pose))
                return true
            }
        }
        let trajectory = Trajectory(samples)
        let depth = folder.folder("lowres_depth")
        let confidence = folder.folder("confidence").map(TimedFiles.init)
        let color = folder.folder("lowres_wide").map(TimedFiles.init)
        let cameras = folder.folder("lowres_wide_intrinsics").map(TimedFiles.init)
        var unreadable: [String] = []
        for name in depth?.files ?? [] {
            guard let time = TimedFiles.time(of: name) else { continue }
            var frame = RecordedFrame(number: draft.frames.count, time: time)
            frame.depth = depth?.part(name)
            frame.confidence = confidence?.name(at: time).flatMap { confidence?.folder.part($0) }
            frame.color = color?.name(at: time).flatMap { color?.folder.part($0) }
            if let cameras, let name = cameras.name(at: time) {
                let numbers = (try? cameras.folder.numbers(name, limits)) ?? []
                if numbers.count == 6 {
                    frame.intrinsics = Intrinsics(
                        fx: numbers[2], fy: numbers[3], cx: numbers[4], cy: numbers[5], from: .corner)
                    draft.cameraFrame =
                        draft.cameraFrame ?? PixelSize(Int(exactly: numbers[0]), Int(exactly: numbers[1]))
                } else {
                    unreadable.append(name)
                }
            }
            // Time stamps in file names are rounded to milliseconds.
            frame.pose = trajectory.pose(at: time, within: 0.005)
            try draft.append(frame, limits)
        }
        draft.frames.sort { ($0.time ?? 0, $0.number) < ($1.time ?? 0, $1.number) }
        draft.complain(about: unreadable, what: "cannot be read as a camera")
        return draft
    }

    /// Files named `VIDEO_SECONDS.extension`.
    private struct TimedFiles {
        let folder: RecordingFolder
        private let times: [Double]
        private let names: [String]

        init(_ folder: RecordingFolder) {
            self.folder = folder
            let stamped = folder.files.compactMap { name in Self.time(of: name).map { (time: $0, name: name) }
            }
            .sorted { $0.time < $1.time }
            (times, names) = (stamped.map(\.time), stamped.map(\.name))
        }

        static func time(of name: String) -> Double? {
            let stem = name.pathStem
            guard let mark = stem.lastIndex(of: "_") else { return nil }
            return Double(word: ArraySlice(stem[stem.index(after: mark)...].utf8))
        }

        /// The file for a time, with a tolerance of a millisecond.
        func name(at time: Double) -> String? {
            let after = times.firstIndex(notBelow: time)
            let near = [after - 1, after].filter {
                times.indices.contains($0) && abs(times[$0] - time) < 0.0021
            }
            return near.min { abs(times[$0] - time) < abs(times[$1] - time) }.map { names[$0] }
        }
    }
}
