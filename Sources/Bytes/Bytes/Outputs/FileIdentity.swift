internal import Glibc

/// The file system's identity of a file, the same for all its names.
package struct FileIdentity: Hashable, Sendable {
    private var device: UInt64
    private var number: UInt64

    /// The identity of an existing file; `nil` if it is missing.
    package init?(path: String) {
        var status = stat()
        guard unsafe path.withFileName({ unsafe stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }

    /// The identity of an open file; `nil` if the descriptor is not open.
    package init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }

    /// The identities of input files; `-` is standard input, which may be a file.
    package static func inputs(_ paths: [String]) -> Set<FileIdentity> {
        Set(paths.compactMap { $0 == "-" ? FileIdentity(descriptor: 0) : FileIdentity(path: $0) })
    }

    /// Whether a file is inside one of these folders, at any depth.
    package static func isInside(_ folders: Set<FileIdentity>, path: String) -> Bool {
        var folder = path.folderPath
        var below: FileIdentity?
        // The parent of the root is the root.
        while let identity = FileIdentity(path: folder), identity != below {
            if folders.contains(identity) { return true }
            below = identity
            folder += "/.."
        }
        return false
    }

    package static let byteCount = 16

    /// ``byteCount`` bytes, to be passed to another process.
    package var bytes: [UInt8] {
        [device, number].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    /// The inverse of ``bytes``; `nil` for any other number of bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        let word = { (part: [UInt8]) in part.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        device = word(Array(bytes.prefix(8)))
        number = word(Array(bytes.suffix(8)))
    }
}
