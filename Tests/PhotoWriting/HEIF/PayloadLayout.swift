@testable internal import PhotoWriting

/// Where each payload is inside `mdat` and `idat`, and how wide the offsets and lengths must be.
struct PayloadLayout: Sendable {
    /// `construction_method` of ISO/IEC 14496-12 §8.11.3.
    enum Method: UInt16, Sendable {
        case fileOffset = 0
        case itemData = 1
    }

    struct Extent: Sendable, Equatable {
        var id: ItemID
        var method: Method
        /// Relative to the first byte of the `mdat` or `idat` payload.
        var offset: Int
        var length: Int
    }

    private(set) var extents: [Extent] = []
    private(set) var mediaDataSize = 0
    private(set) var itemDataSize = 0

    mutating func place(_ id: ItemID, method: Method, byteCount: Int) {
        switch method {
        case .fileOffset:
            extents.append(Extent(id: id, method: method, offset: mediaDataSize, length: byteCount))
            mediaDataSize += byteCount
        case .itemData:
            extents.append(Extent(id: id, method: method, offset: itemDataSize, length: byteCount))
            itemDataSize += byteCount
        }
    }

    /// The header of the `mdat` box: 8 bytes, or 16 once the box needs a 64-bit size.
    var mediaDataHeader: [UInt8] {
        var writer = ByteWriter()
        if let size = UInt32(exactly: mediaDataSize + 8) {
            writer.append(size)
            writer.append("mdat" as FourCC)
        } else {
            writer.append(UInt32(1))
            writer.append("mdat" as FourCC)
            writer.append(UInt64(mediaDataSize) + 16)
        }
        return writer.bytes
    }

    /// 4 bytes for each offset and length, or 8 if the file is too large for that.
    func fieldSize(mediaDataStart: Int) -> Int {
        mediaDataStart + mediaDataSize <= Int(UInt32.max) ? 4 : 8
    }

    /// Appends `iloc`: version 0 if every payload is in `mdat`, 1 if some are in `idat`, 2 for wide numbers.
    func append(
        to writer: inout ByteWriter, mediaDataStart: Int, fieldSize: Int, wideIDs: Bool
    ) throws(ContainerWritingError) {
        let hasMethod = wideIDs || itemDataSize > 0 || extents.contains { $0.method == .itemData }
        try writer.appendFullBox("iloc", version: wideIDs ? 2 : hasMethod ? 1 : 0) {
            writer throws(ContainerWritingError) in
            writer.append(UInt8(fieldSize << 4 | fieldSize))  // offset_size, length_size
            writer.append(UInt8(0))  // base_offset_size, index_size
            writer.append(extents.count, byteCount: wideIDs ? 4 : 2)
            for extent in extents.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
                let start = extent.method == .fileOffset ? mediaDataStart : 0
                writer.append(Int(extent.id.rawValue), byteCount: wideIDs ? 4 : 2)
                if hasMethod { writer.append(extent.method.rawValue) }
                writer.append(UInt16(0))  // data_reference_index: this file
                writer.append(UInt16(1))  // extent_count
                writer.append(start + extent.offset, byteCount: fieldSize)
                writer.append(extent.length, byteCount: fieldSize)
            }
        }
    }
}
