internal import Bytes
internal import Scenes

/// Reads recordings of one layout that are folders.
protocol RecordingLayoutReader: Sendable {
    /// Whether a folder looks like such a recording, by the names in it.
    static func recognizes(_ folder: RecordingFolder) -> Bool

    /// Reads lists and headers. Throws if they are unusable.
    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft
}

/// All readers, in order of precedence.
let folderReaders: [any RecordingLayoutReader.Type] = [
    StrayScannerReader.self, PolycamReader.self, ARKitScenesReader.self, ScannerAppReader.self,
    Record3DFolderReader.self, TransformsReader.self, BOPReader.self, TartanAirReader.self,
    BagFolderReader.self, ReplicaReader.self, TUMReader.self, SevenScenesReader.self,
    MultiScanReader.self, Open3DReader.self, NumberedReader.self,
]

extension RecordingFolder {
    /// The file of this name in the folder, as a part of a frame; `nil` if missing.
    func part(_ name: String) -> (any FramePart)? {
        holds(name) ? FilePart(folder: location, fileName: name) : nil
    }

    /// The first existing file of `stem.extension`, as a part of a frame.
    func part(_ stem: String, anyOf extensions: [String]) -> (any FramePart)? {
        for suffix in extensions {
            if let part = part("\(stem).\(suffix)") { return part }
        }
        return nil
    }
}

/// Counts unreadable lines of a list, and reports them once.
struct LineComplaints {
    private var count = 0
    private var first = 0

    mutating func add(_ line: TextLines.Line) {
        if count == 0 { first = line.number }
        count += 1
    }

    /// Adds the report. If only the very last line is bad, the list was cut off.
    func report(_ file: String, lastLine: Int, to draft: inout RecordingDraft) {
        guard count > 0 else { return }
        if count == 1, first == lastLine {
            return draft.warn(.cutOff, "\(file) is cut off in line \(first)")
        }
        let lines = count == 1 ? "1 line" : "\(count) lines"
        draft.warn(.unreadableLines, "\(lines) of \(file) cannot be read, the first is line \(first)")
    }
}

/// Passes each line of a list to `body`, which returns whether it could be read; the others are counted.
func forEachLine(
    of name: String, in folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft,
    _ body: (TextLines.Line, inout RecordingDraft) throws(ContainerError) -> Bool
) throws(ContainerError) {
    do throws(ContainerError) {
        var lines = try folder.lines(name, limits)
        var complaints = LineComplaints()
        var last = 0
        while let line = try lines.next() {
            last = line.number
            if try !body(line, &draft) { complaints.add(line) }
        }
        complaints.report(name, lastLine: last, to: &draft)
    } catch {
        throw error.file == nil ? error.inFile(name) : error
    }
}

/// A decimal number with leading zeros up to this many digits.
func padded(_ number: Int, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
