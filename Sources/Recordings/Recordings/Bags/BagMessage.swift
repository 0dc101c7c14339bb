internal import Bytes

/// A message of a bag, while the bag is listed.
struct BagMessage {
    /// The store of its bytes, for decoding it later.
    enum Store {
        case file(StoredBytes)
        /// A compressed chunk; ranges are of its decompressed bytes.
        case chunk(BagChunk)
        case row(RowSource)
        /// A compressed message.
        case packed(PackedMessage)
    }

    /// The index of its topic in ``BagContents/topics``.
    var topic: Int
    /// The time of recording, in seconds.
    var time: Double
    /// Bytes that contain the message, for listing.
    var source: any ByteSource
    /// The range of the message in `source`.
    var range: Range<Int>
    var store: Store
    /// Its first bytes, as far as they are in memory already.
    var head: [UInt8] = []

    /// Copies up to `count` of its first bytes.
    func prefix(_ count: Int) throws(ContainerError) -> [UInt8] {
        let count = min(count, range.count)
        if count <= head.count { return Array(head[..<count]) }
        return try source.read(range.lowerBound..<range.lowerBound + count)
    }

    /// A range of the message as a part of a frame.
    func part(_ part: Range<Int>) -> any FramePart {
        let range = range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound
        return switch store {
        case .file(let file): BytesPart(file: file, range: range)
        case .chunk(let chunk): ChunkPart(chunk: chunk, range: range)
        case .row(let row): RowPart(source: row, range: range)
        case .packed(let message): PackedPart(message: message, range: range)
        }
    }

    /// The message itself, if it is compressed by itself: a message of ROS 2 never begins like a Zstandard frame.
    ///
    /// Its bytes are counted in `unpacked`.
    func unpacked(_ limits: DecodingLimits, _ unpacked: UnpackedBytes) throws(ContainerError) -> BagMessage {
        guard try prefix(4) == Packing.zstandardMark else { return self }
        var bytes: [UInt8] = []
        let message = try PackedMessage(
            part(0..<range.count), at: range.lowerBound, limits, unpacked, into: &bytes)
        return BagMessage(
            topic: topic, time: time, source: MemorySource(bytes), range: bytes.indices,
            store: .packed(message))
    }
}
