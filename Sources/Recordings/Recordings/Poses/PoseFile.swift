package import Bytes
internal import DepthTypes
internal import Embedded
internal import RasterFormats

/// Poses in a separate file. A frame whose numbers are not finite, or not a rotation, has no pose: tracking was lost.
///
/// - TUM: lines `time tx ty tz qx qy qz qw`; without times, one line for each frame in order.
/// - KITTI: lines of 12 numbers, the upper 3 × 4 of a matrix row by row. Also lines of 16 numbers, and four lines of
///   four for each matrix.
/// - NPY: n × 4 × 4 or n × 3 × 4 numbers.
/// - `transforms.json`: a matrix for each named file.
///
/// Poses are camera-to-world with axes as in OpenCV, those of `transforms.json` with axes as in OpenGL.
struct PoseFile {
    /// A pose, and the frame that it belongs to.
    enum Poses {
        /// By time in seconds.
        case timed([(time: Double, pose: CameraPose)])
        /// One for each listed frame, in order.
        case listed([CameraPose?])
        /// By the name of the picture or the depth, without folders and extension.
        case named([(names: [String], pose: CameraPose?)])
    }

    let poses: Poses
    let convention: PoseConvention

    /// The greatest distance in time of a pose from a frame, in seconds, as for the TUM benchmark.
    static let tolerance = 0.02

    /// Reads a file; its form is recognized by its contents.
    init(_ path: String, _ limits: DecodingLimits) throws(ContainerError) {
        do throws(ContainerError) {
            try self.init(try FileSource(path: path, limits: limits), limits)
        } catch {
            throw error.inFile(path.lastPathComponent)
        }
    }

    /// Reads the file whose bytes are in `source`.
    init(_ source: any ByteSource, _ limits: DecodingLimits) throws(ContainerError) {
        let start = try source.readPrefix(at: 0, count: NPYHeader.usualByteCount)
        let first = start.first { !TextLines.isSpace($0) }
        convention = first == UInt8(ascii: "{") ? .cameraToWorldOpenGL : .cameraToWorldOpenCV
        if first == UInt8(ascii: "{") {
            try limits.check(.metadataBytes, source.byteCount)
            poses = try Self.named(
                try JSONValue(parsing: try source.read(0..<source.byteCount), limits: limits), convention)
        } else if start.starts(with: NPYHeader.magic) {
            poses = .listed(try Self.array(source, start, limits, convention))
        } else {
            poses = try Self.lines(TextLines(source, limits: limits), convention)
        }
    }

    private static func named(
        _ json: JSONValue, _ convention: PoseConvention
    ) throws(ContainerError) -> Poses {
        guard case .array(let frames)? = json["frames"] else {
            throw ContainerError(.malformed(rule: "there is no array 'frames'"))
        }
        return .named(
            frames.map { frame in
                let paths = ["file_path", "depth_file_path", "depth_path"].compactMap { frame[$0]?.text }
                let rows = TransformsReader.matrix(frame["transform_matrix"])
                return (
                    paths.map { $0.lastPathComponent.pathStem },
                    rows.flatMap { CameraPose(rows: $0, convention) }
                )
            })
    }

    private static func array(
        _ source: any ByteSource, _ start: [UInt8], _ limits: DecodingLimits, _ convention: PoseConvention
    ) throws(ContainerError) -> [CameraPose?] {
        let header = try NPYHeader(parsing: start, limits: limits)
        let path = StructurePath("NPY")
        guard header.shape.count == 3, (3...4).contains(header.shape[1]), header.shape[2] == 4,
            header.type == .float32 || header.type == .float64, !header.isFortranOrder
        else {
            throw ContainerError(
                .malformed(
                    rule:
                        "the array is \(header.type.rawValue) of \(header.shape.map(String.init).joined(separator: " × "))"
                        + "\(header.isFortranOrder ? ", columns first" : ""); poses are float32 or float64 of n × 4 × 4 or n × 3 × 4, rows first"
                ), in: path)
        }
        let count = header.shape[0]
        try limits.check(.frames, count, in: path)
        let size = header.shape[1] * 4
        let length = count * size * header.type.byteCount
        let bytes = try source.read(header.byteCount..<header.byteCount + length)
        var cursor = ByteCursor(bytes.span, path: path)
        cursor.byteOrder = header.byteOrder
        var poses: [CameraPose?] = []
        for _ in 0..<count {
            var rows: [Double] = []
            for _ in 0..<size {
                rows.append(
                    header.type == .float64
                        ? Double(bitPattern: try cursor.read(UInt64.self))
                        : Double(Float(bitPattern: try cursor.read(UInt32.self))))
            }
            poses.append(CameraPose(rows: rows, convention))
        }
        return poses
    }

