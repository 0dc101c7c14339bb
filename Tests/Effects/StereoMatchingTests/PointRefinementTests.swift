import Testing

@testable import StereoMatching

@Suite("PointRefinement")
struct PointRefinementTests {
    private static func picture(_ move: SIMD2<Double> = [0, 0], brightness: Double = 0) -> GrayImage {
        GrayImage(
            width: 60, height: 60,
            samples: (0..<3600).map { index in
                let (x, y) = (Double(index % 60) - move.x, Double(index / 60) - move.y)
                return UInt8(128 + brightness + 25 * StereoScene.texture(x, y, 5))
            })
    }

    @Test(
        "A move by fractions of a pixel is found to a twentieth",
        arguments: [[0.3, 0.2], [-0.7, 0.45], [1.1, -1.2], [0, 0]] as [SIMD2<Double>])
    func fractions(move: SIMD2<Double>) throws {
        let refinement = try #require(PointRefinement(Self.picture(), [30, 30]))
        let found = try #require(refinement.move(in: Self.picture(move, brightness: 20), from: [30, 30]))
        #expect(abs(found.x - move.x) <= 0.05 && abs(found.y - move.y) <= 0.05)
    }

    @Test("A stripe has no position along itself, and a border no window")
    func undetermined() {
        let stripes = GrayImage(
            width: 60, height: 60, samples: (0..<3600).map { UInt8(20 * ($0 % 60 % 9)) })
        #expect(PointRefinement(stripes, [30, 30]) == nil)
        #expect(PointRefinement(Self.picture(), [6, 30]) == nil)
        #expect(PointRefinement(Self.picture(), [30, 30])?.move(in: Self.picture(), from: [30, 53]) == nil)
    }
}
