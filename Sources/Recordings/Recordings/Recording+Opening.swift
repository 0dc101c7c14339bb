public import Bytes
public import Scenes

extension Recording {
    /// Opens a recording, recognized by its contents: a folder, a file, a movie, or a pattern of numbered depth images such
    /// as `depth-%04d.png`. A folder may also hold exactly one recording, at most two levels below. Reads lists and headers,
    /// but no pixels.
    ///
    /// Of `reading`, the scale, the camera, the color pictures, the poses and the topics are used.
    ///
    /// - Throws: ``ContainerError``, with the path, if this is not a readable recording, or a bag without such a topic,
    ///   ``RecordingError/severalRecordings(_:)``, ``RecordingError/noTopics``, and an error of FFmpeg's libraries for a
    ///   movie that they do not open.
    public init(
        contentsOf path: String, reading: ReadingOptions = ReadingOptions(),
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        self = try opening(path) { try Recording(storedIn: path, reading: reading, limits: limits) }
        guard reading.topics.isEmpty || topics != nil else { throw RecordingError.noTopics }
    }

    /// Opens a recording, whatever the topics if it is not a bag. A frame is decoded only if nothing else declares the size.
    ///
    /// Throws ``unrecognized`` if the path is not a recording, other errors of ``ContainerError``, of FFmpeg's libraries, and
    /// ``RecordingError/severalRecordings(_:)``.
    package init(
        storedIn path: String, reading: ReadingOptions = ReadingOptions(),
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        var finisher = RecordingFinisher(
            draft: try Self.draft(of: path, reading, limits), reading: reading, limits: limits)
        self = try finisher.recording(at: path)
    }

    private static func draft(
        of path: String, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws -> RecordingDraft {
        if MovieReader.isMovie(path) { return try MovieReader.read(path, reading, limits) }
        do {
            return try draft(ofListed: path, reading, limits)
        } catch let error as ContainerError where error == unrecognized {
            guard let file = MovieReader.onlyOne(inFolder: path, limits: limits) else {
                guard let remark = (try? RecordingFolder(path, limits: limits))?.linkRemark else {
                    throw error
                }
                throw ContainerError(
                    .unrecognized(detail: "this is not a recording that can be read: \(remark)"))
            }
            return try MovieReader.read(file, reading, limits)
        }
    }

    /// Reads a recording whose frames are listed by its layout: not a movie.
    private static func draft(
        ofListed path: String, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws -> RecordingDraft {
        if path != "-", FolderEntry.isFolder(path) {
            let place = try recordingFolder(path, limits)
            guard FolderEntry.isFolder(place) else { return try draft(ofFile: place, reading, limits) }
            let folder = try RecordingFolder(place, limits: limits)
            guard let reader = (folderReaders + [PairReader.self]).first(where: { $0.recognizes(folder) })
            else { throw unrecognized }
            var draft = try reader.read(folder, reading, limits)
            draft.linkRemark = folder.linkRemark
            return draft
        }
        if let pattern = pattern(path) { return try PatternReader.read(pattern, reading, limits) }
        return try draft(ofFile: path, reading, limits)
    }

    /// Whether a folder is itself a recording, by the names in it. Folders below are not examined.
    package static func isRecording(folder path: String) -> Bool {
        guard let entries = try? FolderEntry.list(path) else { return false }
        return isRecording(folder: path, listing: entries)
    }

    /// The same for a folder that was listed.
    package static func isRecording(folder path: String, listing entries: [FolderEntry]) -> Bool {
        recognizes(RecordingFolder(path, listing: entries))
    }

    /// Whether a path is a pattern such as `depth-%04d.png`, and not the path of a file.
    package static func isPattern(_ path: String) -> Bool { pattern(path) != nil }

    private static func pattern(_ path: String) -> FramePattern? {
        (try? FileSource(path: path)) == nil ? FramePattern(path) : nil
    }

    /// The recording at a path: the path itself, or the only recording at most two levels below.
    private static func recordingFolder(_ path: String, _ limits: DecodingLimits) throws -> String {
        let folder = try RecordingFolder(path, limits: limits)
        if recognizes(folder) || PairReader.recognizes(folder) { return path }
        // Folders beside a model of COLMAP have what trainers read, such as inverse depth, which would pass for depth.
        if folder.folders.contains("sparse") { throw unrecognized }
        var found: [String] = []
        var level = [path]
        for _ in 0..<3 {
            var next: [String] = []
            for folder in level {
                guard let folder = try? RecordingFolder(folder) else { continue }
                found += folder.files.map(folder.path(of:)).filter(isRecordingFile)
                for name in folder.folders.subtracting(folder.targets.keys).sorted() {
                    let path = folder.path(of: name)
                    // A folder with many folders is a collection of recordings rather than the wrapper of one.
                    guard next.count < 1000 else { throw unrecognized }
                    if let inner = try? RecordingFolder(path), recognizes(inner) {
                        found.append(path)
                    } else {
                        next.append(path)
                    }
                }
                guard found.count < 1000 else { break }
            }
            level = next
        }
        switch found.count {
        case 0: throw unrecognized
        case 1: return found[0]
        default:
            throw RecordingError.severalRecordings(
                found.map { String($0.dropFirst(path.count)).trimmedSlashes })
        }
    }

    private static func recognizes(_ folder: RecordingFolder) -> Bool {
        folderReaders.contains { $0.recognizes(folder) }
    }

    /// Whether a single file is a recording, by its first bytes and its directory.
    private static func isRecordingFile(_ path: String) -> Bool {
        guard
            ["r3d", "zip", "sens", "bag", "mcap", "db3", "zstd"].contains(
                path.lastPathComponent.pathExtension),
            let source = try? FileSource(path: path),
            let start = try? source.readPrefix(at: 0, count: 16)
        else { return false }
        if ScanNetReader.recognizes(start) || BagReader.recognizes(start) { return true }
        guard start.starts(with: [0x50, 0x4B, 3, 4]) else { return false }
        return Record3DArchiveReader.recognizes(source, DecodingLimits())
    }

    /// Reads a recording in a single file.
    private static func draft(
        ofFile path: String, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        let name = path.lastPathComponent
        if name == "transforms.json" {
            return try TransformsReader.read(
                try RecordingFolder(path.folderAbove ?? ".", limits: limits), reading, limits)
        }
        let source: any ByteSource =
            path == "-"
            ? try FileSource.contents(ofStream: 0, limits: limits)
            : try FileSource(path: path, limits: limits)
        let start = try source.readPrefix(at: 0, count: 16)
        if BagReader.recognizes(start) {
            let own = BagFormat.limits(limits, ofBytes: source.byteCount)
            return try BagReader.read(
                path == "-" ? source : try FileSource(path: path, limits: own), reading, limits)
        }
        if start.starts(with: [0x50, 0x4B, 3, 4]),
            let draft = try Record3DArchiveReader.read(source, limits)
        {
            return draft
        }
        if ScanNetReader.recognizes(start) { return try ScanNetReader.read(source, limits) }
        throw unrecognized
    }

    /// The error for a path that is not a recording.
    package static let unrecognized = ContainerError(
        .unrecognized(detail: "this is not a recording that can be read"))
}

extension String {
    /// The text without leading slashes.
    fileprivate var trimmedSlashes: String { String(drop { $0 == "/" }) }
}
