import DepthMaps
import DepthTypes
import Scenes
import TestFrames
import Testing

@testable import Effects

@Suite("Mattes that frames bring along")
struct StoredMatteTests {
    private static let (width, height) = (48, 32)

    /// A bright square before a dark wall; its matte is right but for a column that comes and goes.
    private func frame(_ index: Int, left: Int, flickers: Bool) -> TestFrame {
        var frame = TestFrame()
        frame.time = Double(index) / 30
        let (width, height) = (Self.width, Self.height)
        func isSquare(_ x: Int, _ y: Int) -> Bool { (left..<left + 16).contains(x) && (8..<24).contains(y) }
        frame.planes.color.overwrite(width: width, height: height, fill: .black) { pixels in
            for place in 0..<width * height {
                let gray: UInt8 = isSquare(place % width, place / width) ? 220 : 40
                pixels[place] = RGB(red: gray, green: gray, blue: gray)
            }
        }
        frame.planes.matte.overwrite(width: width, height: height, fill: 0) { matte in
            for place in 0..<width * height {
                let isExtra =
                    flickers && index % 2 == 1 && place % width == left + 16
                    && (8..<24).contains(place / width)
                matte[place] = isExtra || isSquare(place % width, place / width) ? 255 : 0
            }
        }
        return frame
    }

    @Test("An edge that flickers in a still picture is steadied")
    func still() {
        var matte = StoredMatte()
        var (changes, former): (Float, Float?) = (0, nil)
        for index in 0..<30 {
            let frame = frame(index, left: 10, flickers: true)
            matte.add(Matte(frame.matte), of: frame.color, at: frame.time)
            let now = matte.coverage.samples[16 * Self.width + 26]
            if index >= 10, let former { changes = max(changes, abs(now - former)) }
            former = now
            #expect(matte.coverage.samples[16 * Self.width + 18] == 1)
            #expect(matte.coverage.samples[2 * Self.width + 2] == 0)
        }
        // Without steadying each change is 1.
        #expect(changes < 0.25)
    }

    @Test("What moves leaves no trail")
    func moving() {
        var matte = StoredMatte()
        for index in 0..<10 {
            let frame = frame(index, left: 4 + 2 * index, flickers: false)
            matte.add(Matte(frame.matte), of: frame.color, at: frame.time)
        }
        let row = Array(matte.coverage.samples[16 * Self.width..<17 * Self.width])
        #expect(row == (0..<Self.width).map { (22..<38).contains($0) ? 1 : 0 })
    }

    @Test("A mask is what the matte covers, and a frame without one is an error")
    func view() throws {
        let view = FrameEffect.cutout(
            over: MovingBackground(RGB(red: 0, green: 255, blue: 0)), mattes: [.matte])
        var (frame, output) = (frame(0, left: 10, flickers: false), RenderedFrame())
        try view.render(frame, into: &output)
        #expect(output.picture.samples[16 * Self.width + 18] == RGB(red: 220, green: 220, blue: 220))
        #expect(output.picture.samples[2 * Self.width + 40] == RGB(red: 0, green: 255, blue: 0))
        frame = self.frame(1, left: 10, flickers: false)
        frame.matte.clear()
        #expect(throws: SequenceError.noMatte) { try view.render(frame, into: &output) }
    }
}

extension Matte {
    fileprivate init(_ plane: FramePlane<UInt8>) {
        self.init(width: plane.width, height: plane.height, coverage: plane.samples)
    }
}
