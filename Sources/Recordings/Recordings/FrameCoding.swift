internal import PhotoFormats
internal import Scenes

/// How maps and pictures of a recording's frames are stored, in any kind of store.
struct FrameCoding: Sendable {
    /// The storage format of depth samples.
    enum DepthStorage: Hashable, Sendable {
        /// An image file, recognized by its bytes.
        case image
        /// 16-bit samples, little-endian, without a header.
        case uint16
        /// 16-bit samples, little-endian, in a zlib stream.
        case zlibUInt16
        /// Float16 samples, little-endian, without a header.
        case float16
        /// Float32 samples, little-endian, without a header.
        case float32
        /// Float32 or Float16 samples, little-endian, in an LZFSE stream.
        case lzfse
        /// ``CompressedDepth``. Codes are depth, or inverse depth with the parameters of each message.
        case compressedDepth(isInverse: Bool)

        /// Whether decoded samples are meters, and need no unit.
        var isFloat: Bool {
            switch self {
            case .float16, .float32, .lzfse, .compressedDepth(isInverse: true): true
            case .image, .uint16, .zlibUInt16, .compressedDepth(isInverse: false): false
            }
        }
    }

    /// How rows of samples without a header are stored.
    struct PlainRows: Hashable, Sendable {
        /// The bytes from one row to the next.
        var byteCount: Int
        /// The bytes of a row with samples; padding follows.
        var used: Int
        /// Whether the most significant byte of a sample comes first.
        var isBigEndian = false
    }

    /// How the depth of a frame is stored.
    struct Depth: Hashable, Sendable {
        var storage = DepthStorage.image
        /// Stored units per meter; `nil` if unknown. Floating-point samples are always meters.
        var unitsPerMeter: Double? = 1000
        /// A stored value that means unknown, besides 0.
        var unknownCode: UInt16?
        /// Whether the unit is stated, rather than assumed from the layout.
        var isUnitCertain = true
        /// Whether the file's unit also applies to 8 bits and to floating point. Otherwise 8 bits have no unit, and floating point is in
        /// meters.
        var hasUnitOfAllForms = false
        /// The rows of samples without a header; `nil` if they have no padding, and the least significant byte first.
        var rows: PlainRows?
    }

    /// How the confidence of a frame is stored.
    enum Confidence: Hashable, Sendable {
        /// An image file: 0 low, 1 medium, 2 high.
        case levels
        /// An image file: the same levels spread over 0…255.
        case spread
        /// Levels without a header, a byte each.
        case bytes
        /// Levels in an LZFSE stream.
        case lzfse
    }

    var depth = Depth()
    var confidence = Confidence.levels
    /// The color order of pictures that are stored as plain pixels; `nil` if pictures are image files.
    var color: PackedPixels?
    /// The rows of plain pixels; `nil` if they have no padding.
    var colorRows: PlainRows?
    /// How depth is registered to the pictures' view; `nil` if it is in that view already.
    var registration: CameraRegistration?
    /// How depth is stored as colors beside the picture; `nil` if it is not.
    var hue: HueDepth?
    /// How depth is computed from the pictures of both eyes; `nil` if it is stored.
    var eyes: StereoPair?
}
