internal import Bytes
internal import DepthTypes
internal import Embedded
internal import Scenes

/// MultiScan: `SCAN.jsonl` has a line for each frame: nanoseconds, intrinsics column by column, and `transform`,
/// camera-to-world column by column with ARKit's axes.
///
/// `SCAN.depth.zlib` is the depth of all frames in one stream of raw deflate data, Float16 in meters; `SCAN.confidence.zlib`
/// has the same form, with a byte for each sample. `SCAN.mp4` is the color, and `SCAN.json` states sizes, height first.
enum MultiScanReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool { list(folder) != nil }

    /// The list of frames, recognized by its first line.
    private static func list(_ folder: RecordingFolder) -> String? {
        folder.files.first { name in
            guard name.hasSuffix(".jsonl"), var lines = try? folder.lines(name, DecodingLimits()),
                let line = try? lines.next(), let json = json(line, DecodingLimits())
            else { return false }
            return json["transform"]?.numbers?.count == 16 && json["intrinsics"] != nil
        }
    }

    private static func json(_ line: TextLines.Line, _ limits: DecodingLimits) -> JSONValue? {
        try? JSONValue(parsing: Array(line.bytes), limits: limits, base: line.offset)
    }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.multiScan)
        draft.convention = .cameraToWorldOpenGL
        draft.keepsBareFrames = true
        let stem = list(folder)?.pathStem ?? ""
        let (depth, confidence) = ("\(stem).depth.zlib", "\(stem).confidence.zlib")
        let depths = folder.holds(depth) ? try folder.source(depth, limits) : nil
        if depths != nil {
            draft.coding.depth = FrameCoding.Depth(storage: .float16, unitsPerMeter: 1)
            draft.depthSize = PixelSize(width: 256, height: 192)
        }
        draft.coding.confidence = .bytes
        let confidences =
            depths != nil && folder.holds(confidence) ? try folder.source(confidence, limits) : nil
        draft.movie = StoredMovie("\(stem).mp4", in: folder)
        var start: Double?
        try forEachLine(of: list(folder) ?? "", in: folder, limits, &draft) {
            (line, draft) throws(ContainerError) in
            guard let json = json(line, limits), let matrix = json["transform"]?.numbers else { return false }
            var frame = RecordedFrame(number: draft.frames.count)
            frame.time = json["timestamp"]?.double.map { $0 / 1e9 }
            frame.pose = CameraPose(columnMajor: matrix, .cameraToWorldOpenGL)
            frame.intrinsics = Intrinsics(columnMajor: json["intrinsics"]?.numbers, from: .corner)
            start = start ?? frame.time
            if draft.movie != nil, let time = frame.time, let start {
                frame.movie = MoviePart(time: time - start, planes: [.picture])
            }
            try draft.append(frame, limits)
            return true
        }
        readStreams(folder, stem, hasConfidence: confidences != nil, limits, &draft)
        addParts(depths, confidences, limits, to: &draft)
        return draft
    }

    /// Assigns each frame its records of the streams.
    private static func addParts(
        _ depths: (any ByteSource)?, _ confidences: (any ByteSource)?, _ limits: DecodingLimits,
        to draft: inout RecordingDraft
    ) {
        guard let size = draft.depthSize else { return }
        let depth = depths.map { RecordStream($0, size: size, bytesPerSample: 2, limits) }
        let confidence = confidences.map { RecordStream($0, size: size, bytesPerSample: 1, limits) }
        for index in draft.frames.indices {
            draft.frames[index].depth = depth.map { RecordPart(stream: $0, index: index) }
            draft.frames[index].confidence = confidence.map { RecordPart(stream: $0, index: index) }
        }
    }

    /// The sizes of color and depth, from the description of the streams. The files of depth and confidence may be missing.
    private static func readStreams(
        _ folder: RecordingFolder, _ stem: String, hasConfidence: Bool, _ limits: DecodingLimits,
        _ draft: inout RecordingDraft
    ) {
        for name in folder.files where name.hasSuffix(".json") {
            guard let json = try? folder.json(name, limits) else { continue }
            for stream in json["streams"]?.elements ?? [] {
                if stream["type"]?.text == "confidence_map", !hasConfidence {
                    draft.warn(.missingFiles, "the confidence, \(stem).confidence.zlib, is missing")
                }
                guard let sides = stream["resolution"]?.numbers, sides.count == 2,
                    let size = PixelSize(Int(exactly: sides[1]), Int(exactly: sides[0]))
                else { continue }
                switch stream["type"]?.text {
                case "color_camera":
                    (draft.cameraFrame, draft.colorSize) = (size, size)
                case "lidar_sensor" where draft.depthSize != nil: draft.depthSize = size
                case "lidar_sensor":
                    draft.warn(.missingFiles, "the depth, \(stem).depth.zlib, is missing")
                default: break
                }
            }
        }
    }
}
