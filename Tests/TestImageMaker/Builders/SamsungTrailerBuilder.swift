import TestSupport

/// Samsung's trailer (SEF): named blocks and their directory, for the end of a JPEG or the box `sefd` of a HEIC.
/// Little-endian, in the layout that exiftool reads.
struct SamsungTrailerBuilder {
    /// One block.
    struct Block {
        /// The kind of data, e.g. `0x0ab1` for a depth map.
        var type: UInt16
        /// Its name, ASCII.
        var name: String
        /// The bytes after the name.
        var data: [UInt8]
    }

    /// The blocks, in file order.
    var blocks: [Block]

    /// The blocks of a `DualShot` photo: a depth map, one byte per sample, and its size after `01 00 FF FF`.
    static func dualShot(depth: [UInt8], width: UInt32, height: UInt32) -> [Block] {
        let size = [1, 0, 0xFF, 0xFF] + littleEndian(Int(width)) + littleEndian(Int(height))
        return [
            Block(type: 0x0AB1, name: "DualShot_DepthMap_1", data: depth),
            Block(
                type: 0x0AB3, name: "DualShot_Extra_Info",
                data: littleEndian(0, 60) + size + littleEndian(0, 28)),
        ]
    }

    /// The blocks of a `SingleShot` photo: a depth map, and its size among named fields (`DOFS`, version 3).
    static func singleShot(depth: [UInt8], width: UInt32, height: UInt32) -> [Block] {
        let fields = [("segWidth", width), ("segHeight", height)].flatMap { name, value -> [UInt8] in
            [1, UInt8(name.utf8.count)] + name.utf8 + littleEndian(4, 2) + littleEndian(Int(value))
        }
        let head = Array("DOFS".utf8) + littleEndian(3) + littleEndian(0) + littleEndian(18 + fields.count)
        return [
            Block(type: 0x0B40, name: "SingleShot_Meta_Info", data: head + littleEndian(2, 2) + fields),
            Block(type: 0x0B41, name: "SingeShot_DepthMap_1", data: depth),
        ]
    }

    /// The bytes, ending in `SEFT`.
    func serialized() -> [UInt8] {
        var (bytes, starts): ([UInt8], [Int]) = ([], [])
        for block in blocks {
            starts.append(bytes.count)
            bytes += [0, 0] + littleEndian(Int(block.type), 2)
            bytes += littleEndian(block.name.utf8.count) + block.name.utf8 + block.data
        }
        let start = bytes.count
        var directory = Array("SEFH".utf8) + littleEndian(106) + littleEndian(blocks.count)
        for (block, (first, end)) in zip(blocks, zip(starts, starts.dropFirst() + [start])) {
            directory += [0, 0] + littleEndian(Int(block.type), 2)
            directory += littleEndian(start - first) + littleEndian(end - first)
        }
        return bytes + directory + littleEndian(directory.count) + Array("SEFT".utf8)
    }
}
