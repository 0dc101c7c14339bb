import DepthMaps
import DepthTypes
import TestFrames
import TestSupport
import Testing

@testable import Effects
@testable import Scenes

@Suite("Views of frames")
struct ViewTests {
    private func frame(_ samples: [Float], width: Int) -> TestFrame {
        var frame = TestFrame()
        frame.depth = FramePlane(width: width, height: samples.count / width, samples: samples)
        return frame
    }

    @Test("Near has the last color, the bright one, far has the first, and unknown is black")
    func colors() throws {
        let view = FrameEffect.depthColors(DepthColoring(.viridis, near: 1, far: 3), isEnlarged: false)
        let frame = frame([1, 3, 2, .nan, 0.5, 9], width: 3)
        var output = RenderedFrame()
        try view.render(frame, into: &output)
        // Viridis by matplotlib: #440154, #21918c in the middle, #fde725.
        let (first, last) = (
            RGB<UInt8>(red: 68, green: 1, blue: 84), RGB<UInt8>(red: 253, green: 231, blue: 37)
        )
        let pixels = output.picture.samples
        #expect([pixels[0], pixels[4]] == [last, last])
        #expect([pixels[1], pixels[5]] == [first, first])
        #expect(abs(Int(pixels[2].green) - 145) <= 2)
        #expect(pixels[3] == RGB(red: 0, green: 0, blue: 0))
    }

    @Test("Noise of a still scene flickers less than half as much as with a range for each frame alone")
    func flicker() throws {
        var random = SplitMix(seed: 7)
        /// The mean change of samples that never change by themselves, in codes, with a view for each frame or for all.
        func change(isAlone: Bool) throws -> Double {
            var view = FrameEffect.depthColors(DepthColoring(.gray), isEnlarged: false)
            var (former, sum): ([Int], Double) = ([], 0)
            for number in 0..<40 {
                if isAlone { view = FrameEffect.depthColors(DepthColoring(.gray), isEnlarged: false) }
                let samples = (0..<4800).map { index -> Float in
                    let noise = Float.random(in: 4..<9, using: &random)
                    return index % 25 == 0 ? noise : 1 + Float(index % 80) / 40
                }
                var frame = frame(samples, width: 80)
                frame.time = Double(number) / 30
                var output = RenderedFrame()
                try view.render(frame, into: &output)
                let now = (0..<4800).filter { $0 % 25 != 0 }.map { Int(output.picture.samples[$0].red) }
                if !former.isEmpty {
                    sum += zip(former, now).map { Double(abs($0 - $1)) }.reduce(0, +) / Double(now.count)
                }
                former = now
            }
            return sum / 39
        }
        let (alone, steady) = (try change(isAlone: true), try change(isAlone: false))
        #expect(alone > 0.2 && steady < alone / 2, "\(alone) \(steady)")
    }

    @Test("The subject keeps its pixels, and all else is the background")
    func mask() throws {
        let view = FrameEffect.cutout(
            over: MovingBackground(RGB(red: 0, green: 255, blue: 0)), near: 1.5, far: 3)
        var frame = TestFrame()
        var output = RenderedFrame()
        for index in 0..<3 {
            MovingSquare.fill(index, hasBar: false, &frame)
            frame.time = Double(index) / 30
            let before = frame.color.samples
            try view.render(frame, into: &output)
            let box = MovingSquare.object(index).box
            for y in stride(from: 0, to: MovingSquare.height, by: 5) {
                for x in stride(from: 0, to: MovingSquare.width, by: 5) {
                    let place = y * MovingSquare.width + x
                    // Twelve pixels around the edge are six samples of the depth.
                    let (inX, inY) = (Double(x) - box.left, Double(y) - box.top)
                    if (12...48).contains(inX), (12...48).contains(inY) {
                        #expect(output.picture.samples[place] == before[place])
                    } else if inX < -12 || inX > 72 || inY < -12 || inY > 72 {
                        #expect(output.picture.samples[place] == RGB(red: 0, green: 255, blue: 0))
                    }
                }
            }
        }
    }

    @Test(
        "A hole stays part of the subject for a moment where the picture stays, and is none of it where the picture changes"
    )
    func holes() {
        var subject = SubjectMatte(near: nil, far: 3, softness: nil)
        for number in 0..<100 {
            var frame = TestFrame()
            frame.time = Double(number) / 30
            // The first and the last sample are lost in one frame, the others from frame 5 on.
            let (isFirst, isLost) = (number == 5, number >= 5)
            frame.depth = FramePlane(
                width: 4, height: 1,
                samples: [isFirst ? .nan : 2, isLost ? .nan : 2, isLost ? .nan : 2, isFirst ? .nan : 2])
            // Where the third and the last sample are lost, the picture shows the wall. The skin changes by a camera's noise only.
            let wall = RGB<UInt8>(red: 180, green: 180, blue: 180)
            let (shirt, noisy) = (RGB<UInt8>(red: 200, green: 120, blue: 110), UInt8(number % 10))
            let skin = RGB<UInt8>(red: 90 + noisy, green: 80 - noisy, blue: 70 + noisy)
            frame.color = FramePlane(
                width: 4, height: 1, samples: [skin, skin, isLost ? wall : shirt, isFirst ? wall : shirt])
            subject.add(frame)
            #expect(subject.coverage.samples[0] > 0.9)
            #expect(subject.coverage.samples[3] == (isFirst ? 0 : 1))
            if (5..<10).contains(number) {
                #expect(subject.coverage.samples[1] > 0.8)
                #expect(subject.coverage.samples[2] == 0)
            }
        }
        #expect(subject.coverage.samples[1] < 0.1)
    }

