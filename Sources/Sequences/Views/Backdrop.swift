package import DepthCore
package import DepthModel

/// What stands behind a subject: a color, a picture, or frames of another sequence, which begins again after its end.
package final class Backdrop {
    private enum Content {
        case color(RGB<UInt8>)
        case picture(FramePlane<RGB<UInt8>>)
        case frames(open: () throws -> any FrameSource)
    }

    private let content: Content
    private var source: (any FrameSource)?
    private var frame = SequenceFrame()
    /// The time of the frame that comes after ``frame`` in the source; `nil` after the last.
    private var nextTime: Double?
    private var began = 0.0
    private var scaler = PictureScaler()
    /// The backdrop at the size that was asked for last.
    private(set) var picture = FramePlane<RGB<UInt8>>()

    /// One color.
    package init(_ color: RGB<UInt8>) { content = .color(color) }

    /// A picture, which covers the frame.
    package init(_ picture: FramePlane<RGB<UInt8>>) { content = .picture(picture) }

    /// Frames of a sequence that `open` starts from its beginning, as often as it takes.
    package init(_ open: @escaping () throws -> any FrameSource) { content = .frames(open: open) }

    /// Brings ``picture`` to a time and size.
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

    /// Goes to the frame that is shown at a time. Returns whether it is another one.
    private func advance(to time: Double, _ open: () throws -> any FrameSource) throws -> Bool {
        if source == nil {
            try restart(open)
            began = time
            try take()
            return true
        }
        var isNew = false
        while true {
            if let next = nextTime {
                guard next <= time - began + Self.tolerance else { return isNew }
                try take()
            } else {
                // The last frame stays for as long as the one before it.
                guard time - began + Self.tolerance >= frame.time + lastInterval else { return isNew }
                began += frame.time + lastInterval
                try restart(open)
                try take()
            }
            isNew = true
        }
    }

    private var lastInterval = 0.04
    /// Seconds by which times may be off through rounding.
    private static let tolerance = 1e-4

    private func restart(_ open: () throws -> any FrameSource) throws {
        let opened = try open()
        source = opened
        guard let first = try opened.advance() else { throw SequenceError.noColor }
        nextTime = first
    }

    /// Decodes the frame that the source is at, and looks for the next.
    private func take() throws {
        guard let source else { return }
        try source.read(.color, into: &frame)
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        nextTime = try source.advance()
        if let nextTime, nextTime > frame.time { lastInterval = nextTime - frame.time }
    }
}

/// Scales pictures between their pixels, with axes that are kept from frame to frame.
package struct PictureScaler {
    private var columns = Axis()
    private var rows = Axis()

    package init() {}

    /// The middle of a picture, scaled so that it covers all of a size.
    package mutating func cover(
        _ source: borrowing FramePlane<RGB<UInt8>>, _ size: PixelSize,
        into output: inout FramePlane<RGB<UInt8>>
    ) {
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
                let lower = Axis.next(after: upper, of: height) * width
                let down = Int32(rows.share[row + top] * 256)
                for column in 0..<size.width {
                    let first = Int(columns.first[column + left])
                    let second = Axis.next(after: first, of: width)
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
