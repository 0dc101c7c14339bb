internal import ByteParsing
internal import DepthModel

/// Samsung's trailer (SEF) behind a JPEG, or in the `sefd` box of a HEIC: named blocks, and a directory of them at the
/// end. All numbers are little-endian; blocks are found backward from the directory.
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
/// What the samples of depth maps mean in meters is not known; that dark is near is.
struct SamsungTrailer: JPEGPlaneSource {
    /// A block of the trailer.
    struct Block {
        var type: Int
        var name: String
        /// The bytes behind the name.
        var data: Range<Int>
        /// All of it.
        var range: Range<Int>
    }

    private(set) var blocks: [Block] = []
    /// Where the first block starts, and where the mark at the end ends.
    private(set) var range: Range<Int>
    private(set) var diagnostics: [Diagnostic] = []

    private static let source = "samsung-sef"
    private static let path = StructurePath("SEF")

    /// Reads the directory whose mark, "SEFT", stands at `mark`; nothing of the trailer stands before `floor`.
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
                .malformed(rule: "a directory of \(length) bytes does not fit in front of its end"),
                at: mark - 4, in: Self.path)
        }
        try limits.check(.metadataBytes, length, at: mark - 4, in: Self.path)
        let start = mark - 4 - length
        let bytes = try source.read(start..<mark - 4)
        var directory = ByteCursor(bytes.span, base: start, path: Self.path)
        guard directory.starts(with: "SEFH") else {
            throw directory.malformed("a directory starts with 'SEFH'")
        }
        directory.byteOrder = .littleEndian
        try directory.skip(8)
        let count = try directory.readUInt32()
        try limits.check(.trailerEntries, count, at: directory.offset, in: Self.path)
        range = start..<mark + 4
        for _ in 0..<count {
            let place = directory.offset
            try directory.skip(2)
            let type = try directory.readUInt16()
            let (back, size) = (try directory.readUInt32(), try directory.readUInt32())
            do throws(ContainerError) {
                guard back <= start - floor, size <= back else {
                    throw ContainerError(
                        .malformed(
                            rule: "a block of \(size) bytes, \(back) before the directory, is not in the file"
                        ),
                        at: place, in: Self.path)
                }
                let block = try Self.block(type, start - back..<start - back + size, source)
                blocks.append(block)
                range = min(range.lowerBound, block.range.lowerBound)..<range.upperBound
            } catch {
                diagnostics.append(error)
            }
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
                .malformed(rule: "a block of \(range.count) bytes has a name of \(length)"), at: start,
                in: path)
        }
        let name = String(decoding: try source.read(start + 8..<start + 8 + length), as: UTF8.self)
        return Block(type: type, name: name, data: start + 8 + length..<range.upperBound, range: range)
    }

    private static func number(at place: Int, of source: any ByteSource) throws(ContainerError) -> Int {
        try source.read(place..<place + 4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension SamsungTrailer {
    /// Looks for the mark in the last bytes of a JPEG; other trailers may stand behind it.
    static func look(_ file: inout JPEGFile, _ photo: inout JPEGContainer) throws(ContainerError) {
        let tail = try file.tail()
        guard let place = tail.lastIndex(of: Array("SEFT".utf8), before: tail.count) else { return }
        let mark = file.source.byteCount - tail.count + place
        let trailer = try SamsungTrailer(
            file.source, mark: mark, floor: file.header.scan, limits: file.limits)
        file.knownTrailer = trailer.range
        let found = trailer.described(photo.photo, file.source, file.limits)
        for plane in found.planes { photo.add(plane) }
        for block in found.trailers { photo.add(block) }
        for finding in trailer.diagnostics + found.diagnostics { photo.add(finding) }
    }

    /// What the blocks are: planes, and those that are only listed.
    func described(
        _ photo: PhotoDescription, _ file: any ByteSource, _ limits: DecodingLimits
    ) -> (planes: [AuxiliaryPlane], trailers: [FileTrailer], diagnostics: [Diagnostic]) {
        var planes: [AuxiliaryPlane] = []
        var trailers: [FileTrailer] = []
        var diagnostics: [Diagnostic] = []
        let dualShot = sizes(in: 0x0AB3, file, limits, Self.dualShotSizes)
        let singleShot = sizes(in: 0x0B40, file, limits, Self.singleShotSizes)
        for block in blocks {
            do throws(ContainerError) {
                switch block.type {
                case 0x0AB1: planes.append(depthPlane(block, try dualShot.get(), photo))
                case 0x0B41: planes.append(depthPlane(block, try singleShot.get(), photo))
                case 0x0001 where try isJPEG(block, file):
                    planes.append(
                        try AuxiliaryPlane(
                            jpeg: block.data, kind: .original, of: photo, source: Self.source,
                            type: block.typeText, in: file, limits: limits))
                default: trailers.append(listed(block))
                }
            } catch {
                diagnostics.append(error)
                trailers.append(listed(block))
            }
        }
        return (planes, trailers, diagnostics)
    }

    private func listed(_ block: Block) -> FileTrailer {
        FileTrailer(source: Self.source, type: block.typeText, name: block.name, range: block.range)
    }

    private func isJPEG(_ block: Block, _ file: any ByteSource) throws(ContainerError) -> Bool {
        try file.readPrefix(at: block.data.lowerBound, count: 3) == [0xFF, 0xD8, 0xFF]
    }

    /// The sizes of depth maps that the blocks of a type give, of which the first 4 KiB count: a directory may name the
    /// same data many times. The limit counts for all of these together.
    private func sizes(
        in type: Int, _ file: any ByteSource, _ limits: DecodingLimits, _ found: ([UInt8]) -> [(Int, Int)]
    ) -> Result<[(Int, Int)], ContainerError> {
        var sizes: [(Int, Int)] = []
        var total = 0
        do throws(ContainerError) {
            for block in blocks where block.type == type {
                total += block.data.count
                try limits.check(.metadataBytes, total, at: block.data.lowerBound, in: Self.path)
                let count = min(block.data.count, 4096)
                sizes += found(try file.readPrefix(at: block.data.lowerBound, count: count))
            }
        } catch {
            return .failure(error)
        }
        return .success(sizes)
    }

    /// A depth map; its size stands in another block, and must be that of its data. Where only the order of width and
    /// height is in doubt, the one with the photo's aspect is right.
    private func depthPlane(
        _ block: Block, _ sizes: [(Int, Int)], _ photo: PhotoDescription
    ) -> AuxiliaryPlane {
        let count = block.data.count
        guard
            let size = sizes.first(where: { size in
                let (product, overflow) = size.0.multipliedReportingOverflow(by: size.1)
                return !overflow && product == count && size.0 > 0 && size.1 > 0
            })
        else {
            let found = sizes.prefix(4).map { "\($0.0) × \($0.1)" }.joined(separator: ", ")
            var plane = AuxiliaryPlane(
                raw: RawSamples(range: block.data, width: 0, height: 0), of: photo, source: Self.source,
                type: block.typeText)
            plane.readError = ContainerError(
                .malformed(
                    rule: "the depth map has \(count) samples, and the file gives "
                        + (found.isEmpty ? "no size" : "the size \(found)")), at: block.data.lowerBound,
                in: Self.path)
            return plane
        }
        let isTall = photo.height > photo.width
        let (short, long) = (min(size.0, size.1), max(size.0, size.1))
        let samples = RawSamples(
            range: block.data, width: isTall ? short : long, height: isTall ? long : short)
        return AuxiliaryPlane(raw: samples, of: photo, source: Self.source, type: block.typeText)
    }

    /// The two numbers behind `[01…09] 00 FF FF`, which ends at a multiple of 4 in bytes 32 to 95.
    static func dualShotSizes(_ bytes: [UInt8]) -> [(Int, Int)] {
        var sizes: [(Int, Int)] = []
        for place in stride(from: 32, through: min(92, bytes.count - 12), by: 4) {
            guard (1...9).contains(bytes[place]), bytes[place + 1] == 0, bytes[place + 2] == 0xFF,
                bytes[place + 3] == 0xFF
            else { continue }
            sizes.append((number(bytes[place + 4..<place + 8]), number(bytes[place + 8..<place + 12])))
        }
        return sizes
    }

    /// Pairs of `…Width` and `…Height` among the fields: text of the form `name=number`, or version 3 of `DOFS`:
    /// names behind a byte of length, values behind two.
    static func singleShotSizes(_ bytes: [UInt8]) -> [(Int, Int)] {
        var fields = bytes.starts(with: "DOFS".utf8) ? binaryFields(bytes) : [:]
        let words = bytes.split { !(0x21..<0x7F).contains($0) || $0 == 0x2C || $0 == 0x3B }
        for word in words {
            let parts = word.split(separator: UInt8(ascii: "="))
            guard parts.count == 2, let value = Int(String(decoding: parts[1], as: UTF8.self)) else {
                continue
            }
            fields[String(decoding: parts[0], as: UTF8.self)] = value
        }
        return ["seg", "depthSW", "depthHW", "output", "input"].compactMap { name in
            guard let width = fields[name + "Width"], let height = fields[name + "Height"] else { return nil }
            return (width, height)
        }
    }

    private static func binaryFields(_ bytes: [UInt8]) -> [String: Int] {
        var fields: [String: Int] = [:]
        var place = 18
        while place + 2 < bytes.count {
            let nameEnd = place + 2 + Int(bytes[place + 1])
            guard nameEnd + 2 <= bytes.count else { break }
            let length = number(bytes[nameEnd..<nameEnd + 2])
            guard nameEnd + 2 + length <= bytes.count else { break }
            if length == 4 {
                let name = String(decoding: bytes[place + 2..<nameEnd], as: UTF8.self)
                fields[name] = number(bytes[nameEnd + 2..<nameEnd + 6])
            }
            place = nameEnd + 2 + length
        }
        return fields
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension SamsungTrailer.Block {
    /// The type as makers' tables spell it.
    fileprivate var typeText: String {
        let digits = String(type, radix: 16)
        return "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
