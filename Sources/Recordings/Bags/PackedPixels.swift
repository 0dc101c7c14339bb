/// The color order of a picture of plain pixels, by its ROS name.
enum PackedPixels: String, Sendable {
    case rgb8
    case bgr8
    case rgba8
    case bgra8

    /// Bytes of a pixel.
    var byteCount: Int { self == .rgb8 || self == .bgr8 ? 3 : 4 }
    /// Whether red comes first.
    var isRedFirst: Bool { self == .rgb8 || self == .rgba8 }
}
