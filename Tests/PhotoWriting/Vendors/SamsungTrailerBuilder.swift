@testable package import PhotoWriting

/// Samsung's trailer (SEF): named blocks and their directory, for the end of a JPEG or the box `sefd` of a HEIC.
/// Little-endian, in the layout that exiftool reads.
package struct SamsungTrailerBuilder: Hashable, Sendable {
    /// One block.
    package struct Block: Hashable, Sendable {
        /// The kind of data, e.g. `0x0ab1` for a depth map.
        package var type: UInt16
        /// Its name, ASCII.
        package var name: String
        /// The bytes after the name.
        package var data: [UInt8]

        /// A block with these parts.
        package init(type: UInt16, name: String, data: [UInt8]) {
            (self.type, self.name, self.data) = (type, name, data)
        }
    }

    /// The blocks, in file order.
    package var blocks: [Block]

    /// A trailer of these blocks.
    package init(_ blocks: [Block]) {
        self.blocks = blocks
    }

    /// The blocks of a `DualShot` photo: a depth map, one byte per sample, and its size after `01 00 FF FF`.
    package static func dualShot(depth: [UInt8], width: UInt32, height: UInt32) -> [Block] {
        var extra = LittleEndianWriter()
        extra.append([UInt8](repeating: 0, count: 60))
        extra.append([1, 0, 0xFF, 0xFF])
        extra.append(width)
        extra.append(height)
        extra.append([UInt8](repeating: 0, count: 28))
        return [
            Block(type: 0x0AB1, name: "DualShot_DepthMap_1", data: depth),
            Block(type: 0x0AB3, name: "DualShot_Extra_Info", data: extra.bytes),
        ]
    }

    /// The blocks of a `SingleShot` photo: a depth map, and its size among named fields (`DOFS`, version 3).
    package static func singleShot(depth: [UInt8], width: UInt32, height: UInt32) -> [Block] {
        var fields = LittleEndianWriter()
        for (name, value) in [("segWidth", width), ("segHeight", height)] {
            fields.append([1, UInt8(name.utf8.count)])
            fields.append(name.utf8)
            fields.append(UInt16(4))
            fields.append(value)
        }
        var meta = LittleEndianWriter()
        meta.append("DOFS".utf8)
        meta.append(UInt32(3))
        meta.append(UInt32(0))
        meta.append(UInt32(18 + fields.bytes.count))
        meta.append(UInt16(2))
        meta.append(fields.bytes)
        return [
            Block(type: 0x0B40, name: "SingleShot_Meta_Info", data: meta.bytes),
            Block(type: 0x0B41, name: "SingeShot_DepthMap_1", data: depth),
        ]
    }

    /// The bytes, ending in `SEFT`.
    package func serialized() throws(ContainerWritingError) -> [UInt8] {
        var writer = LittleEndianWriter()
        var starts: [Int] = []
        for block in blocks {
            starts.append(writer.bytes.count)
            writer.append(UInt16(0))
            writer.append(block.type)
            writer.append(try narrow(block.name.utf8.count, to: UInt32.self, field: "SEF name length"))
            writer.append(block.name.utf8)
            writer.append(block.data)
        }
        let directory = writer.bytes.count
        writer.append("SEFH".utf8)
        writer.append(UInt32(106))
        writer.append(try narrow(blocks.count, to: UInt32.self, field: "SEF block count"))
        for (block, (start, end)) in zip(blocks, zip(starts, starts.dropFirst() + [directory])) {
            writer.append(UInt16(0))
            writer.append(block.type)
            writer.append(try narrow(directory - start, to: UInt32.self, field: "SEF offset"))
            writer.append(try narrow(end - start, to: UInt32.self, field: "SEF size"))
        }
        writer.append(UInt32(writer.bytes.count - directory))
        writer.append("SEFT".utf8)
        return writer.bytes
    }
}
