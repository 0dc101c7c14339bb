/// A file format that holds one plain raster, or several to choose from. The raw value is its name in JSON.
package enum RasterFileFormat: String, CaseIterable, Hashable, Sendable {
    /// Portable Network Graphics.
    case png
    /// TIFF and BigTIFF.
    case tiff
    /// OpenEXR.
    case exr
    /// Portable float map.
    case pfm
    /// Portable gray map, binary.
    case pgm
    /// Portable pixel map, binary.
    case ppm
    /// One NumPy array.
    case npy
    /// NumPy arrays in a ZIP archive.
    case npz
    /// A dense map of COLMAP.
    case colmap

    /// Recognizes a file by its first bytes, at most 16; `nil` for any other file.
    package init?(recognizing start: [UInt8]) {
        for (format, signature) in Self.signatures where start.starts(with: signature) {
            self = format
            return
        }
        if Self.colmapHeader(start) != nil {
            self = .colmap
            return
        }
        guard start.count >= 3, start[0] == UInt8(ascii: "P"), Self.endsMagicNumber(start[2]) else {
            return nil
        }
        switch start[1] {
        case UInt8(ascii: "f"), UInt8(ascii: "F"): self = .pfm
        case UInt8(ascii: "2"), UInt8(ascii: "5"): self = .pgm
        case UInt8(ascii: "3"), UInt8(ascii: "6"): self = .ppm
        default: return nil
        }
    }

    private static let signatures: [(RasterFileFormat, [UInt8])] = [
        (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        (.tiff, [0x49, 0x49, 42, 0]), (.tiff, [0x4D, 0x4D, 0, 42]),
        (.tiff, [0x49, 0x49, 43, 0]), (.tiff, [0x4D, 0x4D, 0, 43]),
        (.exr, [0x76, 0x2F, 0x31, 0x01]),
        (.npy, [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59]),
        (.npz, [0x50, 0x4B, 0x03, 0x04]), (.npz, [0x50, 0x4B, 0x05, 0x06]),
    ]

    private static func endsMagicNumber(_ byte: UInt8) -> Bool {
        isHeaderSpace(byte) || byte == UInt8(ascii: "#")
    }
}
