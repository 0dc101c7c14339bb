internal import ByteParsing

/// A part within a chunk of a bag; `range` is a range of the decompressed bytes.
struct ChunkPart: FramePart {
    let chunk: BagChunk
    let range: Range<Int>

    func read(
        into bytes: inout [UInt8], _ memory: inout StoreMemory, _ limits: DecodingLimits
    ) throws(ContainerError) {
        if memory.chunk?.chunk !== chunk {
            var unpacked = memory.chunk?.bytes ?? []
            memory.chunk = nil
            try chunk.bag.read(chunk.chunk, into: &unpacked)
            memory.chunk = (chunk, unpacked)
        }
        bytes.removeAll(keepingCapacity: true)
        if let unpacked = memory.chunk?.bytes, range.upperBound <= unpacked.count { bytes += unpacked[range] }
    }
}

/// A chunk of a bag with messages for frames.
final class BagChunk: Sendable {
    let bag: ROSBag
    let chunk: ROSBag.Chunk

    init(_ chunk: ROSBag.Chunk, of bag: ROSBag) {
        self.bag = bag
        self.chunk = chunk
    }
}
