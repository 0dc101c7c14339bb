package import Bytes
internal import Scenes

/// The first line of a y4m stream: `YUV4MPEG2 W640 H480 F30:1 Ip A1:1 C420jpeg`.
package struct Y4MHeader: Hashable, Sendable {
    /// How the planes of a frame are laid out.
    package enum Layout: Hashable, Sendable {
        /// U and V at half the width and height.
        case yuv420
        /// U and V at half the width.
        case yuv422
        /// U and V at the full size.
        case yuv444
        /// Y only.
        case gray
        /// 16 bits of gray, least significant byte first: an extension of ffmpeg.
        case gray16
    }

    /// The maximum length of a header, in bytes.
    package static let mostBytes = 1024

    /// Pixels in a row.
    package var width: Int
    /// The number of rows.
    package var height: Int
    /// Frames per second; `nil` if the header declares 0 or no rate.
    package var rate: Double?
    /// The planes of a frame.
    package var layout = Layout.yuv420
    /// Whether values use the full range (`XCOLORRANGE=FULL`).
    package var isFullRange = false

    /// The first bytes of every stream.
    package static let mark = Array("YUV4MPEG2 ".utf8)

    /// The error for a stream with other first bytes.
    package static let notRecognized = ContainerError(
        .unrecognized(
            detail:
                "this is not a y4m stream; movies and recordings are read from files, not from pipes"
        ))

    /// Reads a header line without its line end. Throws if it is invalid, and for unsupported pixel formats.
    package init(parsing line: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        let fields = line.split(separator: 0x20)
        guard fields.first.map({ $0.elementsEqual("YUV4MPEG2".utf8) }) ?? false else {
            throw Self.notRecognized
        }
        (width, height) = (0, 0)
        for field in fields.dropFirst() {
            let value = String(decoding: field.dropFirst(), as: UTF8.self)
            switch field.first {
            case UInt8(ascii: "W"): width = Int(value) ?? 0
            case UInt8(ascii: "H"): height = Int(value) ?? 0
            case UInt8(ascii: "F"): rate = try Self.rate(value)
            case UInt8(ascii: "C"): layout = try Self.layout(value)
            case UInt8(ascii: "I"):
                guard value == "p" || value == "?" else {
                    throw ContainerError(.unsupported(feature: "interlaced video"))
                }
            case UInt8(ascii: "X"): isFullRange = isFullRange || value == "COLORRANGE=FULL"
            default: break
            }
        }
        guard width > 0, height > 0 else {
            throw ContainerError(.malformed(rule: "the y4m header gives no width (W) or height (H)"))
        }
        let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
        guard !isTooLarge else { throw ContainerError(.arithmeticOverflow) }
        try limits.check(.pixels, pixels)
    }

    private static func rate(_ text: String) throws(ContainerError) -> Double? {
        let parts = text.split(separator: ":").map { Double($0) ?? 0 }
        guard parts.count == 2, parts[0] > 0, parts[1] > 0 else { return nil }
        guard let rate = FrameTimes.rate(parts[0] / parts[1]) else {
            throw ContainerError(
                .malformed(
                    rule: "the y4m header declares \(parts[0] / parts[1]) frames a second (F\(text)); "
                        + "rates from 0.000001 to 1000000 are read"))
        }
        return rate
    }

    private static func layout(_ name: String) throws(ContainerError) -> Layout {
        switch name {
        case "420", "420jpeg", "420mpeg2", "420paldv": .yuv420
        case "422": .yuv422
        case "444": .yuv444
        case "mono": .gray
        case "mono16": .gray16
        default:
            throw ContainerError(
                .unsupported(
                    feature: "the y4m color format C\(name) (C420, C422, C444, Cmono and Cmono16 are read)"))
        }
    }

    /// Bytes of a frame, without the frame's header.
    package var frameBytes: Int {
        let chromaWidth = (width + 1) / 2
        return switch layout {
        case .yuv420: width * height + 2 * chromaWidth * ((height + 1) / 2)
        case .yuv422: width * height + 2 * chromaWidth * height
        case .yuv444: 3 * width * height
        case .gray: width * height
        case .gray16: 2 * width * height
        }
    }
}
