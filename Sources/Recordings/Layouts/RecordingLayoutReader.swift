internal import ByteParsing

/// Reads recordings of one layout that are folders.
protocol RecordingLayoutReader: Sendable {
    /// Whether a folder looks like such a recording, by the names in it.
    static func recognizes(_ folder: RecordingFolder) -> Bool

    /// Reads lists and headers. Throws where nothing can be made of them.
    static func read(
        _ folder: RecordingFolder, _ reading: RecordingReading, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft
}

/// All readers; the first that recognizes a folder reads it.
let folderReaders: [any RecordingLayoutReader.Type] = [
    StrayScannerReader.self, PolycamReader.self, ARKitScenesReader.self, ScannerAppReader.self,
    Record3DFolderReader.self, TransformsReader.self, BOPReader.self, TartanAirReader.self, TUMReader.self,
    SevenScenesReader.self,
    MultiScanReader.self, Open3DReader.self, NumberedReader.self,
]

extension RecordingFolder {
    /// The part of a frame that is the file of this name in the folder; `nil` where there is none.
    func part(_ name: String) -> (any FramePart)? {
        holds(name) ? FilePart(folder: location, fileName: name) : nil
    }

    /// The first of the files `stem.extension` that exists.
    func part(_ stem: String, anyOf extensions: [String]) -> (any FramePart)? {
        for suffix in extensions {
            if let part = part("\(stem).\(suffix)") { return part }
        }
        return nil
    }
}

/// Counts the lines of a list that cannot be read, and says so once.
struct LineComplaints {
    private var count = 0
    private var first = 0

    mutating func add(_ line: TextLines.Line) {
        if count == 0 { first = line.number }
        count += 1
    }

    /// Adds what is to be said. Where the very last line is the only bad one, the list is cut off.
    func report(_ file: String, lastLine: Int, to draft: inout RecordingDraft) {
        guard count > 0 else { return }
        if count == 1, first == lastLine {
            return draft.warn(.cutOff, "\(file) is cut off in line \(first)")
        }
        let lines = count == 1 ? "1 line" : "\(count) lines"
        draft.warn(.unreadableLines, "\(lines) of \(file) cannot be read, the first is line \(first)")
    }
}

/// Hands each line of a list to `body`, which says whether it could read it; the others are counted.
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

/// A number in decimal, with zeros in front up to so many digits.
func padded(_ number: Int, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
