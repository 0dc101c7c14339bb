internal import CMovieShims
internal import DepthMaps
internal import Scenes

/// A frame of YUV in contiguous memory, rows tightly packed, chroma rounded up.
struct YUVPlanes {
    /// How planes follow each other.
    enum Layout: Int32 {
        case yuv420, yuv422, yuv444, nv12, gray
    }

    private let bytes: [UInt8]
    private let layout: Layout
    private let encoding: YUVEncoding
    private let width: Int
    private let height: Int

    /// The byte count must match the layout.
    init(_ bytes: [UInt8], _ layout: Layout, _ encoding: YUVEncoding, _ width: Int, _ height: Int) {
        (self.bytes, self.layout, self.encoding) = (bytes, layout, encoding)
        (self.width, self.height) = (width, height)
    }

    /// Converts to RGB.
    func decode(into output: inout FramePlane<RGB<UInt8>>) {
        let luma = width * height
        let half = (width + 1) / 2
        let chromaWidth = layout == .yuv444 ? width : layout == .nv12 ? half * 2 : half
        let chromaHeight = layout == .yuv420 || layout == .nv12 ? (height + 1) / 2 : height
        let chroma = layout == .gray ? 0 : chromaWidth * chromaHeight
        let hasThird = layout != .nv12 && layout != .gray
        precondition(bytes.count >= luma + chroma * (hasThird ? 2 : 1))
        output.overwrite(width: width, height: height, fill: .black) { pixels in
            // SAFETY: the planes are inside the bytes, as checked above, and the output has three bytes per pixel.
            unsafe pixels.withUnsafeMutableBytes { target in
                unsafe bytes.withUnsafeBufferPointer { source in
                    guard let base = source.baseAddress,
                        let target = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    else { return }
                    var yuv = isobath_yuv()
                    unsafe yuv.planes = (base, base + luma, base + luma + (hasThird ? chroma : 0))
                    yuv.strides = (Int32(width), Int32(chromaWidth), Int32(chromaWidth))
                    yuv.layout = Self.code(layout)
                    yuv.width = Int32(width)
                    yuv.height = Int32(height)
                    yuv.is_709 = encoding.isRec709 ? 1 : 0
                    yuv.is_full_range = encoding.isFullRange ? 1 : 0
                    _ = unsafe isobath_yuv_to_rgb(&yuv, target)
                }
            }
        }
    }

    private static func code(_ layout: Layout) -> Int32 {
        switch layout {
        case .yuv420: Int32(ISOBATH_YUV420)
        case .yuv422: Int32(ISOBATH_YUV422)
        case .yuv444: Int32(ISOBATH_YUV444)
        case .nv12: Int32(ISOBATH_NV12)
        case .gray: Int32(ISOBATH_GRAY)
        }
    }
}
