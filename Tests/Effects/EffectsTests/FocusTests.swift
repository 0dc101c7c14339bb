import DepthMaps
import DepthTypes
import Effects
import Testing

@Suite("Focus disparity")
struct FocusTests {
    static let map = scene(80, 60) { x, y in
        (20..<50).contains(x) && (15..<55).contains(y) ? 1.5 : x < 4 ? .nan : 0.3 + Float(y) * 0.001
    }

    @Test("The focus at a point is the median disparity around it")
    func place() {
        #expect(Self.map.focusDisparity(at: NormalizedPoint(x: 0.4, y: 0.5)) == 1.5)
        let far = Self.map.focusDisparity(at: NormalizedPoint(x: 0.9, y: 0))
        #expect(far.map { abs($0 - 0.3) < 0.002 } == true)
        // For a point outside, the edge is used, or the nearest known sample if the edge is unknown.
        #expect(Self.map.focusDisparity(at: NormalizedPoint(x: -1, y: 0.01)).map { $0 < 0.32 } == true)
        #expect(scene(3, 3) { _, _ in .nan }.focusDisparity(at: NormalizedPoint(x: 0, y: 0)) == nil)
    }

    @Test("The focus of a matte is the median over it, or else over the nearest large surface")
    func subject() {
        let coverage = (0..<80).map { UInt8($0 % 10 >= 8 ? 255 : 0) }
        let matte = Matte(width: 10, height: 8, coverage: coverage)
        #expect(Self.map.focusDisparity(of: matte).map { $0 < 0.4 } == true)
        #expect(Self.map.focusDisparity() == 1.5)
        let nothing = Matte(width: 10, height: 8, coverage: [UInt8](repeating: 0, count: 80))
        #expect(Self.map.focusDisparity(of: nothing) == 1.5)
        #expect(scene(3, 3) { _, _ in 0.25 }.focusDisparity() == 0.25)
        #expect(scene(3, 3) { _, _ in .nan }.focusDisparity() == nil)
    }

    @Test("What was too near to be measured is the subject only where it is a quarter of the picture")
    func clipped() {
        // A ground at 1/m, a subject of 30 % that bulges around 2/m, and a leaf at the end of the range.
        func focus(leaf: Int) -> Float? {
            let samples = (0..<1000).map { index -> Float in
                if index < leaf { return 4 }
                return index < leaf + 300 ? 2 + Float(index % 7) / 100 : 1
            }
            return DisparityMap(width: 40, height: 25, reciprocalMeters: samples, scale: .absolute)
                .focusDisparity()
        }
        for leaf in [70, 150, 249] {
            #expect(abs((focus(leaf: leaf) ?? 0) - 2.03) < 0.06, "\(leaf)")
        }
        #expect(focus(leaf: 260) == 4)
    }

    @Test("Disparities whose differences overflow are ignored")
    func extremes() {
        let map = scene(30, 30) { x, y in x == 0 ? 3e38 : y == 0 ? -3e38 : 0.25 }
        #expect(map.focusDisparity() == 0.25)
    }
}
