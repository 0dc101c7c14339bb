internal import DepthMaps
internal import DepthTypes
import TestSupport
internal import Testing

/// Computed scenes: near surfaces are red and far ones blue, with any amount of texture.
@Suite("Guided upsampling")
struct GuidedUpsamplingTests {
    static let near = RGB<UInt8>(red: 190, green: 90, blue: 60)
    static let far = RGB<UInt8>(red: 60, green: 110, blue: 170)

    static func textured(_ color: RGB<UInt8>, _ amount: Int, _ noise: inout SplitMix) -> RGB<UInt8> {
        let change = Int(noise.fraction() * Float(amount)) - amount / 2
        return RGB(
            red: UInt8(Int(color.red) + change), green: UInt8(Int(color.green) + change),
            blue: UInt8(Int(color.blue) + change))
    }

    @Test("A constant map stays constant for any photo")
    func flat() throws {
        var noise = SplitMix(seed: 3)
        let guide = photo(80, 60) { _, _ in Self.textured(Self.near, 120, &noise) }
        let result = try disparities(16, 12) { _, _ in 0.7 }.upsampled(guidedBy: guide)
        #expect(result.width == 80 && result.height == 60)
        #expect(result.samples.allSatisfy { $0 == 0.7 })
    }

    // Edges at every offset within a sample of 5 pixels.
    @Test("A depth step follows the photo's edge without ringing", arguments: 48..<58)
    func step(edge: Int) throws {
        var noise = SplitMix(seed: 4)
        let guide = photo(100, 60) { x, _ in Self.textured(x < edge ? Self.near : Self.far, 20, &noise) }
        // The sample of columns 5x…5x + 4 has the value at its middle.
        let map = disparities(20, 12) { x, _ in 5 * x + 2 < edge ? 1.5 : 0.5 }
        let result = try map.upsampled(guidedBy: guide)
        for y in 0..<60 {
            let row = result.samples[y * 100..<(y + 1) * 100]
            #expect(row.allSatisfy { (0.5...1.5).contains($0) })
            let between = row.filter { (0.6...1.4).contains($0) }.count
            #expect(between <= 2)
            let found = row.filter { $0 > 1 }.count
            #expect(abs(found - edge) <= 1)
        }
    }

    @Test("A sample that covers both sides of an edge leaves no rim")
    func mixed() throws {
        let guide = photo(100, 60) { x, _ in x < 52 ? Self.near : Self.far }
        // Sample 10 covers columns 50…54, two of them near.
        let map = disparities(20, 12) { x, _ in x < 10 ? 1.5 : x == 10 ? 0.9 : 0.5 }
        let row = try map.upsampled(guidedBy: guide).samples[3000..<3100]
        #expect(row.filter { (0.6...1.4).contains($0) }.count <= 2)
        #expect(abs(row.filter { $0 > 1 }.count - 52) <= 1)
    }

    @Test("A disc comes out rounder than with bilinear interpolation")
    func disc() throws {
        func isNear(_ x: Float, _ y: Float) -> Bool { (x - 60) * (x - 60) + (y - 44) * (y - 44) < 30 * 30 }
        func value(_ x: Float, _ y: Float) -> Float { isNear(x, y) ? 1.2 + 0.002 * x : 0.4 + 0.001 * y }
        var noise = SplitMix(seed: 5)
        let guide = photo(120, 90) { x, y in
            Self.textured(isNear(Float(x) + 0.5, Float(y) + 0.5) ? Self.near : Self.far, 30, &noise)
        }
        let map = disparities(24, 18) { x, y in value(5 * Float(x) + 2.5, 5 * Float(y) + 2.5) }
        func error(_ samples: [Float]) -> Float {
            samples.indices.reduce(0) { sum, index in
                sum + abs(samples[index] - value(Float(index % 120) + 0.5, Float(index / 120) + 0.5))
            } / Float(samples.count)
        }
        let bilinear = error(map.resampled(toWidth: 120, height: 90, by: .bilinear).samples)
        #expect(try error(map.upsampled(guidedBy: guide).samples) < 0.25 * bilinear)
    }

