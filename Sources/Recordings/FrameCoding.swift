internal import Sequences

/// How maps and pictures of a recording's frames are stored, whatever store they are in.
struct FrameCoding: Sendable {
    /// What surrounds samples of depth.
    enum DepthStorage: Hashable, Sendable {
        /// An image file, recognized by its bytes.
        case image
        /// 16-bit samples, little-endian, as they are.
        case uint16
        /// The same in a zlib stream.
        case zlibUInt16
        /// Float16 samples, little-endian, as they are.
        case float16
        /// Float32 or Float16 samples, little-endian, in an LZFSE stream.
        case lzfse
    }

    /// How the depth of a frame is stored.
    struct Depth: Hashable, Sendable {
        var storage = DepthStorage.image
        /// How many stored units a meter has; `nil` where that is unknown. Floating-point samples are meters in any case.
        var unitsPerMeter: Double? = 1000
        /// A code that means unknown besides 0.
        var unknownCode: UInt16?
        /// Whether samples are of the layout's unit, and not taken for it.
        var isUnitCertain = true
    }

    /// How the confidence of a frame is stored.
    enum Confidence: Hashable, Sendable {
        /// An image file: 0 low, 1 medium, 2 high.
        case levels
        /// An image file: the same spread over 0…255.
        case spread
        /// Levels as they are, a byte each.
        case bytes
        /// Levels in an LZFSE stream.
        case lzfse
    }

    var depth = Depth()
    var confidence = Confidence.levels
    /// The order of colors in pictures that are stored as plain pixels; `nil` where pictures are image files.
    var color: PackedPixels?
    /// How depth is brought to the pictures' view; `nil` where it is theirs.
    var registration: CameraRegistration?
}
