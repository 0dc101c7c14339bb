internal import Bytes
internal import DepthTypes
internal import Scenes

/// The TUM RGB-D benchmark, and sets with the same lists: Bonn, ICL-NUIM.
///
/// `depth.txt` and `rgb.txt` have lines `time path`, `groundtruth.txt` lines `time tx ty tz qx qy qz qw`: camera-to-world,
/// axes as in OpenCV. Depth is 5,000 units a meter, 0 is unknown, and it is registered to the color. Instead of two lists
/// there may be one list of associations, with lines of two times and paths, as in ETH3D, or no list: then file names
/// of `depth/` and `rgb/` are times.
enum TUMReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool {
        folder.holds("depth.txt") && folder.folders.contains("depth")
            || !associations(folder).isEmpty && !folder.folders.isEmpty
            || !stamped(folder, ["depth"]).isEmpty && folder.folders.contains("rgb")
    }

    /// The files of the first of these folders whose names are all times in seconds, such as `1305031102.175304.png`.
    private static func stamped(_ folder: RecordingFolder, _ names: [String]) -> [Stamped] {
        guard let inner = folder.folder(anyOf: names) else { return [] }
        var items: [Stamped] = []
        for name in inner.files where imageTypes.contains(name.pathExtension) {
            let stem = name.pathStem
            guard let dot = stem.firstIndex(of: "."), stem[dot...].utf8.count > 3,
                let time = Double(word: ArraySlice(stem.utf8))
            else { return [] }
            items.append(Stamped(time: time, path: "\(inner.path.lastPathComponent)/\(name)"))
        }
        return items.sorted { ($0.time, $0.path) < ($1.time, $1.path) }
    }

    private static let imageTypes = ["png", "jpg", "jpeg", "pgm", "tif", "tiff", "exr", "npy"]

    private static func associations(_ folder: RecordingFolder) -> [String] {
        folder.files.filter { $0.pathExtension == "txt" && $0.lowercased().contains("assoc") }
    }

    private struct Stamped {
        var time: Double
        var path: String
    }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.tum)
        draft.coding.depth.unitsPerMeter = 5000
        draft.coding.depth.isUnitCertain = false
        draft.isListed = true
        let folders = Subfolders(folder)
        var depths: [Stamped] = []
        var colors: [Stamped] = []
        if folder.holds("depth.txt") {
            depths = try list("depth.txt", folder, limits, &draft)
            if depths.isEmpty { draft.warn(.unreadableLines, "depth.txt lists nothing") }
            if folder.holds("rgb.txt") { colors = try list("rgb.txt", folder, limits, &draft) }
        } else if let name = associations(folder).first {
            (depths, colors) = try readAssociations(name, folder, limits, &draft)
        } else {
            (depths, colors) = (stamped(folder, ["depth"]), stamped(folder, ["rgb"]))
            draft.isListed = false
        }
        let listed = colors.count
        colors.removeAll { !folders.holds($0.path) }
        draft.missingColor = listed - colors.count
        let trajectory = try readTrajectory(folder, limits, &draft)
        // Only existing files are paired: of two pictures near in time, one may be missing.
        let present = depths.indices.filter { folders.holds(depths[$0].path) }
        let partners = matchedByTime(present.map { depths[$0].time }, colors.map(\.time), within: 0.02)
        var partner: [Int: Int] = [:]
        for (index, found) in zip(present, partners) { partner[index] = found }
        for (index, depth) in depths.enumerated() {
            var frame = RecordedFrame(number: index, time: depth.time)
            frame.depth = folders.part(depth.path)
            if let found = partner[index] { frame.color = folders.part(colors[found].path) }
            frame.pose = trajectory?.pose(at: depth.time, within: 0.02)
            try draft.append(frame, limits)
        }
        if let camera = CameraFile(in: folder, limits, &draft) {
            draft.use(camera)
        } else {
            assumeCamera(folder.path, &draft)
        }
        return draft
    }

    private static func list(
        _ name: String, _ folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft
    ) throws(ContainerError) -> [Stamped] {
        var items: [Stamped] = []
        var names = NameBytes(limits)
        try forEachLine(of: name, in: folder, limits, &draft) { (line, _) throws(ContainerError) in
            let words = line.words
            guard words.count >= 2, let time = Double(word: words[0]) else { return false }
            items.append(Stamped(time: time, path: String(decoding: words[1], as: UTF8.self)))
            try names.count(items[items.count - 1].path, at: line.offset)
            return true
        }
        return items
    }

    private static func readAssociations(
        _ name: String, _ folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft
    ) throws(ContainerError) -> (depths: [Stamped], colors: [Stamped]) {
        var (depths, colors): ([Stamped], [Stamped]) = ([], [])
        var names = NameBytes(limits)
        try forEachLine(of: name, in: folder, limits, &draft) { (line, _) throws(ContainerError) in
            let words = line.words
            guard words.count == 4, let first = Double(word: words[0]), let second = Double(word: words[2])
            else { return false }
            let a = Stamped(time: first, path: String(decoding: words[1], as: UTF8.self))
            let b = Stamped(time: second, path: String(decoding: words[3], as: UTF8.self))
            for item in [a, b] { try names.count(item.path, at: line.offset) }
            // Tools disagree about which comes first; the folder's name decides.
            let isDepthFirst = a.path.contains("depth")
            depths.append(isDepthFirst ? a : b)
            colors.append(isDepthFirst ? b : a)
            return true
        }
        return (depths, colors)
    }

    private static func readTrajectory(
        _ folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft
    ) throws(ContainerError) -> Trajectory? {
        let name =
            folder.holds("groundtruth.txt")
            ? "groundtruth.txt" : folder.files.first { $0.hasSuffix(".freiburg") }
        guard let name else { return nil }
        let convention = PoseConvention.cameraToWorldOpenCV
        draft.convention = convention
        var samples: [(time: Double, pose: CameraPose)] = []
        try forEachLine(of: name, in: folder, limits, &draft) { line, _ in
            guard let numbers = line.numbers, numbers.count >= 8,
                let pose = CameraPose(
                    quaternion: SIMD4(numbers[4], numbers[5], numbers[6], numbers[7]),
                    translation: SIMD3(numbers[1], numbers[2], numbers[3]), convention)
            else { return false }
            samples.append((numbers[0], pose))
            return true
        }
        return Trajectory(samples)
    }

    /// The folder has no camera file: the folder's name identifies the benchmark's cameras.
    private static func assumeCamera(_ path: String, _ draft: inout RecordingDraft) {
        let name = path.lowercased()
        let known: [(mark: String, camera: Intrinsics)] = [
            ("freiburg1", Intrinsics(fx: 517.3, fy: 516.5, cx: 318.6, cy: 255.3)),
            ("freiburg2", Intrinsics(fx: 520.9, fy: 521.0, cx: 325.1, cy: 249.7)),
            ("freiburg3", Intrinsics(fx: 535.4, fy: 539.2, cx: 320.1, cy: 247.6)),
            ("bonn", Intrinsics(fx: 542.8228, fy: 542.5769, cx: 315.5935, cy: 237.7561)),
            ("living_room_traj", Intrinsics(fx: 481.2, fy: 480, cx: 319.5, cy: 239.5)),
            ("office_room_traj", Intrinsics(fx: 481.2, fy: 480, cx: 319.5, cy: 239.5)),
        ]
        let found = known.first { name.contains($0.mark) }
        draft.intrinsics = found?.camera ?? Intrinsics(fx: 525, fy: 525, cx: 319.5, cy: 239.5)
        draft.cameraFrame = PixelSize(width: 640, height: 480)
        draft.cameraOrigin = .assumed
        let reason =
            found.map { "the camera of '\($0.mark)', as the folder is called" } ?? "ROS's default camera"
        draft.note(.assumedCamera, "the recording names no camera: assuming \(reason)")
    }
}

