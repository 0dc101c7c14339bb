/// Bounds on what a file may ask for. Every parser and decoder takes one; nothing is allocated beyond it.
///
/// All are finite by default, and every real phone file seen needs less than half of each.
public struct DecodingLimits: Hashable, Sendable {
    /// The name of a limit, as in `--limit-NAME` and in errors.
    public enum Name: String, CaseIterable, Hashable, Sendable {
        /// Bytes of one input that is held in memory as a whole (a stream).
        case inputBytes = "input-bytes"
        /// Pixels of one image or plane.
        case pixels
        /// Coded bytes of one image or plane.
        case codedBytes = "coded-bytes"
        /// Bytes of one metadata block: a `meta` box, an Exif block, an ICC profile.
        case metadataBytes = "metadata-bytes"
        /// Bytes of one XMP packet.
        case xmpBytes = "xmp-bytes"
        /// Elements inside each other in XML.
        case xmlDepth = "xml-depth"
        /// Elements and attributes in one XMP packet.
        case xmlNodes = "xml-nodes"
        /// Items of a HEIF file.
        case items
        /// Properties of a HEIF file, and associations of one item.
        case properties
        /// Extents of one HEIF item.
        case extents
        /// References of a HEIF file, counting each target.
        case references
        /// Boxes, derived images or directories inside each other.
        case nesting
        /// Tiles of one grid image.
        case tiles
        /// Marker segments before the scan of one JPEG image.
        case segments
        /// Images in one JPEG file, or auxiliary images in one HEIF file.
        case images
        /// Entries of one TIFF directory.
        case directoryEntries = "directory-entries"
        /// Bytes of memory of a worker, and of a file it writes; counts with `--isolate` only.
        case memoryBytes = "memory-bytes"
        /// Seconds that a worker may take for one input; counts with `--isolate` only.
        case seconds

        /// What is counted, in the plural, for messages.
        public var noun: String {
            switch self {
            case .inputBytes: "bytes of input"
            case .codedBytes: "bytes of coded image data"
            case .metadataBytes: "bytes of metadata"
            case .xmpBytes: "bytes of XMP"
            case .xmlDepth: "nested XML elements"
            case .xmlNodes: "XML nodes"
            case .nesting: "nested structures"
            case .memoryBytes: "bytes of memory"
            case .directoryEntries: "directory entries"
            default: rawValue
            }
        }

        /// The value used unless another is given.
        public var defaultValue: Int {
            switch self {
            case .inputBytes: 1 << 30
            case .pixels: 500_000_000
            case .codedBytes: 1 << 29
            case .metadataBytes: 1 << 24
            case .xmpBytes: 1 << 26
            case .xmlDepth: 64
            case .xmlNodes: 100_000
            case .items: 10_000
            case .properties: 10_000
            case .extents: 10_000
            case .references: 20_000
            case .nesting: 16
            case .tiles: 4_096
            case .segments: 10_000
            case .images: 256
            case .directoryEntries: 4_096
            case .memoryBytes: 1 << 33
            case .seconds: 60
            }
        }
    }

    private var changed: [Name: Int] = [:]

    /// The default limits.
    public init() {}

    /// The value of a limit; negative values count as zero.
    public subscript(name: Name) -> Int {
        get { changed.isEmpty ? name.defaultValue : changed[name] ?? name.defaultValue }
        set { changed[name] = max(0, newValue) }
    }

    /// Throws ``ContainerError/Reason/limitExceeded(_:limit:requested:)`` when `requested` passes the limit.
    public func check(
        _ name: Name, _ requested: Int, at offset: Int, in path: StructurePath = StructurePath()
    ) throws(ContainerError) {
        let limit = self[name]
        guard requested <= limit else {
            throw ContainerError(
                .limitExceeded(name, limit: limit, requested: requested), at: offset, in: path)
        }
    }

    /// Checks the size of an image, and returns its number of pixels.
    public func pixelCount(
        width: Int, height: Int, at offset: Int, in path: StructurePath = StructurePath()
    ) throws(ContainerError) -> Int {
        guard width > 0, height > 0 else {
            throw ContainerError(
                .malformed(rule: "an image of \(width) × \(height) pixels has no samples"), at: offset,
                in: path)
        }
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow else { throw ContainerError(.arithmeticOverflow, at: offset, in: path) }
        try check(.pixels, count, at: offset, in: path)
        return count
    }
}
