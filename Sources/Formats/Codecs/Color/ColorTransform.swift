internal import CLCMS
internal import DepthMaps

/// A conversion of pixels between two profiles by LittleCMS: relative colorimetric, no black point compensation.
///
/// All cores use one transform: it keeps no cache (`cmsFLAGS_NOCACHE`), so nothing in it changes.
@safe
struct ColorTransform: ~Copyable {
    /// The layout of a pixel, as LittleCMS encodes it in a number (lcms2.h, "Pixel types").
    struct PixelFormat {
        fileprivate let code: UInt32
        fileprivate var hasAlpha: Bool { code >> 7 & 7 == 1 }
        fileprivate var hasDeepSamples: Bool { code & 7 == 2 }

        private init(
            colors: UInt32, channels: UInt32, extra: UInt32 = 0, bytes: UInt32, isInverted: Bool = false
        ) {
            code = colors << 16 | (isInverted ? 1 : 0) << 13 | extra << 7 | channels << 3 | bytes
        }

        static func rgb(is16Bit: Bool, hasAlpha: Bool = false) -> PixelFormat {
            PixelFormat(
                colors: UInt32(PT_RGB), channels: 3, extra: hasAlpha ? 1 : 0, bytes: is16Bit ? 2 : 1)
        }

        /// The red of RGB pixels as gray.
        static func grayInRGB(is16Bit: Bool) -> PixelFormat {
            PixelFormat(colors: UInt32(PT_GRAY), channels: 1, extra: 2, bytes: is16Bit ? 2 : 1)
        }

        /// The largest value means no ink, as Adobe stores it.
        static let invertedCMYK8 = PixelFormat(
            colors: UInt32(PT_CMYK), channels: 4, bytes: 1, isInverted: true)
    }

    private let handle: cmsHTRANSFORM

    /// Prepares a conversion. Throws if a profile lacks data that it needs.
    init(
        from source: borrowing ColorProfile, _ input: PixelFormat, to destination: borrowing ColorProfile,
        _ output: PixelFormat
    ) throws(ColorProfileError) {
        var flags = UInt32(cmsFLAGS_NOCACHE)
        if input.hasAlpha { flags |= UInt32(cmsFLAGS_COPY_ALPHA) }
        // For 16 bits, the library approximates two matrices by a coarse grid: off by 3 of 255 near black.
        if input.hasDeepSamples { flags |= UInt32(cmsFLAGS_NOOPTIMIZE) }
        let made = unsafe cmsCreateTransform(
            source.handle, input.code, destination.handle, output.code,
            UInt32(INTENT_RELATIVE_COLORIMETRIC), flags)
        guard let made = unsafe made else { throw .unreadable }
        unsafe handle = unsafe made
    }

    deinit { unsafe cmsDeleteTransform(handle) }

    /// Converts pixels whose layout does not change.
    func callAsFunction<Eight, Sixteen>(
        _ pixels: PixelArray<Eight, Sixteen>, width: Int, height: Int
    ) -> PixelArray<Eight, Sixteen> {
        func converted<Pixel: BitwiseCopyable & Sendable>(_ pixels: [Pixel]) -> [Pixel] {
            self(pixels, width: width, height: height)
        }
        return pixels.map(converted, converted)
    }

    /// Converts all pixels, on all cores; the layouts of `Input` and `Output` must match the transform's formats.
    func callAsFunction<Input: BitwiseCopyable & Sendable, Output: BitwiseCopyable & Sendable>(
        _ pixels: [Input], width: Int, height: Int, to _: Output.Type = Output.self
    ) -> [Output] {
        precondition(pixels.count == width * height)
        nonisolated(unsafe) let handle = unsafe self.handle
        return unsafe [Output](unsafeUninitializedCapacity: pixels.count) { output, count in
            unsafe adviseHugePages(UnsafeMutableRawBufferPointer(output))
            nonisolated(unsafe) let output = unsafe output
            parallelFor(count: width == 0 ? 0 : height) { rows in
                unsafe pixels.withUnsafeBufferPointer { input in
                    guard let from = input.baseAddress, let to = unsafe output.baseAddress else {
                        return
                    }
                    for row in rows {
                        // SAFETY: rows are inside both buffers, and a row of each holds `width` pixels.
                        unsafe cmsDoTransform(
                            handle, from + row * width, to + row * width, UInt32(truncatingIfNeeded: width))
                    }
                }
            }
            count = pixels.count
        }
    }
}
