package import DepthMaps
package import DepthTypes
package import Sequences

/// The background of a subject: a color, a picture, or frames of another sequence, which restarts after its end.
package final class Backdrop {
    private enum Content {
        case color(RGB<UInt8>)
        case picture(FramePlane<RGB<UInt8>>)
        case frames(open: () throws -> any FrameSource)
    }

    private let content: Content
    private var source: (any FrameSource)?
    private var frame = SequenceFrame()
    /// The time of the frame after ``frame`` in the source; `nil` after the last.
    private var nextTime: Double?
    /// The time at which the sequence started, on the clock of the foreground's frames; `nil` before the first.
    private var began: Double?
    private var scaler = PictureScaler()
    /// The backdrop at the size requested last.
    private(set) var picture = FramePlane<RGB<UInt8>>()

    package init(_ color: RGB<UInt8>) { content = .color(color) }

    /// A picture, cropped to fill the frame.
    package init(_ picture: FramePlane<RGB<UInt8>>) { content = .picture(picture) }

    /// Frames of a sequence; `open` restarts it as often as needed.
    package init(_ open: @escaping () throws -> any FrameSource) { content = .frames(open: open) }

    /// How many frames of the sequence could not be decoded and were skipped.
    package private(set) var damagedFrames = 0

    /// Decodes the first picture. Throws if no picture can be decoded, so that the error occurs before any frame is
    /// rendered.
    package func prepare() throws {
        guard case .frames(let open) = content, source == nil else { return }
        try restart(open)
    }

    /// Updates ``picture`` for a time and size.
    func show(at time: Double, size: PixelSize) throws {
        switch content {
        case .color(let color):
            guard picture.size != size else { return }
            picture.overwrite(width: size.width, height: size.height, fill: color) { pixels in
                for index in pixels.indices { pixels[index] = color }
            }
        case .picture(let still):
            guard picture.size != size else { return }
            scaler.cover(still, size, into: &picture)
        case .frames(let open):
            if try advance(to: time, open) || picture.size != size {
                scaler.cover(frame.color, size, into: &picture)
            }
        }
    }

    /// Advances to the frame at a time. Returns whether the frame changed.
    private func advance(to time: Double, _ open: () throws -> any FrameSource) throws -> Bool {
        if source == nil { try restart(open) }
        var isNew = began == nil
        var start = began ?? time
        defer { began = start }
        while true {
            let elapsed = time - start + Self.tolerance
            if let next = nextTime {
                guard next <= elapsed else { return isNew }
                try take()
            } else {
                // The last frame is shown as long as the one before it.
                let period = max(frame.time + lastInterval, Self.shortestPeriod)
                guard elapsed >= period else { return isNew }
                // Repetitions that no frame shows are not decoded.
                start += period * (elapsed / period).rounded(.down)
                try restart(open)
            }
            isNew = true
        }
    }

    private var lastInterval = 0.04
    /// The rounding error allowed in times, in seconds.
    private static let tolerance = 1e-4
    /// The shortest period, in seconds; longer than the rounding error of the longest times.
    private static let shortestPeriod = 1e-3

    /// Restarts, and decodes the first decodable frame. Throws if no frame can be decoded.
    private func restart(_ open: () throws -> any FrameSource) throws {
        let opened = try open()
        (source, damagedNow) = (opened, 0)
        nextTime = try opened.advance()
        while nextTime != nil {
            if try take() { return }
        }
        throw SequenceError.noFrame
    }

    /// Frames since the last restart that could not be decoded.
    private var damagedNow = 0
    /// A frame that is being decoded, before it becomes ``frame``.
    private var decoded = SequenceFrame()

    /// Decodes the source's current frame, and reads the time of the next. Returns whether it could be decoded; otherwise
    /// ``frame`` is kept.
    @discardableResult
    private func take() throws -> Bool {
        guard let source else { return false }
        do {
            try source.read(.color, into: &decoded)
            guard !decoded.color.isEmpty else { throw SequenceError.noColor }
            swap(&frame, &decoded)
        } catch {
            damagedNow += 1
            damagedFrames = max(damagedFrames, damagedNow)
            nextTime = try source.advance()
            return false
        }
        nextTime = try source.advance()
        if let nextTime, nextTime > frame.time { lastInterval = nextTime - frame.time }
        return true
    }
}

/// Scales pictures by interpolation, with axes that are reused from frame to frame.
package struct PictureScaler {
    private var columns = InterpolationAxis()
    private var rows = InterpolationAxis()

    package init() {}

    /// Scales a picture to cover a size, and crops it around its middle.
    package mutating func cover(
        _ source: borrowing FramePlane<RGB<UInt8>>, _ size: PixelSize,
        into output: inout FramePlane<RGB<UInt8>>
    ) {
        guard !source.isEmpty else {
            return output.overwrite(width: size.width, height: size.height, fill: .black) { _ in }
        }
        let scale = max(
            Double(size.width) / Double(source.width), Double(size.height) / Double(source.height))
        let shown = PixelSize(
            width: max(size.width, Int((Double(source.width) * scale).rounded())),
            height: max(size.height, Int((Double(source.height) * scale).rounded())))
        columns.set(count: shown.width, samples: source.width)
        rows.set(count: shown.height, samples: source.height)
        let (left, top) = ((shown.width - size.width) / 2, (shown.height - size.height) / 2)
        let pixels = source.samples.span
        let (width, height) = (source.width, source.height)
        let isSame = size == source.size
        output.overwrite(width: size.width, height: size.height, fill: .black) { output in
            if isSame {
                for index in output.indices { output[index] = pixels[index] }
                return
            }
            for row in 0..<size.height {
                let upper = Int(rows.first[row + top])
                let lower = min(upper + 1, height - 1) * width
                let down = Int32(rows.share[row + top] * 256)
                for column in 0..<size.width {
                    let first = Int(columns.first[column + left])
                    let second = min(first + 1, width - 1)
                    let across = Int32(columns.share[column + left] * 256)
                    let (a, b) = (pixels[upper * width + first], pixels[upper * width + second])
                    let (c, d) = (pixels[lower + first], pixels[lower + second])
                    @inline(__always) func mix(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> UInt8 {
                        let top = Int32(a) * (256 - across) + Int32(b) * across
                        let bottom = Int32(c) * (256 - across) + Int32(d) * across
                        return UInt8(truncatingIfNeeded: (top * (256 - down) + bottom * down + 32768) >> 16)
                    }
                    output[row * size.width + column] = RGB(
                        red: mix(a.red, b.red, c.red, d.red),
                        green: mix(a.green, b.green, c.green, d.green),
                        blue: mix(a.blue, b.blue, c.blue, d.blue))
                }
            }
        }
    }
}
