import Bytes
import DepthMaps
import DepthTypes
import Effects
import Foundation
import TestFrames
import Testing

@testable import Scenes

/// A square of 20 x 20 pixels before a wall, each with a checkerboard.
@Suite("Blurred frames of recordings")
struct BlurredFrameTests {
    private static let size = PixelSize(width: 96, height: 64)

    private static func isSquare(_ index: Int) -> Bool {
        (38..<58).contains(index % size.width) && (22..<42).contains(index / size.width)
    }

    private static func frame(at time: Double, square: Float, wall: Float, _ scale: DepthScale)
        -> TestFrame
    {
        var frame = TestFrame()
        let count = size.width * size.height
        frame.color = FramePlane(
            width: size.width, height: size.height,
            samples: (0..<count).map {
                let light: UInt8 = ($0 % size.width / 2 + $0 / size.width / 2) % 2 == 0 ? 60 : 200
                return RGB(red: light, green: light, blue: light)
            })
        frame.depth = FramePlane(
            width: size.width, height: size.height,
            samples: (0..<count).map { isSquare($0) ? square : wall })
        (frame.time, frame.scale) = (time, scale)
        return frame
    }

    /// Blurs frames, and returns the focus of each.
    private static func focuses(_ options: BlurOptions, _ frames: [TestFrame]) throws -> [Float] {
        var focuses: [Float] = []
        let effect = FrameEffect.blur(options) { focuses.append($0.aperture.focusDisparity) }
        var output = RenderedFrame()
        for frame in frames {
            try effect.render(frame, into: &output)
            #expect(output.picture.size == size)
        }
        return focuses
    }

    @Test("The focus follows an object with a time constant of 0.15 s")
    func pull() throws {
        var options = BlurOptions()
        options.focus = NormalizedPoint(x: 0.5, y: 0.5)
        // The object jumps from 2 m to 1 m.
        let focuses = try Self.focuses(
            options,
            [
                Self.frame(at: 0, square: 2, wall: 5, .absolute),
                Self.frame(at: 0.05, square: 1, wall: 5, .absolute),
                Self.frame(at: 1.5, square: 1, wall: 5, .absolute),
            ])
        #expect(abs(focuses[0] - 0.5) < 1e-3)
        #expect(abs(Double(focuses[1]) - (1 - 0.5 * exp(-1 / 3.0))) < 2e-3)
        #expect(abs(focuses[2] - 1) < 2e-3)
    }

    @Test("Depth without a unit keeps the scale of the first frame")
    func scale() throws {
        var options = BlurOptions()
        options.focus = NormalizedPoint(x: 0.5, y: 0.5)
        let focuses = try Self.focuses(
            options,
            [
                Self.frame(at: 0, square: 2, wall: 8, .unitless),
                Self.frame(at: 9, square: 1, wall: 8, .unitless),
            ])
        #expect(abs(focuses[0] - 1) < 1e-3 && abs(focuses[1] - 2) < 1e-3)
    }

    @Test("What is in focus stays sharp, and the rest is blurred")
    func sharpness() throws {
        var options = BlurOptions()
        (options.focus, options.fNumber) = (NormalizedPoint(x: 0.5, y: 0.5), 1)
        let frame = Self.frame(at: 0, square: 0.5, wall: 5, .absolute)
        var output = RenderedFrame()
        try FrameEffect.blur(options) { _ in }.render(frame, into: &output)
        func contrast(_ rows: Range<Int>, _ columns: Range<Int>) -> Int {
            let lights = rows.flatMap { row in
                columns.map { Int(output.picture.samples[row * Self.size.width + $0].green) }
            }
            return (lights.max() ?? 0) - (lights.min() ?? 0)
        }
        #expect(contrast(28..<36, 44..<52) == 140)
        #expect(contrast(4..<16, 4..<24) < 70)
    }
}
