internal import Sequences

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
        /// Float32 or Float16 samples, little-endian, in an LZFSE stream.
        case lzfse
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
    /// How depth is registered to the pictures' view; `nil` if it is in that view already.
    var registration: CameraRegistration?
}
