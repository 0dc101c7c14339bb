import DepthMaps
import DepthTypes
import Effects
import Testing

@Suite("The lens of a camera's blur")
struct RenderedLensTests {
    static let (width, height) = (320, 100)
    /// From 1/m at the left to 3/m at the right.
    static let ramp = scene(width, height) { x, _ in 1 + 2 * Float(x) / Float(width - 1) }
    static let original = noise(width, height, seed: 7).softened

    /// The original as a camera renders it: each pixel is the mean light of its own disc, whose rim is antialiased.
    private static func rendered(_ radius: (Float) -> Float) -> ColorImage {
        let (light, map) = (original.bytes.map(\.light.x), ramp.reciprocalMeters)
        return photo(width, height) { x, y in
            let radius = radius(map[y * width + x])
            let reach = Int(radius + 0.5)
            var (sum, total) = (Float(0), Float(0))
            for dy in -reach...reach {
                for dx in -reach...reach {
                    let weight = min(max(radius + 0.5 - Float(dx * dx + dy * dy).squareRoot(), 0), 1)
                    let (x, y) = (min(max(x + dx, 0), width - 1), min(max(y + dy, 0), height - 1))
                    sum += light[y * width + x] * weight
                    total += weight
                }
            }
            return SIMD3(repeating: sum / total).code
        }
    }

    @Test(
        "Its sharp range and slope are measured by comparing the rendering with the original",
        arguments: [
            // A lens focused in the scene; a sharp range; a sharp range that extends to the nearest part of the scene.
            (Float(1.8)...1.8, Float(8)), (1.7...2.4, 10), (2...3, 8),
        ])
    func measured(sharp: ClosedRange<Float>, slope: Float) throws {
        let rendering = Self.rendered { slope * max(sharp.lowerBound - $0, $0 - sharp.upperBound, 0) }
        let lens = try #require(
            RenderedLens(of: rendering, original: Self.original, disparity: Self.ramp))
        // A step is 0.0625/m.
        #expect(abs(lens.sharp.lowerBound - sharp.lowerBound) < 0.1, "\(lens)")
        #expect(abs(lens.sharp.upperBound - sharp.upperBound) < 0.1, "\(lens)")
        #expect(abs(lens.radiusPerDisparity * 320 / slope - 1) < 0.12, "\(lens)")
    }

    @Test("A rendering without blur, and one that shows something else, have none")
    func none() {
        #expect(RenderedLens(of: Self.original, original: Self.original, disparity: Self.ramp) == nil)
        let other = noise(Self.width, Self.height, seed: 8).softened
        #expect(RenderedLens(of: other, original: Self.original, disparity: Self.ramp) == nil)
        let flat = scene(Self.width, Self.height) { _, _ in 1 }
        let rendering = Self.rendered { _ in 4 }
        #expect(RenderedLens(of: rendering, original: Self.original, disparity: flat) == nil)
        let empty = scene(0, 0) { _, _ in 1 }
        #expect(RenderedLens(of: gray(9, 0, 0), original: gray(9, 0, 0), disparity: empty) == nil)
    }

    @Test("The lens of Lens Blur has the radius at infinity that the file declares")
    func lensBlur() throws {
        let lens = try #require(RenderedLens(focus: 0.05, blurAtInfinity: 0.0125))
        // 0.0125 of the longer side at a disparity of 0, 0.05 from the focus.
        #expect(abs(lens.radiusPerDisparity * 0.05 - 0.0125) < 1e-6)
        #expect(lens.sharp == 0.05...0.05)
        #expect(RenderedLens(focus: 0.05, blurAtInfinity: 0) == nil)
        #expect(RenderedLens(focus: 0, blurAtInfinity: 0.1) == nil)
        #expect(RenderedLens(focus: .infinity, blurAtInfinity: 0.1) == nil)
    }
}

extension ColorImage {
    /// The means of 3 × 3 values of red, as gray: texture that survives a small blur.
    fileprivate var softened: ColorImage {
        let codes = bytes
        return photo(width, height) { x, y in
            var sum = 0
            for dy in -1...1 {
                for dx in -1...1 {
                    let (x, y) = (min(max(x + dx, 0), width - 1), min(max(y + dy, 0), height - 1))
                    sum += Int(codes[y * width + x].red)
                }
            }
            return gray(UInt8(sum / 9))
        }
    }
}
