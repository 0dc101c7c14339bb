import DepthMaps
import DepthTypes
import Testing

@testable import Effects

@Suite("Maps settled along mattes")
struct SettlingTests {
    private static let (width, height) = (96, 72)

    /// A disc's fraction of each pixel of a picture of `scale` pixels to a sample, with a rim of `softness` samples.
    private func coverage(radius: Float, scale: Int, softness: Float) -> [Float] {
        (0..<Self.width * Self.height * scale * scale).map { index in
            let pixel = SIMD2(Float(index % (Self.width * scale)), Float(index / (Self.width * scale)))
            let offset = (pixel + 0.5) / Float(scale) - 0.5 - SIMD2(47.3, 35.8)
            let distance = (offset * offset).sum().squareRoot()
            return min(max(0.5 - (distance - radius) / softness, 0), 1)
        }
    }

    @Test(
        "A disc ends where its matte is half, though the map's disc is smaller or larger",
        arguments: [18, 22] as [Float])
    func disc(radius: Float) throws {
        let map = DisparityMap(
            width: Self.width, height: Self.height,
            reciprocalMeters: coverage(radius: radius, scale: 1, softness: 0.01).map { 0.5 + $0 / 2 },
            scale: .absolute)
        let matte = Matte(
            width: 3 * Self.width, height: 3 * Self.height,
            coverage: coverage(radius: 20, scale: 3, softness: 2).map { UInt8($0 * 255 + 0.5) })
        let settled = map.settled(along: matte).reciprocalMeters
        let half = coverage(radius: 20, scale: 1, softness: 0.001)
        let wrong = settled.indices.count { abs(settled[$0] - (0.5 + half[$0] / 2)) > 0.02 }
        // About 250 samples are between the two discs; of the 126 on the circle, some are cut in the middle.
        #expect(wrong <= 12, "\(wrong)")
    }
}
