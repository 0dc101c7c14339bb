internal import Bytes
internal import CInflateShims

/// Records of one size in one stream of raw deflate data (RFC 1951), decompressed one after another without storing them.
/// Only one thread at a time uses it: the thread of its decoder.
@safe final class DeflatedRecords: @unchecked Sendable {
    private let source: any ByteSource
    private let size: Int
    private let unpacked: UnpackedBytes
    private var inflater: OpaquePointer?
    /// The number of the next record.
    private var next = 0
    /// The offset of the next compressed bytes, and the bytes that were read.
    private var offset = 0
    private var packed: [UInt8] = []
    private var used = 0

    private static let path = StructurePath("deflate")
    private static let portion = 1 << 16

    /// The records, of `size` bytes each, in a file that is nothing but the stream. They are counted in `unpacked`.
    init(_ source: any ByteSource, size: Int, _ unpacked: UnpackedBytes) {
        self.source = source
        self.size = size
        self.unpacked = unpacked
    }

    deinit {
        if let inflater = unsafe inflater { unsafe isobath_inflater_free(inflater) }
    }

    /// Decompresses a record. For one before the last that was read, the stream starts again; records between are skipped.
    ///
    /// Throws if the stream ends before it, or is damaged.
    func read(_ index: Int, into bytes: inout [UInt8]) throws(ContainerError) {
        // Records before it are decompressed, too.
        try unpacked.count((index + 1) * size, onceFrom: 0)
        if bytes.count != size { bytes = [UInt8](repeating: 0, count: size) }
        if unsafe inflater == nil || index < next { try restart() }
        while next <= index {
            try fill(&bytes)
            next += 1
        }
    }

    private func restart() throws(ContainerError) {
        if let inflater = unsafe inflater { unsafe isobath_inflater_free(inflater) }
        unsafe inflater = isobath_inflater_create()
        (next, offset, used) = (0, 0, 0)
        packed.removeAll(keepingCapacity: true)
    }

    private func fill(_ bytes: inout [UInt8]) throws(ContainerError) {
        guard let inflater = unsafe inflater else {
            throw ContainerError(.damaged(detail: "zlib has no memory"))
        }
        var count = 0
        while count < size {
            if used == packed.count {
                packed = try source.readPrefix(at: offset, count: Self.portion)
                offset += packed.count
                used = 0
            }
            var (taken, written) = (0, 0)
            let (first, filled, size) = (used, count, size)
            let code = unsafe packed.withUnsafeBufferPointer { input in
                unsafe bytes.withUnsafeMutableBufferPointer { output in
                    // SAFETY: both offsets are inside, and the counts are the bytes after them.
                    unsafe isobath_inflater_run(
                        inflater, input.baseAddress.map { unsafe $0 + first }, input.count - first, &taken,
                        output.baseAddress.map { unsafe $0 + filled }, size - filled, &written)
                }
            }
            used += taken
            count += written
            guard code == 0 else {
                throw ContainerError(
                    .damaged(detail: "the stream is damaged in record \(next)"), at: offset, in: Self.path)
            }
            guard taken > 0 || written > 0 else {
                throw ContainerError(
                    .truncated(needed: (next + 1) * size, available: next * size + count), at: offset,
                    in: Self.path)
            }
        }
    }
}
