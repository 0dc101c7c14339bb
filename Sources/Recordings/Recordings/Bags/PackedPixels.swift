/// The channels of a picture of plain pixels: 8 bits each, or 16 bits of one color per pixel.
enum PackedPixels: Hashable, Sendable {
    case rgb
    case bgr
    case rgba
    case bgra
    case gray
    /// One color per pixel.
    case bayer(BayerMosaic)

    /// By the name of an encoding of sensor_msgs; `nil` for any other encoding.
    init?(encoding: String) {
        switch encoding {
        case "rgb8": self = .rgb
        case "bgr8", "8UC3": self = .bgr
        case "rgba8": self = .rgba
        case "bgra8", "8UC4": self = .bgra
        case "mono8", "8UC1": self = .gray
        default:
            guard let mosaic = BayerMosaic(encoding: encoding) else { return nil }
            self = .bayer(mosaic)
        }
    }

    /// Bytes of a pixel.
    var byteCount: Int {
        switch self {
        case .rgb, .bgr: 3
        case .rgba, .bgra: 4
        case .gray: 1
        case .bayer(let mosaic): mosaic.byteCount
        }
    }

    /// Bytes of a sample, which follow each other in the byte order of the picture.
    var sampleByteCount: Int { if case .bayer(let mosaic) = self { mosaic.byteCount } else { 1 } }

    /// The bytes of red, green and blue in a pixel; `nil` if a pixel does not have all of them.
    var order: (red: Int, green: Int, blue: Int)? {
        switch self {
        case .rgb, .rgba: (0, 1, 2)
        case .bgr, .bgra: (2, 1, 0)
        case .gray: (0, 0, 0)
        case .bayer: nil
        }
    }
}