/// The folders below a recording, whose files its lists name by path. Each is listed once.
struct Subfolders {
    private let folder: RecordingFolder
    private let cache = FolderCache()

    init(_ folder: RecordingFolder) { self.folder = folder }

    /// Whether a path of a list, relative to the recording, leads to an existing file.
    func holds(_ path: String) -> Bool { place(path) != nil }

    /// The file at a path of a list, as a part of a frame.
    func part(_ path: String) -> (any FramePart)? {
        guard let (folder, name) = place(path) else { return nil }
        return folder.part(name)
    }

    /// Resolves only files of the recording's folder and of folders in it. Lists of Windows separate names by `\`. Absolute names
    /// are those of where the recording was written: the longest end that leads to a file counts.
    private func place(_ path: String) -> (RecordingFolder, String)? {
        if let place = place(path.split(separator: "/")[...]) { return place }
        let parts = path.split { $0 == "/" || $0 == "\\" }
        if path.contains("\\"), let place = place(parts[...]) { return place }
        guard path.hasPrefix("/") || parts.first?.hasSuffix(":") ?? false else { return nil }
        return (1...4).reversed().lazy.compactMap { place(parts.suffix($0)) }.first
    }

    private func place(_ parts: ArraySlice<Substring>) -> (RecordingFolder, String)? {
        let names = parts.filter { $0 != "." }.map(String.init)
        guard let name = names.last, names.count <= Self.mostFolders,
            let folder = cache.folder(names.dropLast(), in: folder), folder.holds(name)
        else { return nil }
        return (folder, name)
    }

    private static let mostFolders = 32
}

/// The folders of a recording that were listed.
private final class FolderCache {
    private var known: [[String]: RecordingFolder?] = [:]

    /// The folder at a path inside another; `nil` if it is missing.
    func folder(_ parts: ArraySlice<String>, in root: RecordingFolder) -> RecordingFolder? {
        guard let name = parts.last else { return root }
        let path = Array(parts)
        if let found = known[path] { return found }
        let found = folder(parts.dropLast(), in: root)?.folder(name)
        known[path] = found
        return found
    }
}