    @Test("What is nearer than a picture in the scene hides it")
    func occlusion() throws {
        let layer = RGBAImage(
            width: 4, height: 4,
            pixels: .uint8(Array(repeating: RGBA(red: 255, green: 0, blue: 0, alpha: 255), count: 16)),
            colorProfile: [])
        let view = FrameEffect.layer(layer, at: 3, center: .init(x: 0.5, y: 0.5), width: 2)
        var frame = TestFrame()
        var output = RenderedFrame()
        MovingSquare.fill(20, hasBar: false, &frame)
        let before = frame.color.samples
        try view.render(frame, into: &output)
        let picture = output.picture.samples
        // The layer is 2 m wide at 3 m: 200 pixels around the middle. The square of frame 20 is at 100…160 by 80…140.
        #expect(picture[110 * MovingSquare.width + 130] == before[110 * MovingSquare.width + 130])
        #expect(picture[180 * MovingSquare.width + 200] == RGB(red: 255, green: 0, blue: 0))
        #expect(picture[120 * MovingSquare.width + 30] == before[120 * MovingSquare.width + 30])
    }

    /// The layer alone on a scene that is far behind it.
    private func rendered(_ layer: RGBAImage, width: Float, in size: PixelSize) throws -> FramePlane<
        RGB<UInt8>
    > {
        let view = FrameEffect.layer(layer, at: 1, center: .init(x: 0.5, y: 0.5), width: width)
        var (frame, output) = (TestFrame(), RenderedFrame())
        frame.scale = .absolute
        frame.depth = FramePlane(
            width: size.width, height: size.height,
            samples: [Float](repeating: 9, count: size.width * size.height))
        frame.color = FramePlane(
            width: size.width, height: size.height,
            samples: [RGB<UInt8>](repeating: .black, count: size.width * size.height))
        try view.render(frame, into: &output)
        return output.picture
    }

    /// Half the light of white is sRGB's code 188: 255 · (1.055 · 0.5^(1/2.4) − 0.055) = 187.5.
    @Test("A layer is reduced in linear light")
    func layerLight() throws {
        let pixels = (0..<64 * 64).map { index -> RGBA<UInt8> in
            let code: UInt8 = (index + index / 64) % 2 == 0 ? 255 : 0
            return RGBA(red: code, green: code, blue: code, alpha: 255)
        }
        let layer = RGBAImage(width: 64, height: 64, pixels: .uint8(pixels), colorProfile: [])
        // f = 32 / tan 32.5° = 50.2 px of 64: 0.637 m at 1 m are 32 px, half of the layer's 64.
        let picture = try rendered(layer, width: 0.637, in: PixelSize(width: 64, height: 64))
        #expect(picture.samples[32 * 64 + 32] == RGB(red: 188, green: 188, blue: 188))
    }

    @Test("A layer of 16 bits is rounded to 8")
    func layerRounding() throws {
        let pixel = RGBA<UInt16>(red: 0x00FF, green: 0x8000, blue: 65535, alpha: 65535)
        let layer = RGBAImage(
            width: 4, height: 4, pixels: .uint16([RGBA<UInt16>](repeating: pixel, count: 16)),
            colorProfile: [])
        let picture = try rendered(layer, width: 0.637, in: PixelSize(width: 64, height: 64))
        // 255 · code / 65535 is 0.99, 127.5 and 255.
        #expect(picture.samples[32 * 64 + 32] == RGB(red: 1, green: 128, blue: 255))
    }

    @Test("Without a camera, 65° along the longer side are assumed, as for photos")
    func assumedCamera() throws {
        let layer = RGBAImage(
            width: 1, height: 1, pixels: .uint8([RGBA(red: 255, green: 0, blue: 0, alpha: 255)]),
            colorProfile: [])
        // 96 / 2 / tan 32.5° = 75.3 px: 0.5 m at 1 m are 38 columns, in portrait and landscape alike.
        for size in [PixelSize(width: 54, height: 96), PixelSize(width: 96, height: 54)] {
            let picture = try rendered(layer, width: 0.5, in: size)
            let row = picture.samples[(size.height / 2) * size.width..<(size.height / 2 + 1) * size.width]
            #expect(row.count { $0.red > 200 } == 38)
        }
    }

