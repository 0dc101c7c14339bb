internal import Bytes
internal import Scenes

/// A recording of rosbag2: a folder of `metadata.yaml` and databases (`.db3`) or MCAP files, each also compressed (`.zstd`).
///
/// The files are read in the order of their numbers. `metadata.yaml` repeats what they hold, and is only used to find that
/// one is missing: its names are compared with those in the folder, and never opened.
enum BagFolderReader: RecordingLayoutReader {
    static func recognizes(_ folder: RecordingFolder) -> Bool {
        folder.holds("metadata.yaml") && folder.files.contains(where: isBag)
    }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        let files = folder.files.filter(isBag).sorted {
            ($0.pathStem.pathStem.frameNumber ?? 0, $0) < ($1.pathStem.pathStem.frameNumber ?? 0, $1)
        }
        var contents = BagContents(limits)
        var layout = RecordingLayout.rosbag2
        var failures: [ContainerError] = []
        for name in files {
            do throws(ContainerError) {
                let own = BagFormat.limits(limits, ofBytes: folder.size(of: name))
                layout = try BagFormat.list(try folder.source(name, own), into: &contents)
            } catch {
                try contents.report(error, in: name)
                failures.append(error.inFile(name))
            }
        }
        if failures.count == files.count, let first = failures.first { throw first }
        var draft = try BagReader.draft(of: contents, layout, reading)
        if let log = folder.files.first(where: { $0.hasSuffix(".db3-wal") && folder.size(of: $0) > 0 }) {
            draft.warn(
                .cutOff, "recording did not end properly: messages in the log \(log) are not read")
        }
        let missing = try listed(folder, limits).filter { !folder.holds($0) }
        if let first = missing.first {
            draft.warn(
                .missingFiles,
                missing.count == 1
                    ? "the file \(first) of the bag is missing"
                    : "\(missing.count) files of the bag are missing, the first is \(first)")
        }
        return draft
    }

    private static func isBag(_ name: String) -> Bool {
        let stem = name.pathExtension == "zstd" ? name.pathStem : name
        return ["db3", "mcap"].contains(stem.pathExtension)
    }

    /// The names of files that `metadata.yaml` lists below `relative_file_paths`.
    private static func listed(
        _ folder: RecordingFolder, _ limits: DecodingLimits
    ) throws(ContainerError) -> [String] {
        var lines = try folder.lines("metadata.yaml", limits)
        var names: [String] = []
        var size = NameBytes(limits)
        var isInList = false
        while let line = try lines.next() {
            let words = line.words.map { String(decoding: $0, as: UTF8.self) }
            if words.first == "relative_file_paths:" {
                isInList = true
            } else if isInList {
                guard words.count == 2, words[0] == "-" else { break }
                names.append(words[1].lastPathComponent)
                try size.count(words[1], at: line.offset)
            }
        }
        return names
    }
}
