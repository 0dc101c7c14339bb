import DepthMaps
import DepthTypes
import Scenes
import TestFrames
import Testing

@testable import Effects

/// Results from a photo and from a frame of the same scene agree.
@Suite("Photos and frames")
struct StillAndLiveTests {
    private static let size = PixelSize(width: 96, height: 72)

    /// A frame of the size of a scene of one gray, with distances by column.
    private static func frame(_ distance: (Int) -> Float) -> TestFrame {
        let (width, height) = (size.width, size.height)
        var frame = TestFrame()
        frame.scale = .absolute
        let row: [Float] = (0..<width).map(distance)
        let rows = [[Float]](repeating: row, count: height)
        frame.depth = FramePlane(width: width, height: height, samples: Array(rows.joined()))
        let pixel: RGB<UInt8> = gray(100)
        frame.color = FramePlane(
            width: width, height: height, samples: [RGB<UInt8>](repeating: pixel, count: width * height))
        return frame
    }

    private static func photo() -> ColorImage { gray(100, size.width, size.height) }

    /// Half-transparent and opaque fields of 16 bits.
    private static let layer: RGBAImage = {
        var pixels: [RGBA<UInt16>] = []
        for index in 0..<64 {
            let red: UInt16 = index % 2 == 0 ? 60_000 : 2_000
            let alpha: UInt16 = index / 8 % 3 == 0 ? 30_000 : 65_535
            pixels.append(RGBA(red: red, green: UInt16(900 * index), blue: 20_000, alpha: alpha))
        }
        return RGBAImage(width: 8, height: 8, pixels: .uint16(pixels), colorProfile: [])
    }()

    /// Meters of the layer's width: the layer is reduced, and enlarged.
    @Test(
        "A layer at a distance looks alike in a photo and in a frame without a camera",
        arguments: [0.15, 0.8])
    func layers(width: Double) throws {
        let camera = CameraCandidates().camera(for: Self.size).calibration
        let center = NormalizedPoint(x: 0.4, y: 0.55)
        // Columns up to 47 are nearer than the layer, the others farther.
        let still = Self.photo().inserting(
            Self.layer, at: LayerPlacement(distance: 2, center: center, width: Float(width)),
            focalLength: Float(camera.focalLengthX),
            scene: scene(Self.size.width, Self.size.height) { x, _ in x < 48 ? 1 : 0.2 })
        let view = FrameEffect.layer(Self.layer, at: 2, center: center, width: Float(width))
        var output = RenderedFrame()
        try view.render(Self.frame { $0 < 48 ? 1 : 5 }, into: &output)
        // Around the edge, frames have a guided filter of two samples and two more, and photos three pixels.
        for index in still.bytes.indices where !(42..<54).contains(index % Self.size.width) {
            let (expected, found) = (still.bytes[index], output.picture.samples[index])
            #expect(abs(Int(expected.red) - Int(found.red)) <= 1, "pixel \(index)")
            #expect(abs(Int(expected.green) - Int(found.green)) <= 1, "pixel \(index)")
            #expect(abs(Int(expected.blue) - Int(found.blue)) <= 1, "pixel \(index)")
        }
    }

    @Test("A cut-out takes the same distances of a photo and of a frame")
    func cutout() throws {
        // 1 m to 4 m, linear in disparity, so that photos and frames interpolate alike.
        func disparity(_ column: Int) -> Float { 1 - 0.75 * Float(column) / 95 }
        let selection = DepthSelection.meters(near: nil, far: 2, softness: 0.5)
        let still = try scene(Self.size.width, Self.size.height) { x, _ in disparity(x) }
            .mask(selection, guidedBy: Self.photo()).matte
        var subject = SubjectMatte(near: nil, far: 2, softness: 0.5)
        subject.add(Self.frame { 1 / disparity($0) })
        for column in 0..<still.width {
            let samples = subject.coverage.samples[2 * column...2 * column + 1]
            let live = samples.reduce(0, +) / 2
            #expect(abs(Float(still.coverage[column]) / 255 - live) < 0.01, "column \(column)")
        }
        // Coverage is 1 up to 2 m, 0 from 2.5 m on, and a half in the middle between 1/2 and 1/2.5 per meter.
        var ends = SubjectMatte(near: nil, far: 2, softness: 0.5)
        ends.add(Self.frame { $0 < 32 ? 2 : $0 < 64 ? 2.5 : 1 / 0.45 })
        #expect(abs(ends.coverage.samples[0] - 1) < 1e-3 && ends.coverage.samples[32] < 1e-3)
        #expect(abs(ends.coverage.samples[64] - 0.5) < 1e-3)
    }

    @Test("A distance has the same color in a photo and in a frame")
    func colors() throws {
        var distances = (0..<1000).map { (index: Int) -> Float in 1 + Float(index) * 2 / 999 }
        distances[500] = .nan
        let map = DepthMap(width: 1000, height: 1, meters: distances, scale: .absolute)
        let still = map.normalized().inverted.colored(by: .gray).bytes
        let view = FrameEffect.depthColors(DepthColoring(.gray, near: 1, far: 3), isEnlarged: false)
        var (frame, output) = (TestFrame(), RenderedFrame())
        frame.depth = FramePlane(width: 1000, height: 1, samples: distances)
        try view.render(frame, into: &output)
        let differences = zip(still, output.picture.samples).map { abs(Int($0.red) - Int($1.red)) }
        // Frames round to 128ths of a color: one sample in 128 is on the other side of a border.
        #expect(differences.allSatisfy { $0 <= 1 } && differences.count { $0 > 0 } <= 16)
        // 1.5 m is a quarter of the way: (1 − 0.25) · 256 = 192.
        #expect(still[250].red == 191 && output.picture.samples[250].red == 191)
    }
}

extension SubjectMatte {
    /// Adds a frame of a test.
    mutating func add(_ frame: TestFrame) {
        guard let map = frame.map else { return }
        add(map, confidence: frame.confidence.samples, frame.color, at: frame.time)
    }
}
