internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Testing

@Suite("Mattes")
struct MatteTests {
    @Test("Removing coding noise leaves 0 and 255 in nearly uniform areas")
    func settled() {
        let noisy = matte(9, 5) { x, y in x < 4 ? UInt8((x * 5 + y * 3) % 9) : UInt8(247 + (x + y) % 9) }
        let result = noisy.removingCodingNoise()
        for index in result.coverage.indices {
            let x = index % 9
            #expect(result.coverage[index] == (x < 3 ? 0 : x > 4 ? 255 : noisy.coverage[index]))
        }
        let soft = matte(6, 6) { _, _ in 9 }
        #expect(soft.removingCodingNoise() == soft)
    }

    @Test("The union of two mattes has the larger size")
    func union() {
        let large = matte(4, 4) { x, _ in x < 2 ? 128 : 0 }
        let small = matte(2, 2) { _, y in y == 0 ? 128 : 128 }
        // 1 − (1 − 128/255)² = 0.75196 = 191.75/255.
        #expect(small.union(with: large).coverage == large.coverage.map { $0 == 0 ? 128 : 192 })
        #expect(large.union(with: small) == small.union(with: large))
    }

    @Test("Refining a half-size matte recovers a strand one pixel wide")
    func strand() throws {
        func truth(_ x: Int) -> UInt8 { x < 20 ? 255 : x == 41 ? 200 : 0 }
        let picture = photo(64, 64) { x, _ in
            ForegroundEstimationTests.mixed(truth(x))
        }
        let half = matte(32, 32) { x, _ in UInt8((Int(truth(2 * x)) + Int(truth(2 * x + 1))) / 2) }
        let refined = try Cutout(picture, along: half, curve: TransferFunction(light: [0, 1])).refined().matte
        #expect(refined.width == 64 && refined.height == 64)
        let row = refined.coverage[64 * 30..<64 * 31].map(Int.init)
        // The strand's foreground color is known only to a tenth, as is its opacity.
        #expect(abs(row[41] - 200) < 26 && row[40] < 26 && row[42] < 26)
        #expect(row[..<17].allSatisfy { $0 == 255 } && row[46...].allSatisfy { $0 == 0 })
    }

    /// Opaque dark texture on the left, up to column 100 of 160, in front of a bright background.
    static let darkBeforeBright = photo(160, 96) { x, y in
        let grain = UInt8((x * 7 + y * 13) % 17)
        return x < 100
            ? RGB(red: 20 + grain, green: 16 + grain, blue: 14 + grain)
            : RGB(red: 190 + grain, green: 200 + grain, blue: 210 + grain)
    }

    @Test("Refining makes a matte of 0.85 full over an opaque dark subject", arguments: [UInt8(217), 230])
    func tooLow(code: UInt8) throws {
        let biased = matte(80, 48) { x, _ in x < 16 ? 255 : x < 49 ? code : x < 51 ? 100 : 0 }
        let refined = try Cutout(Self.darkBeforeBright, along: biased).refined().matte
        for y in 0..<96 {
            // Values from 247 become 255 as coding noise; the edge is wrong in the matte itself.
            for x in 0..<92 { #expect(refined.coverage[y * 160 + x] >= 247) }
            for x in 106..<160 { #expect(refined.coverage[y * 160 + x] <= 8) }
        }
    }

    @Test("Refining removes a faint rim over plain background")
    func tooHigh() throws {
        let biased = matte(80, 48) { x, _ in x < 50 ? 255 : x < 62 ? 24 : 0 }
        let refined = try Cutout(Self.darkBeforeBright, along: biased).refined().matte
        for y in 0..<96 {
            for x in 0..<96 { #expect(refined.coverage[y * 160 + x] == 255) }
            // Down from 24; next to the edge colors are mixed.
            for x in 104..<160 { #expect(refined.coverage[y * 160 + x] <= 8) }
        }
    }

    @Test("Refining keeps a half-transparent pane whose colors agree with the matte")
    func pane() throws {
        let curve = TransferFunction(light: [0, 1])
        let picture = photo(160, 96) { x, y in
            let grain = UInt8((x * 7 + y * 13) % 17)
            // 20 + grain in front of 200 + grain, with fractions of 0.6 and 0.4.
            return x < 60 ? gray(20 + grain) : x < 110 ? gray(92 + grain) : gray(200 + grain)
        }
        let exact = matte(80, 48) { x, _ in x < 30 ? 255 : x < 55 ? 153 : 0 }
        let refined = try Cutout(picture, along: exact, curve: curve).refined().matte
        for y in 0..<96 {
            // The grain is a tenth of the difference.
            for x in 64..<106 { #expect(abs(Int(refined.coverage[y * 160 + x]) - 153) < 26) }
        }
    }

    /// Texture that is as dark as the background: the photo's light says nothing about coverage.
    @Test("Refining leaves no speckle where the matte is flat and the photo contradicts it")
    func flatBand() throws {
        func grain(_ x: Int, _ y: Int) -> Int { (x * 7 + y * 13 + x * y * 5) % 31 - 15 }
        let picture = photo(240, 160) { x, y in
            gray(UInt8(x < 200 ? 40 + grain(x, y) / 2 : 70 + grain(x, y) / 6))
        }
        // The band has the noise of coding: 217 ± 2.
        let coded = matte(120, 80) { x, y in
            x < 60 ? 255 : x < 100 ? UInt8(215 + (x * 3 + y * 7) % 5) : 0
        }
        let refined = try Cutout(picture, along: coded).refined().matte
        var (sum, squares, count) = (0.0, 0.0, 0.0)
        for y in 20..<140 {
            for x in 136..<184 {
                let code = Double(refined.coverage[y * 240 + x])
                (sum, squares, count) = (sum + code, squares + code * code, count + 1)
            }
        }
        let mean = sum / count
        #expect(abs(mean - 217) < 1)
        // 0.012 of full coverage.
        #expect((squares / count - mean * mean).squareRoot() < 0.012 * 255)
    }

    @Test("Refining keeps a uniform matte for any photo")
    func even() throws {
        for code: UInt8 in [0, 255] {
            let refined = try Cutout(noise(40, 30, seed: 8), along: matte(20, 15) { _, _ in code }).refined()
                .matte
            #expect(refined.coverage.allSatisfy { $0 == code })
        }
    }

    @Test("Refining a matte of the photo's size only removes coding noise")
    func fullSize() throws {
        let full = matte(40, 30) { x, _ in x < 10 ? 255 : x < 20 ? 100 : 3 }
        #expect(try Cutout(noise(40, 30, seed: 9), along: full).refined().matte == full.removingCodingNoise())
    }
}
