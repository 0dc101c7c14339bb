/// A file format of point clouds.
public enum CloudFormat: String, CaseIterable, Hashable, Sendable {
    /// Polygon File Format: binary little-endian, or text.
    case ply

    /// The format that a file name's extension names, in any case.
    public init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: "."), !fileName[dot...].contains("/") else { return nil }
        self.init(rawValue: fileName[fileName.index(after: dot)...].lowercased())
    }

    /// All extensions in words.
    public static var names: String { allCases.map { ".\($0.rawValue)" }.joined(separator: ", ") }

    /// An encoder for a cloud in this format; as text, where the format can be.
    public func encoder(_ header: CloudHeader, isText: Bool) -> any CloudEncoder {
        switch self {
        case .ply: PLYEncoder(header, isText: isText)
        }
    }
}
