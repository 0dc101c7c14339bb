internal import Glibc
internal import Synchronization

/// A file on disk, read with `pread`: never mapped, so that truncating it meanwhile causes an error and not a signal. Writing
/// to it meanwhile is an error, too; after renaming, replacing or removing it, the opened file is still read.
package final class FileSource: ByteSource {
    private let descriptor: Int32
    /// The size of the file when it was opened.
    package let byteCount: Int
    private let modificationTime: timespec
    private let firstFailure = Mutex<ContainerError?>(nil)
    private let limits: DecodingLimits
    /// How many bytes were read, including repeated reads: a small file could cause its bytes to be read indefinitely.
    private let bytesRead = Atomic<Int>(0)

    /// Opens a regular file. At most `limits[.inputBytes]` bytes may be read in total.
    ///
    /// Throws ``ContainerError/Reason/unreadable(detail:)`` with the system's message when that fails, and
    /// ``ContainerError/Reason/notRegularFile``.
    package convenience init(path: String, limits: DecodingLimits = DecodingLimits()) throws(ContainerError) {
        let descriptor = unsafe path.withFileName {
            unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        }
        guard descriptor >= 0 else { throw Self.failure(errno) }
        try self.init(owning: descriptor, limits: limits)
    }

    /// Reads an open file, and takes ownership of its descriptor, even if this throws. Throws as
    /// ``init(path:limits:)``.
    package init(
        owning descriptor: Int32, limits: DecodingLimits = DecodingLimits()
    ) throws(ContainerError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw Self.failure(code)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ContainerError(Self.reason(status.st_mode & S_IFMT))
        }
        self.descriptor = descriptor
        self.byteCount = Int(status.st_size)
        self.modificationTime = status.st_mtim
        self.limits = limits
    }

    deinit {
        close(descriptor)
    }

    /// Another descriptor of the open file, with the same offset. The caller closes it.
    package func duplicate() throws(ContainerError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Self.failure(errno) }
        return copy
    }

    /// Why the system could not read requested bytes. After that, all reads fail.
    package var failure: ContainerError? { firstFailure.withLock(\.self) }

    /// Copies the bytes of `range`.
    package func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        try begin(range)
        var failure: ContainerError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            unsafe (count, failure) = fill(buffer, from: range.lowerBound)
        }
        try end(range, got: bytes.count, failure)
        return bytes
    }

    /// Copies the bytes of `range` into an array, whose memory is reused if it is large enough.
    package func read(_ range: Range<Int>, into bytes: inout [UInt8]) throws(ContainerError) {
        try begin(range)
        if bytes.count > range.count {
            bytes.removeLast(bytes.count - range.count)
        } else {
            bytes.append(contentsOf: repeatElement(0, count: range.count - bytes.count))
        }
        let (count, failure) = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe fill($0, from: range.lowerBound)
        }
        try end(range, got: count, failure)
    }

    /// Throws if a range cannot be read, or if too much was read already.
    private func begin(_ range: Range<Int>) throws(ContainerError) {
        try check(range)
        if let failure { throw failure }
        let total = bytesRead.wrappingAdd(range.count, ordering: .relaxed).newValue
        try limits.check(.inputBytes, total, at: range.lowerBound)
    }

    /// Fills a buffer from an offset of the file on; returns the bytes read, and the error.
    private func fill(
        _ buffer: UnsafeMutableBufferPointer<UInt8>, from start: Int
    ) -> (Int, ContainerError?) {
        var count = 0
        while count < buffer.count {
            let got = unsafe pread(
                descriptor, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count,
                off_t(start + count))
            if got < 0, errno == EINTR { continue }
            if got < 0 { return (count, Self.failure(errno, at: start + count)) }
            guard got > 0 else { break }
            count += got
        }
        return (count, nil)
    }

    /// Throws if a range was not read completely. Samples of two states of a file must not be mixed.
    private func end(_ range: Range<Int>, got: Int, _ failure: ContainerError?) throws(ContainerError) {
        var failure = failure
        if failure == nil, got < range.count || !isUnchanged {
            failure = ContainerError(
                .unreadable(detail: "it changed while it was read"), at: range.lowerBound)
        }
        guard let failure else { return }
        firstFailure.withLock { $0 = $0 ?? failure }
        throw failure
    }

    /// Whether the file still has the size and time that it had when it was opened.
    private var isUnchanged: Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && Int(status.st_size) == byteCount
            && status.st_mtim.tv_sec == modificationTime.tv_sec
            && status.st_mtim.tv_nsec == modificationTime.tv_nsec
    }

    /// Reads a stream such as a pipe to its end into memory, at most `limits[.inputBytes]`. `start` are bytes read already.
    package static func contents(
        ofStream descriptor: Int32, behind start: [UInt8] = [], limits: DecodingLimits
    ) throws(ContainerError) -> MemorySource {
        var bytes = start
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

    private static func reason(_ mode: mode_t) -> ContainerError.Reason {
        switch mode {
        case S_IFDIR: .folder
        case S_IFIFO: .pipe
        default: .notRegularFile
        }
    }

    private static func failure(_ code: Int32, at offset: Int? = nil) -> ContainerError {
        ContainerError(.unreadable(errno: code), at: offset)
    }
}

extension ContainerError.Reason {
    /// The error of a failed system call, with the system's message for its number.
    package static func unreadable(errno code: Int32) -> Self {
        .unreadable(detail: systemMessage(code))
    }
}
