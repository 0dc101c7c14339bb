package import Bytes
internal import Codecs
package import DepthMaps
internal import DepthTypes
internal import Effects

/// The background of the subjects of frames: a color, a picture, or frames of another sequence, which restarts after its end.
/// Fitted and converted like the background of a photo.
package final class MovingBackground {
    private enum Content {
        case color(RGB<UInt16>)
        case picture(ColorImage)
        case frames(open: () throws -> any SceneSequence)
    }

    private let content: Content
    private var sequence: (any SceneSequence)?
    /// The shown frame of the sequence, and one that is being decoded.
    private var (frame, decoded) = (FrameBuffer(), FrameBuffer())
    /// The time of the frame after ``frame`` in the sequence; `nil` after the last.
    private var nextTime: Double?
    /// The time at which the sequence started, on the clock of the foreground's frames; `nil` before the first.
    private var began: Double?
    /// What was fitted last, and the size that it has.
    private var fitted: (image: ColorImage, size: PixelSize)?

    /// How many frames of the sequence could not be decoded and were skipped.
    package private(set) var damagedFrames = 0
    /// What to know about the picture.
    package private(set) var diagnostics: [Diagnostic] = []

    /// A color, sRGB.
    package init(_ color: RGB<UInt8>) { content = .color(ColorImage(color).firstPixel) }

    /// A picture, cropped to fill the frame. Throws if it cannot be decoded.
    package init(_ picture: any SceneSource) throws { content = .picture(try picture.image()) }

    /// Frames of a sequence, cropped likewise; `open` restarts it as often as needed. Throws if no picture can be decoded.
    package init(frames open: @escaping () throws -> any SceneSequence) throws {
        content = .frames(open: open)
        try restart(open)
    }

    /// The background behind a frame with a picture.
    func shown(behind scene: DepthScene) throws -> Background {
        let size = try scene.requireColorSize()
        switch content {
        case .color(let color): return .color(color)
        case .picture(let picture):
            if fitted?.size != size {
                let (image, ignoresProfile) = try picture.fitted(to: scene.color(), by: .cover)
                fitted = (image, size)
                diagnostics = ignoresProfile ? [.unusableProfile] : []
            }
        case .frames(let open):
            if try advance(to: scene.seconds, open) || fitted?.size != size {
                fitted = (try DepthScene(frame).color().fitted(to: scene.color(), by: .cover).image, size)
            }
        }
        guard let fitted else { throw SceneError.noPicture }
        return .image(fitted.image)
    }

    /// Advances to the frame at a time. Returns whether the frame changed.
    private func advance(to time: Double, _ open: () throws -> any SceneSequence) throws -> Bool {
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
                let period = max(DepthScene(frame).seconds + lastInterval, Self.shortestPeriod)
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
    private func restart(_ open: () throws -> any SceneSequence) throws {
        let opened = try open()
        try opened.prepare([.picture])
        (sequence, damagedNow) = (opened, 0)
        nextTime = try opened.advance()
        while nextTime != nil {
            if try take() { return }
        }
        throw SequenceError.noFrame
    }

    /// Frames since the last restart that could not be decoded.
    private var damagedNow = 0

    /// Decodes the sequence's current frame, and reads the time of the next. Returns whether it could be decoded; otherwise
    /// ``frame`` is kept.
    @discardableResult
    private func take() throws -> Bool {
        guard let sequence else { return false }
        do {
            try decoded.replace(sequence.describe(), [.picture]) { try sequence.begin([.picture], into: &$0) }
            try decoded.update { try sequence.finish([.picture], of: $0, into: &$1) }
            _ = try DepthScene(decoded).color()
            swap(&frame, &decoded)
        } catch {
            damagedNow += 1
            damagedFrames = max(damagedFrames, damagedNow)
            nextTime = try sequence.advance()
            return false
        }
        nextTime = try sequence.advance()
        let time = DepthScene(frame).seconds
        if let nextTime, nextTime > time { lastInterval = nextTime - time }
        return true
    }
}
