/// Bytes that can be read at any offset, such as a file.
package protocol ByteSource: Sendable {
    /// The number of bytes there are.
    var byteCount: Int { get }

    /// How many bytes to read to recognize a format.
    var firstByteCount: Int { get }

    /// Why the system failed to read bytes; `nil` if it never did. After a failure do not rely on any result, even if the
    /// error was ignored.
    var failure: ContainerError? { get }

    /// Copies the bytes of `range`, all of them or none.
    ///
    /// Throws when the range leaves the source, when the source became shorter, or when the system fails.
    func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8]

    /// Copies the bytes of `range` into an array, which then holds nothing else; a source that can uses its memory again.
    ///
    /// Throws as ``read(_:)`` does; the array then holds bytes of any value.
    func read(_ range: Range<Int>, into bytes: inout [UInt8]) throws(ContainerError)

    /// Says which bytes will be read soon, so that a source for which each read is a request makes one of them. Evaluates
    /// `ranges` only where that helps. What cannot be had is an error of the read that follows.
    func prefetch(_ ranges: @autoclosure () -> [Range<Int>])
}

extension ByteSource {
    /// ``CachingSource/first``.
    package var firstByteCount: Int { CachingSource.first }

    /// Reads into memory of its own.
    package func read(_ range: Range<Int>, into bytes: inout [UInt8]) throws(ContainerError) {
        bytes = try read(range)
    }

    /// Nothing: most sources are near.
    package func prefetch(_ ranges: @autoclosure () -> [Range<Int>]) {}

    /// `nil`: reading memory does not fail.
    package var failure: ContainerError? { nil }

    /// Copies up to `count` bytes from `offset`, fewer only at the end of the source.
    package func readPrefix(at offset: Int, count: Int) throws(ContainerError) -> [UInt8] {
        let start = min(max(offset, 0), byteCount)
        return try read(start..<start + min(max(count, 0), byteCount - start))
    }

    /// Throws unless `range` lies inside the source.
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

    /// The number of bytes held.
    package var byteCount: Int { bytes.count }

    /// Returns the bytes of `range`; a request for all of them shares storage.
    package func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        try check(range)
        return range == bytes.indices ? bytes : Array(bytes[range])
    }
}
