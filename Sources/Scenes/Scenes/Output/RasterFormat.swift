package import Bytes
package import Codecs

/// A raster file format that planes are written in.
public enum RasterFormat: String, CaseIterable, Hashable, Sendable {
    /// Portable Network Graphics: integers of 8 or 16 bits.
    case png
    /// TIFF: Float32 in real units for depth, integers for the rest.
    case tiff
    /// OpenEXR: Float32 in real units in the channel `Z`, unit and camera as attributes.
    case exr
    /// Portable float map: Float32 in real units.
    case pfm
    /// NumPy array: Float32 in real units for depth, integers for the rest.
    case npy

    /// The format of a file name's extension, in upper or lower case.
    public init?(fileName: String) {
        switch fileName.pathExtension {
        case "png": self = .png
        case "tif", "tiff": self = .tiff
        case "exr": self = .exr
        case "pfm": self = .pfm
        case "npy": self = .npy
        default: return nil
        }
    }

    /// All names, separated by commas.
    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The extension of files that are named automatically.
    package var fileExtension: String { rawValue }
}

extension Raster {
    /// Writes a file of a format to a seekable descriptor, which stays open.
    package func write(as format: RasterFormat, to descriptor: Int32) throws(WriteError) {
        switch format {
        case .png: try writePNG(to: descriptor)
        case .tiff: try writeTIFF(to: descriptor)
        case .exr: try writeEXR(to: descriptor)
        case .pfm: try writePFM(to: descriptor)
        case .npy: try writeNPY(to: descriptor)
        }
    }
}
