/// Pixel layouts of streams without a header, by ffmpeg's names (`-pix_fmt`).
package enum RawColorFormat: String, CaseIterable, Sendable {
    /// Red, green and blue, a byte each.
    case rgb24
    /// Y, then U and V at half the size, as separate planes.
    case yuv420p
    /// Y, then U and V at half the size, interleaved.
    case nv12

    /// Bytes of a frame.
    package func byteCount(width: Int, height: Int) -> Int {
        switch self {
        case .rgb24: width * height * 3
        case .yuv420p, .nv12: width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
        }
    }
}

/// Layouts of distances in streams without a header, by ffmpeg's names (`-pix_fmt`).
package enum RawDepthFormat: String, CaseIterable, Sendable {
    /// 16 bits, least significant byte first; 0 is unknown.
    case gray16le
    /// 32-bit floating point, least significant byte first; `nan`, 0 and negative values are unknown.
    case grayf32le

    /// Bytes of a sample.
    package var sampleBytes: Int { self == .gray16le ? 2 : 4 }
}

/// Samples without a header: their layout and size, and where they are.
package struct RawPixels<Format: Sendable>: Sendable {
    package var format: Format
    package var width: Int
    package var height: Int
    /// The number of an open descriptor, a named pipe or a file; `nil` if they are in the input.
    package var path: String?

    package init(_ format: Format, width: Int, height: Int, path: String? = nil) {
        (self.format, self.width, self.height, self.path) = (format, width, height, path)
    }
}

/// The meaning of the values of Y, U and V.
package struct YUVEncoding: Hashable, Sendable {
    /// Whether the coefficients are Rec. 709's rather than Rec. 601's.
    package var isRec709 = false
    /// Whether values use all of 0…255, rather than Y 16…235, U and V 16…240.
    package var isFullRange = false

    /// Rec. 601, limited range.
    package init(isRec709: Bool = false, isFullRange: Bool = false) {
        (self.isRec709, self.isFullRange) = (isRec709, isFullRange)
    }
}
