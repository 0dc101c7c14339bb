/// Bytes that can be read at any offset, such as a file.
package protocol ByteSource: Sendable {
    /// The total number of bytes.
    var byteCount: Int { get }

    /// How many bytes to read to recognize a format.
    var firstByteCount: Int { get }

    /// The error if the system failed to read bytes; `nil` if it never did. After a failure do not rely on any result, even
    /// if the error was ignored.
    var failure: ContainerError? { get }

    /// Copies all bytes of `range`, or throws without a partial result.
    ///
    /// Throws when the range exceeds the source, when the source became shorter, or when the system fails.
    func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8]

    /// Replaces the contents of an array by the bytes of `range`, reusing its memory if the source supports that.
    ///
    /// Throws as ``read(_:)`` does; the array then has undefined contents.
    func read(_ range: Range<Int>, into bytes: inout [UInt8]) throws(ContainerError)

    /// Announces which bytes will be read soon, so that a remote source can fetch them in one request. Evaluates `ranges`
    /// only if that helps. Errors surface in the read that follows.
    func prefetch(_ ranges: @autoclosure () -> [Range<Int>])
}

extension ByteSource {
    /// ``CachingSource/first``.
    package var firstByteCount: Int { CachingSource.first }

    /// Reads into newly allocated memory.
    package func read(_ range: Range<Int>, into bytes: inout [UInt8]) throws(ContainerError) {
        bytes = try read(range)
    }

    /// Does nothing: most sources are local.
    package func prefetch(_ ranges: @autoclosure () -> [Range<Int>]) {}

    /// `nil`: reading memory does not fail.
    package var failure: ContainerError? { nil }

    /// Copies up to `count` bytes from `offset`, fewer only at the end of the source.
    package func readPrefix(at offset: Int, count: Int) throws(ContainerError) -> [UInt8] {
        let start = min(max(offset, 0), byteCount)
        return try read(start..<start + min(max(count, 0), byteCount - start))
    }

    /// Throws unless `range` is inside the source.
    package func check(_ range: Range<Int>, in path: StructurePath = StructurePath()) throws(ContainerError) {
        guard range.lowerBound >= 0, range.upperBound <= byteCount else {
            throw ContainerError(
                .truncated(needed: range.count, available: max(0, byteCount - range.lowerBound)),
                at: max(0, range.lowerBound), in: path)
        }
    }
}

/// Bytes in memory.
package struct MemorySource: ByteSource {
    private let bytes: [UInt8]

    /// A source of these bytes.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var byteCount: Int { bytes.count }

    /// Returns the bytes of `range`; a request for all bytes of the source shares its storage.
    package func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        try check(range)
        return range == bytes.indices ? bytes : Array(bytes[range])
    }
}
