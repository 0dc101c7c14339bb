internal import Isobath

/// Numbered pictures: all of a folder, or the files that a pattern like `frame-%04d.jpg` names.
struct FrameSequence {
    /// The pictures in order, each with its number.
    let frames: [(number: Int, path: String)]

    /// The sequence at a path; `nil` if it names a single picture.
    ///
    /// Pictures of a folder are numbered from 1 in the order of their names. Numbers in names sort by value. Throws if
    /// the folder cannot be read.
    init?(_ path: String) throws(ContainerError) {
        if let pattern = FramePattern(path) {
            var frames: [(number: Int, path: String)] = []
            for file in try Self.files(in: pattern.folder) {
                if let number = pattern.number(in: file.name) { frames.append((number, file.path)) }
            }
            self.frames = frames.sorted { ($0.number, $0.path) < ($1.number, $1.path) }
        } else if FolderEntry.isFolder(path) {
            let files = try Self.files(in: path).filter {
                !$0.name.hasPrefix(".") && !$0.name.isOfFileSystem
            }
            let sorted = files.sorted { $0.name.naturalOrder.lexicographicallyPrecedes($1.name.naturalOrder) }
            frames = sorted.enumerated().map { ($0.offset + 1, $0.element.path) }
        } else {
            return nil
        }
        guard !frames.isEmpty else {
            throw ContainerError(.unreadable(detail: "there are no pictures"))
        }
    }

    /// The files that match a pattern; empty if the path is an existing file or not a pattern.
    static func files(ofPattern path: String) -> [String] {
        guard FramePattern(path) != nil, FileIdentity(path: path) == nil else { return [] }
        return (try? FrameSequence(path))?.frames.map(\.path) ?? []
    }

    private static func files(in folder: String) throws(ContainerError) -> [(name: String, path: String)] {
        try FolderEntry.list(folder).compactMap {
            guard case .file(let path) = $0 else { return nil }
            return (path.lastPathComponent, path)
        }
    }
}

extension String {
    /// The text in pieces that sort numbers by value: `frame10` follows `frame9`.
    fileprivate var naturalOrder: [NaturalPiece] {
        var pieces: [NaturalPiece] = []
        var number: Substring = ""
        var index = startIndex
        while index < endIndex {
            if self[index].isASCII, self[index].isNumber {
                let end = self[index...].firstIndex { !($0.isASCII && $0.isNumber) } ?? endIndex
                number = self[index..<end]
                pieces.append(.number(String(number.drop { $0 == "0" })))
                index = end
            } else {
                pieces.append(.character(self[index]))
                index = self.index(after: index)
            }
        }
        return pieces
    }
}

/// A piece of a name. Numbers sort before letters, and by value, even if their lengths differ.
private enum NaturalPiece: Comparable {
    case number(String)
    case character(Character)

    static func < (left: NaturalPiece, right: NaturalPiece) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): (left.count, left) < (right.count, right)
        case (.character(let left), .character(let right)): left < right
        case (.number, .character): true
        case (.character, .number): false
        }
    }
}
