internal import Bytes
internal import DepthTypes

/// The depth plane in portraits of Xiaomi, Redmi and POCO: `PMPD`. Numbers are little-endian.
///
/// From `TestImages/xiaomi-pmpd.jpg`:
///
/// ```
/// 504d 5044 0200 6400 0100 0000   "PMPD", versions
/// 3070 0000 106c 0000 …           at 16: 27 664 bytes of depth behind the padding
/// 8080 80 …                       at 32: 1024 bytes of padding
/// 0100 ffff c000 0000 9000 0000   at 1056: mark of the long form, 192 and 144; the short form has no mark
/// …                               the last 192 · 144 bytes of the depth: samples, the bottom row first
/// ```
///
/// Known only from one public script, and another that disagrees with it, so experimental. Files that mix confidence into the
/// samples (sectors of 1152 bytes, the first 128 of them a ramp) are recognized and not read.
enum XiaomiDepth: VendorReader {
    private static let path = StructurePath("PMPD")
    private static let mark = Array("PMPD".utf8) + [2, 0, 0x64, 0, 1, 0, 0, 0]

    static func discover(
        in file: inout JPEGFile, _ photo: DescribedPhoto
    ) throws(ContainerError) -> VendorDiscovery {
        var discovery = VendorDiscovery()
        guard try file.isWorthSearching(for: ["xiaomi", "redmi", "poco"], photo.photo) else {
            return discovery
        }
        let (bytes, start) = try file.searchableTail()
        guard let offset = bytes.lastIndex(of: mark, before: bytes.count) else { return discovery }
        var block = ByteCursor(bytes.span, base: start, path: path)
        block.byteOrder = .littleEndian
        try block.seek(to: offset + 16)
        let size = try block.readUInt32()
        try block.seek(to: offset + 1056)
        let first = try block.readUInt32()
        let width = first == 0xFFFF_0001 ? try block.readUInt32() : first
        let height = try block.readUInt32()
        let count = try file.limits.pixelCount(width: width, height: height, at: start + offset, in: path)
        guard size >= count, size <= bytes.count - offset - 1056 else {
            throw ContainerError(
                .malformed(
                    rule: "a depth plane of \(width) × \(height) in \(size) bytes does not fit the file"),
                at: start + offset, in: path)
        }
        let end = offset + 1056 + size
        discovery.trailerRange = start + offset..<start + end
        var plane = AuxiliaryPlane(
            raw: RawSamples(
                range: start + end - count..<start + end, width: width, height: height,
                orientation: .downMirrored),
            of: photo.photo, carrier: .xiaomi, type: "PMPD")
        plane.isExperimental = true
        if hasSectors(bytes[offset + 1056..<end], headSize: size - count) {
            plane.readError = ContainerError(
                .unsupported(feature: "a depth plane mixed with confidence"), at: start + end - count,
                in: path)
        }
        discovery.planes = [plane]
        return discovery
    }

    /// Whether the second sector starts with the ramp 0…127.
    private static func hasSectors(_ depth: ArraySlice<UInt8>, headSize: Int) -> Bool {
        let offset = 1152 - 128
        return depth.count >= offset + 128 && depth.dropFirst(offset).prefix(128).elementsEqual(0...127)
    }
}
