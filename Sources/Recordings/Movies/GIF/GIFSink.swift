internal import Bytes
internal import DepthMaps
internal import DepthTypes
package import Scenes

/// Writes a looping animated GIF (GIF89a, with the application extension NETSCAPE2.0) to a descriptor, which need not be
/// seekable. All frames use one palette: the given one, or the first frame's.
package final class GIFSink: FrameSink {
    private let descriptor: Int32
    private let rate: Double
    private var palette: GIFPalette?
    private var compression = GIFCompression()
    private var size = PixelSize(width: 0, height: 0)
    private var count = 0

    /// Writes to a descriptor that stays open, at this frame rate; players show at most 50 frames a second.
    package init(descriptor: Int32, rate: Double, palette: GIFPalette? = nil) {
        (self.descriptor, self.rate, self.palette) = (descriptor, rate, palette)
    }

    package func write(_ frame: inout RenderedFrame) throws {
        let picture = frame.picture
        if count == 0 {
            guard (1...65535).contains(picture.width), (1...65535).contains(picture.height) else {
                throw MovieError.unsuitableSize(picture.size, format: "GIF")
            }
            size = picture.size
            palette = palette ?? GIFPalette(of: [picture.samples])
            try writeAll(header, to: descriptor)
        }
        guard picture.size == size, let palette else {
            throw SequenceError.sizeChanged(from: size, to: picture.size)
        }
        // Hundredths of a second, without accumulating rounding errors.
        let delay = max(Self.time(of: count + 1, rate) - Self.time(of: count, rate), 2)
        count += 1
        var bytes: [UInt8] = [0x21, 0xF9, 4, 4] + Self.number(delay) + [0, 0]
        bytes += [0x2C, 0, 0, 0, 0] + Self.number(size.width) + Self.number(size.height) + [0, 8]
        bytes += compression.blocks(of: palette.indices(of: picture.samples, width: size.width))
        try writeAll(bytes, to: descriptor)
    }

    /// Completes the file. Throws if there is no frame.
    package func finish() throws {
        guard count > 0 else { throw MovieError.noFrame }
        try writeAll([0x3B as UInt8], to: descriptor)
    }

    private var header: [UInt8] {
        var bytes = Array("GIF89a".utf8) + Self.number(size.width) + Self.number(size.height) + [0xF7, 0, 0]
        let colors = palette?.colors ?? []
        for index in 0..<256 {
            let color = index < colors.count ? colors[index] : .black
            bytes += [color.red, color.green, color.blue]
        }
        return bytes + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    }

    private static func time(of frame: Int, _ rate: Double) -> Int {
        Int((Double(frame) * 100 / rate).rounded())
    }

    private static func number(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
}
