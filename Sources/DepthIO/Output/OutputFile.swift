internal import ByteParsing
internal import CSystemShims
internal import Glibc
package import ImageCodecs

/// Why an output was not written.
public struct OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The output's path.
    public var path: String
    /// What is wrong.
    public var reason: Reason

    /// Why an output is not written. Each case calls for a different response.
    public enum Reason: Hashable, Sendable {
        /// The file exists, and is not to be replaced.
        case exists
        /// The path is a folder.
        case folder
        /// The path is a device, a pipe or a socket.
        case notRegularFile
        /// A folder is needed, and the path is something else.
        case notFolder
        /// The file is one of the inputs.
        case input
        /// Binary data would go to a terminal.
        case terminal
        /// The file system cannot add a file without the risk of replacing another.
        case unsafeFileSystem
        /// The name has no extension of a known format; `known` lists them.
        case unknownFormat(known: String)
        /// The system refused; the number is `errno`.
        case system(Int32)
        /// The samples cannot be put in this format.
        case unsuitable(String)
    }

    /// What is wrong, without the path.
    public var message: String {
        switch reason {
        case .exists: "the file exists"
        case .folder: "it is a folder"
        case .notRegularFile: "it is not a regular file"
        case .notFolder: "it is not a folder"
        case .input: "the output would replace an input"
        case .terminal: "it is a terminal; send it to a program or a file"
        case .unsafeFileSystem: "the file system cannot add a file without the risk of replacing another"
        case .unknownFormat(let known): "the name has no known extension; use \(known)"
        case .system(let code): RasterEncodingError.output(code).description
        case .unsuitable(let message): message
        }
    }

    /// The message alone, without the path.
    public var description: String { message }

    /// Describes a failure at a path.
    package init(_ path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    init(_ path: String, errno code: Int32) {
        self.init(path, .system(code))
    }

    init(_ path: String, encoding error: RasterEncodingError) {
        switch error {
        case .output(let code): self.init(path, .system(code))
        case .unsuitable(let message): self.init(path, .unsuitable(message))
        }
    }

    static func exists(_ path: String) -> OutputError { OutputError(path, .exists) }
}

/// A file's place in the file system, the same for all its names.
package struct FileIdentity: Hashable, Codable, Sendable {
    fileprivate var device: UInt64
    fileprivate var number: UInt64

    package static let byteCount = 16

    /// ``byteCount`` bytes, for another process.
    package var bytes: [UInt8] {
        [device, number].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    /// What ``bytes`` made; `nil` for any other number of bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        let word = { (part: [UInt8]) in part.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        device = word(Array(bytes.prefix(8)))
        number = word(Array(bytes.suffix(8)))
    }

    fileprivate init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }
}