    private static func lines(
        _ lines: consuming TextLines, _ convention: PoseConvention
    ) throws(ContainerError) -> Poses {
        var timed: [(time: Double, pose: CameraPose)] = []
        var listed: [CameraPose?] = []
        var rows: [Double] = []
        var width: Int?
        while let line = try lines.next() {
            let words = line.words.map { Double(word: $0) ?? .nan }
            guard [4, 7, 8, 12, 16].contains(words.count), words.count == width ?? words.count else {
                let rule =
                    width.map { "it has \(words.count) words, and lines before it have \($0)" }
                    ?? "it has \(words.count) words; poses are 8 (TUM), 7 (TUM without times), 12 (KITTI), 16 or 4 numbers a line"
                throw ContainerError(
                    .malformed(rule: "line \(line.number) is not a pose: \(rule)"), at: line.offset)
            }
            width = words.count
            switch words.count {
            case 7, 8:
                let numbers = words.suffix(7).map(\.self)
                let pose = CameraPose(
                    quaternion: SIMD4(numbers[3], numbers[4], numbers[5], numbers[6]),
                    translation: SIMD3(numbers[0], numbers[1], numbers[2]), convention)
                if words.count == 7 {
                    listed.append(pose)
                } else if let pose, words[0].isFinite {
                    timed.append((words[0], pose))
                }
            case 4:
                rows += words
                guard rows.count == 16 else { continue }
                listed.append(CameraPose(rows: rows, convention))
                rows = []
            default: listed.append(CameraPose(rows: words, convention))
            }
        }
        guard rows.isEmpty else {
            throw ContainerError(
                .malformed(rule: "the last matrix has \(rows.count / 4) of 4 lines"))
        }
        return width == 8 ? .timed(timed) : .listed(listed)
    }
}

extension RecordingDraft {
    /// Replaces the poses of all listed frames by those of a file. Throws if they do not fit the frames.
    mutating func use(_ file: PoseFile) throws(ContainerError) {
        if frames.contains(where: { $0.pose != nil }) {
            note(.replacedPoses, "the poses of the recording are replaced by those of the file")
        }
        convention = file.convention
        switch file.poses {
        case .timed(let samples): try use(samples)
        case .listed(let poses): try use(poses)
        case .named(let poses): try use(poses)
        }
    }

    private mutating func use(_ samples: [(time: Double, pose: CameraPose)]) throws(ContainerError) {
        let times = frames.compactMap(\.time)
        guard times.count == frames.count, let first = times.min(), let last = times.max() else {
            throw ContainerError(
                .malformed(rule: "the poses have times, and the frames of the recording have none"))
        }
        let trajectory = Trajectory(samples)
        for index in frames.indices {
            frames[index].pose = frames[index].time.flatMap {
                trajectory.pose(at: $0, within: PoseFile.tolerance)
            }
        }
        guard frames.contains(where: { $0.pose != nil }) else {
            let span = samples.map(\.time)
            let found = span.min().map { "from \($0) to \(span.max() ?? $0) s" } ?? "none"
            throw ContainerError(
                .malformed(
                    rule:
                        "no pose is within \(PoseFile.tolerance) s of a frame: the times of the poses are \(found), those of the frames from \(first) to \(last) s"
                ))
        }
    }

    private mutating func use(_ poses: [CameraPose?]) throws(ContainerError) {
        guard poses.count == frames.count else {
            throw ContainerError(
                .malformed(
                    rule:
                        "there are \(poses.count) poses without times, and the recording lists \(frames.count) frames"
                ))
        }
        for (index, pose) in poses.enumerated() { frames[index].pose = pose }
    }

    private mutating func use(_ poses: [(names: [String], pose: CameraPose?)]) throws(ContainerError) {
        var known: [String: CameraPose?] = [:]
        for (names, pose) in poses {
            for name in names { known.updateValue(pose, forKey: name) }
        }
        let found = frames.map { frame in
            [frame.color, frame.depth].compactMap { $0?.path?.lastPathComponent.pathStem }
                .lazy.compactMap { known[$0] }.first
        }
        // Frames in archives and movies have no names.
        guard found.contains(where: { $0 != nil }) else { return try use(poses.map(\.pose)) }
        for (index, pose) in found.enumerated() { frames[index].pose = pose ?? nil }
    }
}

extension Diagnostic.Code {
    /// Poses of a separate file replace those of the recording.
    package static let replacedPoses: Self = "replaced-poses"
}