    @Test(
        "What left its place without depth behind it hides nothing any more; what only lost its depth still does"
    )
    func occlusionWithoutDepth() throws {
        let layer = RGBAImage(
            width: 1, height: 1, pixels: .uint8([RGBA(red: 255, green: 0, blue: 0, alpha: 255)]),
            colorProfile: [])
        let view = FrameEffect.layer(layer, at: 3, center: .init(x: 0.5, y: 0.5), width: 20)
        let (shirt, wall) = (
            RGB<UInt8>(red: 20, green: 120, blue: 110), RGB<UInt8>(red: 180, green: 180, blue: 180)
        )
        var output = RenderedFrame()
        for number in 0..<2 {
            var frame = TestFrame()
            (frame.time, frame.scale) = (Double(number) / 30, .absolute)
            // All is at 1 m, and then nothing is known. In the right half something else is seen then.
            frame.depth = FramePlane(
                width: 40, height: 30, samples: [Float](repeating: number == 0 ? 1 : .nan, count: 1200))
            frame.color = FramePlane(
                width: 40, height: 30,
                samples: (0..<1200).map { $0 % 40 >= 20 && number == 1 ? wall : shirt })
            try view.render(frame, into: &output)
        }
        let row = 15 * 40
        let left = output.picture.samples[row + 5]
        #expect(left.green > 110 && left.red < 60)
        #expect(output.picture.samples[row + 35] == RGB(red: 255, green: 0, blue: 0))
    }

    @Test("Distances in meters need a unit")
    func unit() throws {
        let layer = RGBAImage(
            width: 1, height: 1, pixels: .uint8([RGBA(red: 1, green: 1, blue: 1, alpha: 255)]),
            colorProfile: [])
        var frame = TestFrame()
        MovingSquare.fill(0, hasBar: false, &frame)
        frame.scale = .unitless
        var output = RenderedFrame()
        #expect(throws: SequenceError.noUnit) {
            try FrameEffect.layer(layer, at: 1, center: .init(x: 0.5, y: 0.5), width: nil).render(
                frame, into: &output)
        }
    }

    /// The red of a background behind a frame of a size at a time.
    private func red(_ background: MovingBackground, at time: Double, side: Int = 4) throws -> UInt8 {
        var frame = TestFrame()
        frame.time = time
        frame.color = FramePlane(
            width: side, height: side, samples: Array(repeating: .black, count: side * side))
        guard case .image(let image) = try background.shown(behind: frame.scene) else { return 0 }
        return image.eightBitPixels[0].red
    }

    @Test("A moving background goes on with the time, and begins again after its end")
    func backdrop() throws {
        let background = try background(3, damaged: [])
        let seen = try (0..<7).map { try red(background, at: (Double($0) + 0.01) / 30) }
        #expect(seen == [0, 1, 2, 0, 1, 2, 0])
    }

    private struct Damaged: Error {}

    /// Two pixels by two of a red value that is the index; `damaged` frames cannot be decoded.
    private func background(_ count: Int, damaged: Set<Int>) throws -> MovingBackground {
        try MovingBackground {
            TestFrames(count) { index, frame in
                if damaged.contains(index) { throw Damaged() }
                frame.color = FramePlane(
                    width: 2, height: 2,
                    samples: Array(repeating: RGB(red: UInt8(index), green: 0, blue: 0), count: 4))
            }
        }
    }

    @Test(
        "A background without a frame that can be decoded is one error, before any frame",
        arguments: [0, 1, 3])
    func emptyBackdrop(count: Int) {
        #expect(throws: (any Error).self) { _ = try background(count, damaged: [0, 1, 2]) }
    }

    @Test("Of a moving background, frames that cannot be decoded are counted, and the one before stays")
    func damagedBackdrop() throws {
        let background = try background(4, damaged: [0, 2])
        let seen = try (0..<4).map { try red(background, at: (Double($0) + 0.01) / 30) }
        #expect(seen == [1, 1, 1, 3] && background.damagedFrames == 2)
    }

    @Test(
        "After a long time, a moving background goes on without decoding its repetitions",
        .timeLimit(.minutes(1)))
    func longBackdrop() throws {
        let background = try background(3, damaged: [])
        _ = try red(background, at: 0, side: 2)
        // 31 years of 3 frames in 0.1 s, and one frame more.
        #expect(try red(background, at: 1e9 + 1.01 / 30, side: 2) <= 2)
    }

    /// A checkerboard of single pixels, reduced to a quarter: its mean light is half, which is sRGB's code 188.
    @Test("A background is reduced by area in linear light")
    func backgroundLight() throws {
        let background = try MovingBackground {
            TestFrames(1) { _, frame in
                let pixels = (0..<64 * 64).map { index -> RGB<UInt8> in
                    (index + index / 64) % 2 == 0 ? .white : .black
                }
                frame.color = FramePlane(width: 64, height: 64, samples: pixels)
            }
        }
        #expect(try red(background, at: 0, side: 16) == 188)
    }
}
