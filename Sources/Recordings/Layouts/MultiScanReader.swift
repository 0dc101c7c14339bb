internal import ByteParsing
internal import DepthModel
internal import EmbeddedFormats
internal import Sequences

/// MultiScan: `SCAN.jsonl` has a line for each frame: nanoseconds, intrinsics column by column, and `transform`, camera-to-world
/// column by column with ARKit's axes.
///
/// Depth is in `SCAN.depth.zlib`, whose framing is not published: it is not read.
enum MultiScanReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool { list(folder) != nil }

    /// The list of frames, by its first line.
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
        _ folder: RecordingFolder, _ reading: RecordingReading, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.multiScan)
        draft.convention = .cameraToWorldOpenGL
        draft.keepsBareFrames = true
        try forEachLine(of: list(folder) ?? "", in: folder, limits, &draft) {
            (line, draft) throws(ContainerError) in
            guard let json = json(line, limits), let matrix = json["transform"]?.numbers else { return false }
            var frame = RecordedFrame(number: draft.frames.count)
            frame.time = json["timestamp"]?.double.map { $0 / 1e9 }
            frame.pose = CameraPose(columnMajor: matrix, .cameraToWorldOpenGL)
            frame.intrinsics = Intrinsics(columnMajor: json["intrinsics"]?.numbers, from: .corner)
            try draft.append(frame, limits)
            return true
        }
        readStreams(folder, limits, &draft)
        if folder.files.contains(where: { $0.hasSuffix(".depth.zlib") }) {
            draft.warn(.unreadablePlane, "depth in .depth.zlib is not read: its framing is not published")
        }
        return draft
    }

    /// The size of the color, from the description of streams.
    private static func readStreams(
        _ folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft
    ) {
        for name in folder.files where name.hasSuffix(".json") {
            guard let json = try? folder.json(name, limits) else { continue }
            for stream in json["streams"]?.elements ?? [] where stream["type"]?.text == "color_camera" {
                guard let size = stream["resolution"]?.numbers, size.count == 2 else { continue }
                // Height first.
                draft.cameraFrame = PixelSize(Int(exactly: size[1]), Int(exactly: size[0]))
            }
        }
    }
}