/// Writes a file that appears whole or not at all.
///
/// Bytes go to a ``StagedFile``, which then gets its name in one step. An existing file is replaced only when asked for,
/// and no race can replace one otherwise; a link is then replaced itself, and what it leads to stays. Power loss is not
/// promised against.
package struct OutputFile: Sendable {
    /// Where the file will be; `-` is standard output.
    package let path: String
    /// Whether an existing file is replaced.
    package let replacesExisting: Bool

    /// Called when the file is complete and about to get its name, with its identity.
    package var willPublish: (@Sendable (FileIdentity) -> Void)?

    /// Names an output. Nothing is touched yet.
    package init(path: String, replacesExisting: Bool) {
        self.path = path
        self.replacesExisting = replacesExisting
    }

    /// Throws when the output exists and must not be replaced. Saves the work; ``write(_:)`` checks again.
    package func checkIsFree() throws(OutputError) {
        guard path != "-" else { return }
        var status = stat()
        guard unsafe path.withFileName({ unsafe lstat($0, &status) }) == 0 else { return }
        var target = stat()
        if unsafe path.withFileName({ unsafe stat($0, &target) }) == 0, target.st_mode & S_IFMT != S_IFREG {
            let isFolder = target.st_mode & S_IFMT == S_IFDIR
            throw OutputError(path, isFolder ? .folder : .notRegularFile)
        }
        if !replacesExisting { throw .exists(path) }
    }

    /// The identity of an existing file, the same for all its names; `nil` where there is none.
    package static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        guard unsafe path.withFileName({ unsafe stat($0, &status) }) == 0 else { return nil }
        return FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    /// The identities of the files that are read; `-` is standard input, which may be one.
    package static func identities(ofInputs paths: [String]) -> Set<FileIdentity> {
        Set(paths.compactMap { $0 == "-" ? identity(of: 0) : identity(of: $0) })
    }

    static func identity(of descriptor: Int32) -> FileIdentity? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        return FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    /// Writes these bytes, and publishes them.
    package func write(bytes: [UInt8]) throws(OutputError) {
        try write { (descriptor) throws(RasterEncodingError) in try Self.write(bytes, to: descriptor) }
    }

    /// Calls `body` with a descriptor that need not be seekable, and publishes what it wrote. Standard output gets bytes
    /// at once, so that what a failed run wrote there stays.
    package func writeInOrder(_ body: (Int32) throws(RasterEncodingError) -> Void) throws(OutputError) {
        if path == "-" { try run(body, 1) } else { try write(body) }
    }

    /// Writes all bytes to a descriptor.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(RasterEncodingError) {
        var place = 0
        while place < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: $0[place...])
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .output(errno) }
            place += count
        }
    }

    /// Makes a folder and those above it; one that exists is fine.
    package static func makeFolder(_ path: String) throws(OutputError) {
        if unsafe path.withFileName({ unsafe mkdir($0, 0o777) }) == 0 || errno == EEXIST {
            var status = stat()
            guard unsafe path.withFileName({ unsafe stat($0, &status) }) == 0,
                status.st_mode & S_IFMT == S_IFDIR
            else {
                throw OutputError(path, .notFolder)
            }
            return
        }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw OutputError(path, errno: errno)
        }
        try makeFolder(String(path[..<slash]))
        guard unsafe path.withFileName({ unsafe mkdir($0, 0o777) }) == 0 || errno == EEXIST else {
            throw OutputError(path, errno: errno)
        }
    }

    /// Calls `body` with a seekable descriptor to write to, and publishes what it wrote, together with some companions:
    /// all files are complete before the first appears, and this one appears last. When one cannot appear, none that is
    /// new stays. Standard output has no companions.
    package func write(
        with companions: [Companion] = [], _ body: (Int32) throws(RasterEncodingError) -> Void
    ) throws(OutputError) {
        if path == "-" { return try writeToStandardOutput(body) }
        var files = [try staged(body)]
        for companion in companions where !companion.isThere {
            files.append(
                try companion.file.staged { (descriptor) throws(RasterEncodingError) in
                    try Self.write(companion.bytes, to: descriptor)
                })
        }
        for file in files { try file.seal() }
        if let willPublish, let identity = Self.identity(of: files[0].descriptor) { willPublish(identity) }
        do throws(OutputError) {
            for file in files.reversed() { try file.publish() }
        } catch {
            for file in files { file.withdraw() }
            throw error
        }
    }

    private func staged(_ body: (Int32) throws(RasterEncodingError) -> Void) throws(OutputError) -> StagedFile
    {
        let file = try StagedFile(for: self)
        try run(body, file.descriptor)
        return file
    }

    private func run(
        _ body: (Int32) throws(RasterEncodingError) -> Void, _ descriptor: Int32
    ) throws(OutputError) {
        do {
            try body(descriptor)
        } catch {
            throw OutputError(path, encoding: error)
        }
    }

    private func writeToStandardOutput(
        _ body: (Int32) throws(RasterEncodingError) -> Void
    ) throws(OutputError) {
        let descriptor = isobath_open_in_memory()
        guard descriptor >= 0 else { throw OutputError(path, errno: errno) }
        defer { close(descriptor) }
        try run(body, descriptor)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var place = 0
        while true {
            let count = unsafe pread(descriptor, &bytes, bytes.count, off_t(place))
            guard count >= 0 else { throw OutputError(path, errno: errno) }
            guard count > 0 else { return }
            try StandardOutput.write(bytes[..<count])
            place += count
        }
    }

    /// The folder that a file is in; nothing for standard output.
    package static func folders(of path: String) -> [String] {
        path == "-" ? [] : [StagedFile.folder(of: path)]
    }
}
