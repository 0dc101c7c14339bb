internal import Bytes
internal import DepthTypes

extension SamsungTrailer: VendorReader {
    /// Searches for the mark in the last bytes of a JPEG; other trailers may follow it.
    static func discover(
        in file: inout JPEGFile, _ photo: DescribedPhoto
    ) throws(ContainerError) -> VendorDiscovery {
        let tail = try file.tail()
        guard let offset = tail.lastIndex(of: Array("SEFT".utf8), before: tail.count) else {
            return VendorDiscovery()
        }
        let mark = file.source.byteCount - tail.count + offset
        let trailer = try SamsungTrailer(
            file.source, mark: mark, floor: file.header.scan, limits: file.limits)
        return trailer.discovery(photo.photo, file.source, file.limits)
    }

    /// The planes among the blocks, and the blocks that are only listed.
    func discovery(
        _ photo: PhotoDescription, _ file: any ByteSource, _ limits: DecodingLimits
    ) -> VendorDiscovery {
        var found = VendorDiscovery()
        found.trailerRange = range
        found.diagnostics = diagnostics
        let dualShot = sizes(in: 0x0AB3, file, limits, Self.dualShotSizes)
        let singleShot = sizes(in: 0x0B40, file, limits, Self.singleShotSizes)
        for block in blocks {
            do throws(ContainerError) {
                switch block.type {
                case 0x0AB1: found.planes.append(depthPlane(block, try dualShot.get(), photo))
                case 0x0B41: found.planes.append(depthPlane(block, try singleShot.get(), photo))
                case 0x0001 where try isJPEG(block, file):
                    found.planes.append(
                        try AuxiliaryPlane(
                            jpeg: block.data, kind: .original, of: photo, carrier: .samsung,
                            type: block.typeText, in: file, limits: limits))
                default: found.trailers.append(listed(block))
                }
            } catch {
                found.diagnostics.append(error)
                found.trailers.append(listed(block))
            }
        }
        return found
    }

    private func listed(_ block: Block) -> FileTrailer {
        FileTrailer(source: Self.source, type: block.typeText, name: block.name, range: block.range)
    }

    private func isJPEG(_ block: Block, _ file: any ByteSource) throws(ContainerError) -> Bool {
        try file.readPrefix(at: block.data.lowerBound, count: 3) == [0xFF, 0xD8, 0xFF]
    }

    /// The sizes of depth maps in the first 4 KiB of each block of a type. A directory may name the same data many times, so
    /// the limit applies to all of these blocks together.
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

    /// A depth map. Its size is in another block, and must match the number of its samples. Width and height have the same
    /// order as the photo's.
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
                raw: RawSamples(range: block.data, width: 0, height: 0), of: photo, carrier: .samsung,
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
        return AuxiliaryPlane(raw: samples, of: photo, carrier: .samsung, type: block.typeText)
    }

    /// The two numbers after `[01…09] 00 FF FF`, a mark at a multiple of 4 in bytes 32 to 95.
    static func dualShotSizes(_ bytes: [UInt8]) -> [(Int, Int)] {
        var sizes: [(Int, Int)] = []
        for offset in stride(from: 32, through: min(92, bytes.count - 12), by: 4) {
            guard (1...9).contains(bytes[offset]), bytes[offset + 1] == 0, bytes[offset + 2] == 0xFF,
                bytes[offset + 3] == 0xFF
            else { continue }
            sizes.append((number(bytes[offset + 4..<offset + 8]), number(bytes[offset + 8..<offset + 12])))
        }
        return sizes
    }

    /// Pairs of `…Width` and `…Height` among the fields: text of the form `name=number`, or version 3 of `DOFS`: names after
    /// a length of one byte, values after a length of two.
    static func singleShotSizes(_ bytes: [UInt8]) -> [(Int, Int)] {
        var fields = bytes.starts(with: "DOFS".utf8) ? binaryFields(bytes) : [:]
        let texts = bytes.split { !(0x21..<0x7F).contains($0) || $0 == 0x2C || $0 == 0x3B }
        for text in texts {
            let parts = text.split(separator: UInt8(ascii: "="))
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
        var offset = 18
        while offset + 2 < bytes.count {
            let nameEnd = offset + 2 + Int(bytes[offset + 1])
            guard nameEnd + 2 <= bytes.count else { break }
            let length = number(bytes[nameEnd..<nameEnd + 2])
            guard nameEnd + 2 + length <= bytes.count else { break }
            if length == 4 {
                let name = String(decoding: bytes[offset + 2..<nameEnd], as: UTF8.self)
                fields[name] = number(bytes[nameEnd + 2..<nameEnd + 6])
            }
            offset = nameEnd + 2 + length
        }
        return fields
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension SamsungTrailer.Block {
    /// The type as tables of Samsung's blocks spell it.
    fileprivate var typeText: String {
        let digits = String(type, radix: 16)
        return "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
