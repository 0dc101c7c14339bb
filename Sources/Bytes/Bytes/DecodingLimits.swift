/// Bounds for parsers and decoders. Every parser and decoder takes a value of this type, and allocates nothing beyond it.
///
/// All are finite by default, and every real phone file seen needs less than half of each. The error for exceeding one has
/// its name, its value and what the file needs.
///
/// | limit | what is limited | default |
/// |---|---|---|
/// | `input-bytes` | bytes read from a file, counting repeated reads; for a stream, its length | 2 GiB |
/// | `unpacked-bytes` | bytes that a file is decompressed to, each counted once: such as chunks of a bag | 1 GiB, or 64 times the file's size if that is more |
/// | `name-bytes` | bytes of all names and paths in one list of a file: topics, frames of coordinates, members, channels, lines with file names; and in one folder | 64 MiB |
/// | `memory-bytes` | memory for decoding one image: coded bytes, samples, the decoder's own; for fusing frames, voxels and mesh; for the tool's isolated process, all of its memory | 8 GiB |
/// | `seconds` | seconds that a network may take for one picture, and the tool's isolated process for one input | 60 |
/// | `pixels` | pixels of one image or plane | 500,000,000 |
/// | `coded-bytes` | coded bytes of one image or plane | 512 MiB |
/// | `metadata-bytes` | bytes of one metadata block: a `meta` box, an Exif block, an ICC profile, JSON | 16 MiB |
/// | `xmp-bytes` | bytes of one XMP packet; in HEIF, of all packets of planes | 64 MiB |
/// | `xml-depth` | elements inside each other in XMP | 64 |
/// | `xml-nodes` | elements and attributes of one XMP packet | 100,000 |
/// | `base64-bytes` | characters of one image or table in base64 in XMP | 32 MiB |
/// | `items` | items of a HEIF file, boxes beside each other, members of a ZIP archive | 10,000 |
/// | `properties` | properties of a HEIF file, and associations of one item | 10,000 |
/// | `extents` | extents of one HEIF item | 10,000 |
/// | `references` | references of a HEIF file, each target counted | 20,000 |
/// | `nesting` | boxes, derived images or JSON values inside each other | 16 |
/// | `tiles` | tiles of a grid, strips or tiles of a DNG image | 4,096 |
/// | `segments` | marker segments before the scan of a JPEG image, chunks of a PNG file, NAL units of an HEVC image | 10,000 |
/// | `scans` | scans of one JPEG image; each may cost as much time as all samples | 200 |
/// | `images` | images in one JPEG or JPEG XL file, auxiliary images in HEIF, directories in TIFF | 256 |
/// | `directory-entries` | entries of one TIFF or Exif directory | 4,096 |
/// | `trailer-entries` | entries of the directory that a vendor stores after a photo | 1,024 |
/// | `model-bytes` | bytes of a network's file | 2 GiB |
/// | `tensor-bytes` | bytes of one tensor that a network takes or gives | 512 MiB |
/// | `frames` | frames of a recording, and lines of a list of frames or poses | 2,000,000 |
public struct DecodingLimits: Hashable, Sendable {
    /// The name of a limit, as in errors.
    public enum Name: String, CaseIterable, Hashable, Sendable {
        /// Bytes read from a file, counting repeated reads; for a stream, its length.
        case inputBytes = "input-bytes"
        /// Bytes that a file is decompressed to, each counted once. The default is raised to 64 times the file's size.
        case unpackedBytes = "unpacked-bytes"
        /// Bytes of all names and paths in one list: topics, frames of coordinates, members of an archive, files of a folder.
        ///
        /// It limits a sum: `items` times `metadata-bytes`, which limit the number of names and the size of each, would be 160 GB.
        case nameBytes = "name-bytes"
        /// Pixels of one image or plane.
        case pixels
        /// Coded bytes of one image or plane.
        case codedBytes = "coded-bytes"
        /// Bytes of one metadata block: a `meta` box, an Exif block, an ICC profile, JSON.
        case metadataBytes = "metadata-bytes"
        /// Bytes of one XMP packet; in HEIF, of all packets of planes.
        case xmpBytes = "xmp-bytes"
        /// Elements inside each other in XML.
        case xmlDepth = "xml-depth"
        /// Elements and attributes in one XMP packet.
        case xmlNodes = "xml-nodes"
        /// Characters of one image or table in base64 in XMP.
        case base64Bytes = "base64-bytes"
        /// Items of a HEIF file, boxes beside each other, members of a ZIP archive.
        case items
        /// Properties of a HEIF file, and associations of one item.
        case properties
        /// Extents of one HEIF item.
        case extents
        /// References of a HEIF file, counting each target.
        case references
        /// Boxes, derived images or JSON values inside each other.
        case nesting
        /// Tiles of a grid, strips or tiles of a DNG image.
        case tiles
        /// Marker segments before the scan of a JPEG image, chunks of a PNG file, NAL units of an HEVC image.
        case segments
        /// Scans of one JPEG image.
        case scans
        /// Images in one JPEG or JPEG XL file, auxiliary images in HEIF, directories in TIFF.
        case images
        /// Entries of one TIFF or Exif directory.
        case directoryEntries = "directory-entries"
        /// Entries of the directory that a vendor stores after a photo.
        case trailerEntries = "trailer-entries"
        /// Frames of a recording, and lines of a list of frames or poses.
        case frames
        /// Bytes of a network's file.
        case modelBytes = "model-bytes"
        /// Bytes of one tensor that a network takes or gives.
        case tensorBytes = "tensor-bytes"
        /// Bytes of memory for decoding one image, and for fusing frames; for the tool's isolated process, all of its memory, and each file
        /// that it writes.
        case memoryBytes = "memory-bytes"
        /// Seconds that a network may take for one picture, and the tool's isolated process for one input.
        case seconds

