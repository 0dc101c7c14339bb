internal import Bytes
internal import DepthTypes
internal import Scenes

/// Depth images of a pattern such as `depth-%04d.png`, and pictures of another pattern, if given.
enum PatternReader {
    /// Throws if no file matches the pattern.
    static func read(
        _ pattern: FramePattern, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        let colorPattern = try reading.colorPath.map { (path) throws(ContainerError) in
            guard let pattern = FramePattern(path) else {
                throw ContainerError(
                    .unsupported(
                        feature:
                            "numbered depth with one file of color, \(path.lastPathComponent), instead of numbered pictures such as rgb-%04d.png,"
                    ))
            }
            return pattern
        }
        var draft = RecordingDraft(colorPattern == nil ? .numberedDepth : .numberedPairs)
        let colors = try colorPattern.map { (pattern) throws(ContainerError) in try Self.files(of: pattern) }
        let depths = try Self.files(of: pattern)
        for (number, name) in depths.names.sorted(by: { $0.key < $1.key }) {
            var frame = RecordedFrame(number: number)
            frame.depth = depths.folder.part(name)
            if let colors, let name = colors.names[number] {
                frame.color = colors.folder.part(name)
            }
            try draft.append(frame, limits)
        }
        guard !draft.frames.isEmpty else {
            throw ContainerError(.unreadable(detail: "there are no files of this pattern"))
        }
        if reading.scale == nil {
            draft.coding.depth.isUnitCertain = false
            draft.coding.depth.unitsPerMeter = nil
            draft.warn(.noUnit, "nothing says which unit the depth has")
        }
        return draft
    }

    private static func files(
        of pattern: FramePattern
    ) throws(ContainerError) -> (folder: RecordingFolder, names: [Int: String]) {
        let folder = try RecordingFolder(pattern.folder)
        var names: [Int: String] = [:]
        for name in folder.files {
            if let number = pattern.number(in: name), names[number] == nil { names[number] = name }
        }
        return (folder, names)
    }
}
