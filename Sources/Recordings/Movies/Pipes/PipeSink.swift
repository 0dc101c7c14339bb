internal import Bytes
internal import CMovieShims
internal import DepthMaps
internal import DepthTypes
package import Scenes

/// Writes frames to a descriptor in order: y4m, or samples without a header.
package final class PipeSink: FrameSink {
    /// The format of the stream.
    package enum Format: Hashable, Sendable {
        /// y4m, 4:2:0, Rec. 601.
        case y4m
        /// Pixels without a header.
        case color(RawColorFormat)
        /// Distances without a header: millimeters in 16 bits if the unit is the meter.
        case depth(RawDepthFormat)
    }

    private let descriptor: Int32
    private let format: Format
    private let rate: Double
    private var bytes: [UInt8] = []
    private var scratch: [UInt8] = []
    private var size: PixelSize?

    /// Writes to a descriptor that stays open. `rate` is stored in y4m's header.
    package init(descriptor: Int32, format: Format, rate: Double) {
        (self.descriptor, self.format, self.rate) = (descriptor, format, FrameTimes.nearest(rate))
        enlargePipe(descriptor)
    }

    private static let frameMark = Array("FRAME\n".utf8)

    package func write(_ frame: inout RenderedFrame) throws {
        let frameSize = frame.picture.isEmpty ? frame.depth.size : frame.picture.size
        if let size, size != frameSize { throw SequenceError.sizeChanged(from: size, to: frameSize) }
        if size == nil {
            size = frameSize
            if format == .y4m {
                let header =
                    "YUV4MPEG2 W\(frameSize.width) H\(frameSize.height) F\(Self.fraction(rate)) Ip A1:1 C420jpeg "
                    + "XYSCSS=420JPEG XCOLORRANGE=LIMITED\n"
                try writeAll(Array(header.utf8), to: descriptor)
            }
        }
        switch format {
        case .y4m: encode(frame.picture, .yuv420p, after: Self.frameMark)
        case .color(.rgb24): return try writeAll(frame.picture.samples, to: descriptor)
        case .color(let format): encode(frame.picture, format, after: [])
        case .depth(let format): encode(frame.depth, format, frame.codesPerUnit)
        }
        try writeAll(bytes, to: descriptor)
    }

    /// A rate as a ratio of integers, as in y4m: 30000:1001 for 29.97.
    static func fraction(_ rate: Double) -> String {
        let rate = FrameTimes.nearest(rate)
        if rate < 0.1 { return "1:\(Int((1 / rate).rounded()))" }
        for divisor in [1, 1001] {
            let multiple = rate * Double(divisor)
            let whole = divisor == 1 ? multiple.rounded() : (multiple / 1000).rounded() * 1000
            if abs(multiple - whole) < 1e-4 * multiple, whole >= 1 { return "\(Int(whole)):\(divisor)" }
        }
        return "\(max(1, Int((rate * 1000).rounded()))):1000"
    }

    private func encode(
        _ picture: borrowing FramePlane<RGB<UInt8>>, _ format: RawColorFormat, after prefix: [UInt8]
    ) {
        let (width, height) = (picture.width, picture.height)
        let luma = width * height
        let chroma = ((width + 1) / 2) * ((height + 1) / 2)
        resize(prefix.count + luma + 2 * chroma)
        for (index, byte) in prefix.enumerated() { bytes[index] = byte }
        if scratch.count < 2 * chroma { scratch = [UInt8](repeating: 0, count: 2 * chroma) }
        // SAFETY: the planes are contiguous within the bytes, and the picture has three bytes per pixel.
        unsafe bytes.withUnsafeMutableBufferPointer { target in
            unsafe picture.samples.withUnsafeBytes { source in
                unsafe scratch.withUnsafeMutableBufferPointer { scratch in
                    guard let start = target.baseAddress, let scratch = scratch.baseAddress,
                        let pixels = unsafe source.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    else { return }
                    let y = unsafe start + prefix.count
                    if format == .nv12 {
                        _ = unsafe isobath_rgb_to_nv12(
                            pixels, Int32(width), Int32(height), y, y + luma, scratch)
                    } else {
                        _ = unsafe isobath_rgb_to_yuv420(
                            pixels, Int32(width), Int32(height), y, y + luma, y + luma + chroma)
                    }
                }
            }
        }
    }

    private func encode(_ depth: borrowing FramePlane<Float>, _ format: RawDepthFormat, _ factor: Float) {
        resize(depth.samples.count * format.sampleBytes)
        let samples = depth.samples.span
        unsafe bytes.withUnsafeMutableBytes { target in
            // SAFETY: the buffer has space for all samples.
            switch format {
            case .gray16le:
                for index in samples.indices {
                    unsafe target.storeBytes(
                        of: samples[index].depthCode(factor).littleEndian, toByteOffset: index * 2,
                        as: UInt16.self)
                }
            case .grayf32le:
                for index in samples.indices {
                    unsafe target.storeBytes(
                        of: samples[index].bitPattern.littleEndian, toByteOffset: index * 4, as: UInt32.self)
                }
            }
        }
    }

    private func resize(_ count: Int) {
        if bytes.count != count { bytes = [UInt8](repeating: 0, count: count) }
    }
}
