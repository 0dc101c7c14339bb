internal import Glibc
internal import Synchronization

/// A file on disk, read with `pread`: never mapped, so a file cut short meanwhile is an error and not a signal.
public final class FileSource: ByteSource {
    private let descriptor: Int32
    /// The size of the file when it was opened.
    public let byteCount: Int
    private let limits: DecodingLimits
    /// How many bytes were read, what was read twice counted twice: a small file could ask for its bytes for ever.
    private let bytesRead = Atomic<Int>(0)

    /// Opens a regular file, of which `limits[.inputBytes]` bytes may be read in all.
    ///
    /// Throws ``ContainerError/Reason/unreadable(detail:)`` with the system's words when that fails, and for
    /// what is not a regular file.
    public init(path: String, limits: DecodingLimits = DecodingLimits()) throws(ContainerError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure(errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw Self.failure(code)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw ContainerError(
                .unreadable(
                    detail: isFolder
                        ? "it is a folder (info --recursive searches it)" : "it is not a regular file"), at: 0
            )
        }
        self.descriptor = descriptor
        self.byteCount = Int(status.st_size)
        self.limits = limits
    }

    deinit {
        close(descriptor)
    }

    /// Copies the bytes of `range`.
    public func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        try check(range)
        let total = bytesRead.wrappingAdd(range.count, ordering: .relaxed).newValue
        try limits.check(.inputBytes, total, at: range.lowerBound)
        var failure: ContainerError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count {
                let place = range.lowerBound + count
                let got = unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + count }, range.count - count,
                    off_t(place))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    failure =
                        got < 0
                        ? Self.failure(errno, at: place)
                        : ContainerError(.truncated(needed: range.count - count, available: 0), at: place)
                    return
                }
                count += got
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads a stream such as a pipe to its end into memory, `limits[.inputBytes]` at most.
    public static func contents(
        ofStream descriptor: Int32, limits: DecodingLimits
    ) throws(ContainerError) -> MemorySource {
        var bytes: [UInt8] = []
        let part = 1 << 16
        while true {
            var failure: ContainerError?
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: part) { buffer, count in
                var got = unsafe Glibc.read(descriptor, buffer.baseAddress, part)
                while got < 0, errno == EINTR {
                    got = unsafe Glibc.read(descriptor, buffer.baseAddress, part)
                }
                if got < 0 { failure = Self.failure(errno, at: bytes.count) }
                count = max(0, got)
            }
            if let failure { throw failure }
            if chunk.isEmpty { return MemorySource(bytes) }
            try limits.check(.inputBytes, bytes.count + chunk.count, at: bytes.count)
            bytes += chunk
        }
    }

    private static func failure(_ code: Int32, at offset: Int = 0) -> ContainerError {
        let detail = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return ContainerError(.unreadable(detail: detail), at: offset)
    }
}