    @Test("A slope without edges equals bilinear interpolation for any photo")
    func slope() throws {
        let map = disparities(128, 8) { x, _ in 0.1 + 0.01 * Float(x) }
        var noise = SplitMix(seed: 6)
        let guide = photo(512, 32) { _, _ in Self.textured(Self.far, 100, &noise) }
        let result = try map.upsampled(guidedBy: guide).samples
        let bilinear = map.resampled(toWidth: 512, height: 32, by: .bilinear).samples
        // The same arithmetic in another order, on numbers below 2.
        #expect(zip(result, bilinear).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("Unknown and infinite samples stay where they are nearest and do not spread")
    func unknown() throws {
        let map = disparities(10, 10) { x, y in
            (3...5).contains(x) && (3...5).contains(y) ? .nan : (x, y) == (8, 8) ? .infinity : 0.5
        }
        let guide = photo(50, 50) { x, y in x % 10 < y % 7 ? Self.near : Self.far }
        let result = try map.upsampled(guidedBy: guide).samples
        for index in result.indices {
            let source = map.samples[index / 50 / 5 * 10 + index % 50 / 5]
            #expect(source.isNaN ? result[index].isNaN : result[index] == source)
        }
    }

    @Test("Upsampling handles unknown maps, single samples and 16-bit photos")
    func extremes() throws {
        let guide = photo(7, 5) { _, _ in Self.near }
        #expect(try disparities([[.nan, .nan]]).upsampled(guidedBy: guide).samples.allSatisfy { $0.isNaN })
        #expect(try disparities([[0.25]]).upsampled(guidedBy: guide).samples.allSatisfy { $0 == 0.25 })
        let pixels = (0..<32).map { x in
            x < 17 ? RGB<UInt16>(red: 60000, green: 0, blue: 0) : RGB(red: 0, green: 0, blue: 50000)
        }
        let deep = ColorImage(width: 32, height: 1, pixels: .uint16(pixels), colorProfile: [])
        let result = try disparities([[2, 2, 2, 2, 1, 1, 1, 1]]).upsampled(guidedBy: deep).samples
        // Every sample keeps a millionth of its weight.
        #expect((0..<32).allSatisfy { abs(result[$0] - ($0 < 17 ? 2 : 1)) < 1e-5 })
    }

    // The step is 1/40 of the spread, which a second step far away makes 0.8: less than a jump.
    @Test("A small step of depth follows the photo's edge", arguments: 48..<53)
    func smallStep(edge: Int) throws {
        var noise = SplitMix(seed: 8)
        let guide = photo(200, 100) { x, _ in Self.textured(x < edge ? Self.near : Self.far, 8, &noise) }
        // A sample is the mean of the five pixels that it covers.
        func value(_ x: Int) -> Float { x < edge ? 0.52 : x < 150 ? 0.5 : 1.3 }
        let map = disparities(40, 20) { x, _ in (5 * x..<5 * x + 5).reduce(0) { $0 + value($1) } / 5 }
        let result = try map.upsampled(guidedBy: guide).samples
        let bilinear = map.resampled(toWidth: 200, height: 100, by: .bilinear).samples
        func error(_ samples: [Float]) -> Float {
            (30..<70).reduce(0) { $0 + abs(samples[50 * 200 + $1] - value($1)) }
        }
        // Measured: 0.46 at most, by where in a sample the edge is.
        #expect(error(result) < 0.5 * error(bilinear))
    }

    @Test("A slope in 8-bit codes comes out without their steps")
    func coded() throws {
        var noise = SplitMix(seed: 9)
        let guide = photo(768, 256) { _, _ in Self.textured(Self.far, 8, &noise) }
        let step: Float = 1 / 255
        func exact(_ x: Float, _ y: Float) -> Float { 0.1 + 0.8 * x + 0.1 * y }
        let map = disparities(256, 96) { x, y in
            (exact((Float(x) + 0.5) / 256, (Float(y) + 0.5) / 96) / step).rounded() * step
        }
        let result = try map.upsampled(guidedBy: guide).samples
        let errors = (0..<256 * 768).map { index in
            abs(result[index] - exact((Float(index % 768) + 0.5) / 768, (Float(index / 768) + 0.5) / 256))
        }
        // Rounding to codes is off by a quarter of a step on average.
        #expect(errors.reduce(0, +) / Float(errors.count) < 0.2 * step)
        #expect(errors.allSatisfy { $0 <= 2 * step })
    }

    @Test("What a codec left beside an edge is not enlarged")
    func ringing() throws {
        var noise = SplitMix(seed: 10)
        let guide = photo(300, 200) { x, _ in Self.textured(x < 100 ? Self.near : Self.far, 8, &noise) }
        let step: Float = 1 / 255
        // One code up or down in a checkered strip, as around an edge in JPEG; a slope elsewhere makes 200 codes.
        let map = disparities(100, 66) { x, y in
            if x < 33 { return 220 * step }
            if x < 40 { return (100 + Float((x + y) % 2)) * step }
            return (100 - Float((x - 40) * 3 / 2).rounded()) * step
        }
        let row = try map.upsampled(guidedBy: guide).samples[100 * 300..<101 * 300]
        let strip = row[row.startIndex + 106..<row.startIndex + 116]
        #expect((strip.max() ?? 1) - (strip.min() ?? 0) < 0.3 * step)
    }

    @Test("Depth is upsampled as disparity")
    func depth() throws {
        let map = DepthMap(width: 2, height: 1, meters: [4, 4], scale: .absolute)
        let result = try map.upsampled(guidedBy: photo(6, 3) { _, _ in Self.far })
        #expect(result.meters == Array(repeating: 4, count: 18))
    }

    @Test("An upsampled matte follows the photo's edge and keeps soft areas soft")
    func matte() throws {
        let guide = photo(80, 20) { x, _ in x < 42 ? Self.near : Self.far }
        // Sample 10 covers columns 40…43, half of them subject.
        let coverage = (0..<100).map { UInt8($0 % 20 < 10 ? 255 : $0 % 20 == 10 ? 128 : 0) }
        let matte = try Matte(width: 20, height: 5, coverage: coverage).upsampled(guidedBy: guide)
        let row = Array(matte.coverage[800..<880])
        #expect(row[..<36].allSatisfy { $0 == 255 } && row[48...].allSatisfy { $0 == 0 })
        #expect(row[41] > 190 && row[42] < 65)
        let even = Matte(width: 4, height: 4, coverage: Array(repeating: 77, count: 16))
        #expect(try even.upsampled(guidedBy: guide).coverage.allSatisfy { $0 == 77 })
    }
}
