package import Bytes
package import Codecs

/// A file format that pictures are written in.
public enum PictureFormat: String, CaseIterable, Hashable, Sendable {
    /// JPEG: 8 bits, opaque, lossy.
    case jpeg
    /// Portable Network Graphics: 8 or 16 bits.
    case png
    /// TIFF: 8 or 16 bits.
    case tiff

    /// The format of a file name's extension, in upper or lower case.
    public init?(fileName: String) {
        switch fileName.pathExtension {
        case "jpg", "jpeg": self = .jpeg
        case "png": self = .png
        case "tif", "tiff": self = .tiff
        default: return nil
        }
    }

    /// The extension of files that are named automatically.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// Whether samples may have 16 bits.
    package var holds16Bits: Bool { self != .jpeg }
}

extension Raster {
    /// Writes a picture file to a seekable descriptor, which stays open. `quality` is for JPEG, 1…100.
    package func write(as format: PictureFormat, quality: Int, to descriptor: Int32)
        throws(WriteError)
    {
        switch format {
        case .jpeg: try writeJPEG(to: descriptor, quality: quality)
        case .png: try writePNG(to: descriptor)
        case .tiff: try writeTIFF(to: descriptor)
        }
    }
}
