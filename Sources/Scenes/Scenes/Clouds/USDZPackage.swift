internal import Codecs
internal import Geometry

/// A package of Universal Scene Description (`.usdz`): a zip archive whose files are stored as they are and begin at multiples of
/// 64 bytes, the scene first (OpenUSD, "Usdz File Format Specification").
struct USDZPackage {
    let bytes: [UInt8]

    private static let textureName = "photo.jpg"

    /// The package of a mesh and its texture, a JPEG file; empty for no texture. Throws if it would have 4 GiB or more.
    init(_ mesh: some MeshSource, texture: [UInt8]) throws(CloudError) {
        let scene = USDScene(mesh, textureName: texture.isEmpty ? nil : Self.textureName).crate
        var files = [(name: "scene.usdc", bytes: scene)]
        if !texture.isEmpty { files.append((Self.textureName, texture)) }
        let size = files.reduce(0) { $0 + $1.bytes.count + 256 }
        guard UInt32(exactly: size) != nil else { throw .tooLarge(.usdz, byteCount: size) }
        var archive: [UInt8] = []
        archive.reserveCapacity(size)
        var directory: [UInt8] = []
        for file in files { Self.append(file.name, file.bytes, to: &archive, &directory) }
        let start = archive.count
        archive += directory
        archive.append(numbers: [(0x0605_4B50, 4), (0, 2), (0, 2), (files.count, 2), (files.count, 2)])
        archive.append(numbers: [(directory.count, 4), (start, 4), (0, 2)])
        bytes = archive
    }

    /// Appends a stored file, and its entry in the directory.
    private static func append(
        _ name: String, _ content: [UInt8], to archive: inout [UInt8], _ directory: inout [UInt8]
    ) {
        let place = archive.count
        // An extra field pads to the next multiple of 64; its header has four bytes.
        let end = place + 30 + name.utf8.count + 4
        let padding = (64 - end % 64) % 64
        // Version 2.0, no flags, stored, 1 January 1980, check sum, sizes.
        let facts: [(Int, Int)] = [
            (20, 2), (0, 2), (0, 2), (0, 2), (0x21, 2), (Int(checksum(content)), 4), (content.count, 4),
            (content.count, 4), (name.utf8.count, 2),
        ]
        archive.append(numbers: [(0x0403_4B50, 4)] + facts + [(4 + padding, 2)])
        archive += name.utf8
        archive.append(numbers: [(0x1986, 2), (padding, 2)])
        archive += [UInt8](repeating: 0, count: padding)
        archive += content
        directory.append(numbers: [(0x0201_4B50, 4), (20, 2)] + facts)
        directory.append(numbers: [(0, 2), (0, 2), (0, 2), (0, 2), (0, 4), (place, 4)])
        directory += name.utf8
    }
}

extension [UInt8] {
    /// Appends numbers, least significant byte first, each in `size` bytes.
    fileprivate mutating func append(numbers: [(value: Int, size: Int)]) {
        for (value, size) in numbers {
            for byte in 0..<size { append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
    }
}
