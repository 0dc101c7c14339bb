internal import ImageCodecs

/// A raster file format that planes are written in.
public enum RasterFormat: String, CaseIterable, Hashable, Sendable {
    /// Portable Network Graphics: integers of 8 or 16 bits.
    case png
    /// TIFF: Float32 in real units for depth, integers for the rest.
    case tiff

    /// The format that a file name's extension names, in any case.
    public init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: "."), !fileName[dot...].contains("/") else { return nil }
        switch fileName[fileName.index(after: dot)...].lowercased() {
        case "png": self = .png
        case "tif", "tiff": self = .tiff
        default: return nil
        }
    }

    /// The extension of files that are named automatically.
    public var fileExtension: String { rawValue }
}