        /// The counted unit, in the plural, for messages.
        public var noun: String {
            switch self {
            case .inputBytes: "bytes of input"
            case .unpackedBytes: "unpacked bytes"
            case .nameBytes: "bytes of names"
            case .codedBytes: "bytes of coded image data"
            case .metadataBytes: "bytes of metadata"
            case .xmpBytes: "bytes of XMP"
            case .xmlDepth: "nested XML elements"
            case .xmlNodes: "XML nodes"
            case .base64Bytes: "bytes of base64"
            case .nesting: "nested structures"
            case .modelBytes: "bytes of a network"
            case .tensorBytes: "bytes of a tensor"
            case .memoryBytes: "bytes of memory"
            case .directoryEntries: "directory entries"
            case .trailerEntries: "trailer entries"
            default: rawValue
            }
        }

        /// The default value.
        public var defaultValue: Int {
            switch self {
            case .inputBytes: 1 << 31
            case .unpackedBytes: 1 << 30
            case .nameBytes: 1 << 26
            case .pixels: 500_000_000
            case .codedBytes: 1 << 29
            case .metadataBytes: 1 << 24
            case .xmpBytes: 1 << 26
            case .xmlDepth: 64
            case .xmlNodes: 100_000
            case .base64Bytes: 1 << 25
            case .items: 10_000
            case .properties: 10_000
            case .extents: 10_000
            case .references: 20_000
            case .nesting: 16
            case .tiles: 4_096
            case .segments: 10_000
            case .scans: 200
            case .images: 256
            case .directoryEntries: 4_096
            case .trailerEntries: 1_024
            case .frames: 2_000_000
            case .modelBytes: 1 << 31
            case .tensorBytes: 1 << 29
            case .memoryBytes: 1 << 33
            case .seconds: 60
            }
        }

        /// The largest value. Readers of nested structures are recursive, and deeper nesting would overflow the stack.
        public var maximum: Int { self == .nesting ? 256 : .max }
    }

    private var changed: [Name: Int] = [:]

    /// The default limits.
    public init() {}

    /// Whether decoders may change process-wide state. With `false` they do not, at a price:
    ///
    /// - libde265's default allocator is not replaced by one that fills image buffers with a pattern. Blocks that the library
    ///   silently skips in damaged HEVC pictures then go unnoticed.
    /// - The C variable `stderr` is not replaced while libjxl decodes. Its messages are then printed, and do not become part of
    ///   errors.
    public var changesProcess = true

    /// The value of a limit; others than 0 to ``Name/maximum`` become the nearest of these.
    public subscript(name: Name) -> Int {
        get { changed.isEmpty ? name.defaultValue : changed[name] ?? name.defaultValue }
        set { changed[name] = min(max(0, newValue), name.maximum) }
    }

    /// Throws ``ContainerError/Reason/limitExceeded(_:limit:requested:)`` when `requested` exceeds the limit.
    package func check(
        _ name: Name, _ requested: Int, at offset: Int? = nil, in path: StructurePath = StructurePath()
    ) throws(ContainerError) {
        let limit = self[name]
        guard requested <= limit else {
            throw ContainerError(
                .limitExceeded(name, limit: limit, requested: requested), at: offset, in: path)
        }
    }

    /// Checks the size of an image, and returns its number of pixels.
    package func pixelCount(
        width: Int, height: Int, at offset: Int? = nil, in path: StructurePath = StructurePath()
    ) throws(ContainerError) -> Int {
        guard width > 0, height > 0 else {
            throw ContainerError(
                .malformed(rule: "image size is \(width) × \(height); both must be positive"), at: offset,
                in: path)
        }
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow else { throw ContainerError(.arithmeticOverflow, at: offset, in: path) }
        try check(.pixels, count, at: offset, in: path)
        return count
    }

    /// Checks the memory for decoding an image before any of it is allocated: bytes per pixel, and `other` bytes, such as the
    /// coded data.
    package func checkMemory(
        pixels: Int, bytesPerPixel: Int, other: Int = 0, at offset: Int? = nil,
        in path: StructurePath = StructurePath()
    ) throws(ContainerError) {
        let (samples, overflow) = pixels.multipliedReportingOverflow(by: bytesPerPixel)
        let (total, isTooMuch) = samples.addingReportingOverflow(other)
        try check(.memoryBytes, overflow || isTooMuch ? .max : total, at: offset, in: path)
    }
}
