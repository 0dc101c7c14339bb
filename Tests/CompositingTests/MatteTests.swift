internal import Compositing
internal import DepthCore
internal import DepthModel
internal import Testing

@Suite("Mattes for compositing")
struct MatteTests {
    @Test("settle to 0 and 255 where they are even but for noise")
    func settled() {
        let noisy = matte(9, 5) { x, y in x < 4 ? UInt8((x * 5 + y * 3) % 9) : UInt8(247 + (x + y) % 9) }
        let result = noisy.settled()
        for index in result.coverage.indices {
            let x = index % 9
            #expect(result.coverage[index] == (x < 3 ? 0 : x > 4 ? 255 : noisy.coverage[index]))
        }
        let soft = matte(6, 6) { _, _ in 9 }
        #expect(soft.settled() == soft)
    }

    @Test("unite at the larger size")
    func union() {
        let large = matte(4, 4) { x, _ in x < 2 ? 128 : 0 }
        let small = matte(2, 2) { _, y in y == 0 ? 128 : 128 }
        // 1 − (1 − 128/255)² = 0.75196 = 191.75/255.
        #expect(small.union(with: large).coverage == large.coverage.map { $0 == 0 ? 128 : 192 })
        #expect(large.union(with: small) == small.union(with: large))
    }

    @Test("a strand one pixel wide comes back from half size, at its place and in its strength")
    func strand() throws {
        func truth(_ x: Int) -> UInt8 { x < 20 ? 255 : x == 41 ? 200 : 0 }
        let picture = photo(64, 64) { x, _ in
            ForegroundEstimationTests.mixed(truth(x))
        }
        let half = matte(32, 32) { x, _ in UInt8((Int(truth(2 * x)) + Int(truth(2 * x + 1))) / 2) }
        let refined = try Cutout(picture, along: half, curve: ToneCurve(light: [0, 1])).refined().matte
        #expect(refined.width == 64 && refined.height == 64)
        let row = refined.coverage[64 * 30..<64 * 31].map(Int.init)
        // Foreground colors of a strand are known no better than its strength: a tenth.
        #expect(abs(row[41] - 200) < 26 && row[40] < 26 && row[42] < 26)
        #expect(row[..<17].allSatisfy { $0 == 255 } && row[46...].allSatisfy { $0 == 0 })
    }

    @Test("refining leaves what is even alone, whatever the photo shows")
    func even() throws {
        for code: UInt8 in [0, 255] {
            let refined = try Cutout(noise(40, 30, seed: 8), along: matte(20, 15) { _, _ in code }).refined()
                .matte
            #expect(refined.coverage.allSatisfy { $0 == code })
        }
    }

    @Test("a matte as large as the photo is only settled")
    func fullSize() throws {
        let full = matte(40, 30) { x, _ in x < 10 ? 255 : x < 20 ? 100 : 3 }
        #expect(try Cutout(noise(40, 30, seed: 9), along: full).refined().matte == full.settled())
    }
}
