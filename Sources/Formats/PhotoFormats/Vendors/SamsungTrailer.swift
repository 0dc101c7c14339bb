internal import Bytes
internal import DepthTypes

/// Samsung's trailer (SEF) after a JPEG, or in the `sefd` box of a HEIC: named blocks, and a directory of them at the end.
/// All numbers are little-endian; offsets of blocks are measured backward from the directory.
///
/// From `TestImages/samsung-dualshot.jpg`:
///
/// ```
/// 0000 b10a 13000000 4475 616c … 705f 31   block of type 0x0ab1, a name of 19 bytes, "DualShot_DepthMap_1"
/// ff ff ff …                               27 648 samples, dark is near: the sky
/// 0000 b30a 13000000 4475 616c … 6e66 6f   type 0x0ab3, "DualShot_Extra_Info"
/// … 0100 ffff c0000000 90000000 …          behind 01 00 FF FF: 192 and 144
/// 53454648 6a000000 04000000               "SEFH", version 106, four blocks
/// 0000 0100 00b30000 43460000              type 1, 45 824 bytes before "SEFH", 17 987 bytes: the original
/// 0000 b10a bd6c0000 1b6c0000              type 0x0ab1, 27 837 bytes before, 27 675 bytes
/// 0000 b30a a2000000 7f000000              type 0x0ab3
/// 0000 010a 23000000 23000000              type 0x0a01, "Image_UTC_Data"
/// 3c000000 53454654                        60 bytes of directory, "SEFT"
/// ```
///
/// Samples of depth maps are dark where near; their unit is not known.
struct SamsungTrailer {
    struct Block {
        var type: Int
        var name: String
        /// The range after the name.
        var data: Range<Int>
        /// The range of the complete block.
        var range: Range<Int>
    }

    private(set) var blocks: [Block] = []
    /// From the start of the first block to the end of the mark.
    private(set) var range: Range<Int>
    private(set) var diagnostics: [Diagnostic] = []

    static let source = PlaneCarrier.samsung.rawValue
    static let path = StructurePath("SEF")

    /// Reads the directory whose mark, "SEFT", is at `mark`. The trailer starts at `floor` or later.
    init(
        _ source: any ByteSource, mark: Int, floor: Int, limits: DecodingLimits
    ) throws(ContainerError) {
        range = mark..<mark + 4
        guard mark - floor >= 16 else {
            throw ContainerError(.truncated(needed: 16, available: mark - floor), at: floor, in: Self.path)
        }
        let length = try Self.number(at: mark - 4, of: source)
        guard length >= 12, length <= mark - 4 - floor else {
            throw ContainerError(
                .malformed(rule: "directory declares \(length) bytes, not 12 to \(mark - 4 - floor)"),
                at: mark - 4, in: Self.path)
        }
        try limits.check(.metadataBytes, length, at: mark - 4, in: Self.path)
        let start = mark - 4 - length
        let bytes = try source.read(start..<mark - 4)
        var directory = ByteCursor(bytes.span, base: start, path: Self.path)
        guard directory.starts(with: "SEFH") else {
            throw directory.malformed("directory does not start with 'SEFH'")
        }
        directory.byteOrder = .littleEndian
        try directory.skip(8)
        let count = try directory.readUInt32()
        try limits.check(.trailerEntries, count, at: directory.offset, in: Self.path)
        range = start..<mark + 4
        for _ in 0..<count { try addBlock(&directory, start: start, floor: floor, source) }
    }

    /// Whether a block can begin at `offset`. A block begins with a zero, its type, the length of its name, and the name.
    static func startsBlock(at offset: Int, of source: any ByteSource) throws(ContainerError) -> Bool {
        let start = try source.readPrefix(at: offset, count: 9)
        guard start.count == 9 else { return false }
        var block = ByteCursor(start.span, base: offset, path: path)
        block.byteOrder = .littleEndian
        let (zero, type, length) = (try block.readUInt16(), try block.readUInt16(), try block.readUInt32())
        let letter = try block.readByte()
        return zero == 0 && type != 0 && (4...64).contains(length) && (0x41...0x7A).contains(letter)
    }

    /// Reads an entry of the directory that starts at `start`, and the name of its block. A block outside the file is
    /// reported.
    private mutating func addBlock(
        _ directory: inout ByteCursor, start: Int, floor: Int, _ source: any ByteSource
    ) throws(ContainerError) {
        let place = directory.offset
        try directory.skip(2)
        let type = try directory.readUInt16()
        let (back, size) = (try directory.readUInt32(), try directory.readUInt32())
        do throws(ContainerError) {
            guard back <= start - floor, size <= back else {
                throw ContainerError(
                    .malformed(
                        rule: "a block of \(size) bytes, \(back) before the directory, is not in the file"),
                    at: place, in: Self.path)
            }
            let block = try Self.block(type, start - back..<start - back + size, source)
            blocks.append(block)
            range = min(range.lowerBound, block.range.lowerBound)..<range.upperBound
        } catch {
            diagnostics.append(error)
        }
    }

    private static func block(
        _ type: Int, _ range: Range<Int>, _ source: any ByteSource
    ) throws(ContainerError) -> Block {
        let start = range.lowerBound
        guard range.count >= 8 else {
            throw ContainerError(.truncated(needed: 8, available: range.count), at: start, in: path)
        }
        let length = try number(at: start + 4, of: source)
        guard length <= min(range.count - 8, 1024) else {
            throw ContainerError(
                .malformed(rule: "block of \(range.count) bytes declares a name of \(length)"), at: start,
                in: path)
        }
        let name = String(decoding: try source.read(start + 8..<start + 8 + length), as: UTF8.self)
        return Block(type: type, name: name, data: start + 8 + length..<range.upperBound, range: range)
    }

    private static func number(at place: Int, of source: any ByteSource) throws(ContainerError) -> Int {
        try source.read(place..<place + 4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
