internal import DepthMaps
internal import Effects
internal import TestSupport
internal import Testing

@Suite("Edges of mattes")
struct MatteEdgesTests {
    private static let bright = RGB<UInt8>(red: 200, green: 205, blue: 210)

    /// Dark texture up to a column of 240, in front of an even bright background.
    private static func scene(_ edge: Int) -> ColorImage {
        photo(240, 120) { x, y in
            let grain = UInt8((x * 7 + y * 13) % 17)
            return x < edge ? RGB(red: 40 + grain, green: 36 + grain, blue: 34 + grain) : bright
        }
    }

    @Test("Background that a matte takes for the subject is taken out up to the photo's edge")
    func wide() throws {
        // The matte's edge is at 104, with the noise of a coded matte; the photo's is at 100.
        let wide = matte(120, 60) { x, y in x < 52 ? UInt8(255 - (x * 3 + y) % 9) : UInt8((x + y) % 3) }
        let refined = try Cutout(Self.scene(100), along: wide).refined().matte
        for y in 0..<120 {
            for x in 0..<97 { #expect(refined.coverage[y * 240 + x] == 255) }
            for x in 101..<240 { #expect(refined.coverage[y * 240 + x] <= 8) }
        }
    }

    @Test("A matte stays as it is where the subject has the background's color farther than it may be wrong")
    func collar() throws {
        // A collar 24 pixels wide that looks like the wall behind it.
        let exact = matte(120, 60) { x, _ in x < 52 ? 255 : 0 }
        let refined = try Cutout(Self.scene(80), along: exact).refined().matte
        for y in 0..<120 {
            for x in 0..<102 { #expect(refined.coverage[y * 240 + x] == 255) }
            for x in 106..<240 { #expect(refined.coverage[y * 240 + x] == 0) }
        }
    }

    @Test("Noise leaves no specks of background taken out, and bites nothing out of a right edge")
    func specks() throws {
        let (width, height) = (1600, 1200)
        // The matte is four pixels too wide in the upper half, and right in the lower half.
        let scene = photo(width, height) { x, y in
            let grain = UInt8((x * 7 + y * 13) % 17)
            let dark = RGB(red: 40 + grain, green: 36 + grain, blue: 34 + grain)
            if x < 400 {
                // Spots of two by two of the matte's samples, at the edge, look like the wall.
                return y >= 600 && x >= 396 && y % 40 < 4 ? Self.bright : dark
            }
            // Here and there a sample of the wall is darker, not beside the subject.
            let isSpeck = (402..<404).contains(x) && (x / 2 * 7 + y / 2 * 3) % 31 == 0
            return isSpeck ? RGB(red: 150, green: 150, blue: 150) : Self.bright
        }
        let stored = matte(width / 2, height / 2) { x, y in x < (y < 300 ? 202 : 200) ? 255 : 0 }
        let refined = try Cutout(scene, along: stored).refined().matte.coverage
        for y in 8..<592 {
            #expect(refined[y * width + 402..<(y + 1) * width].allSatisfy { $0 <= 8 }, "row \(y)")
        }
        for y in 608..<1192 {
            #expect(refined[y * width..<y * width + 399].allSatisfy { $0 >= 128 }, "row \(y)")
        }
    }

    @Test("Refining keeps a soft edge between layers that vary more than they differ")
    func sameColors() throws {
        var random = SplitMix(seed: 3)
        // A dark knit with bright yarn, in front of a background that is almost as dark as the knit.
        let dark = photo(240, 120) { x, y in
            let mean = x >= 120 ? 30 : x < 108 && (x / 4 + y / 4) % 3 == 0 ? 150 : 33
            func code() -> UInt8 { UInt8(Int.random(in: -6...6, using: &random) + mean) }
            return RGB(red: code(), green: code(), blue: code())
        }
        let soft = matte(120, 60) { x, _ in UInt8(min(max((64 - x) * 32, 0), 255)) }
        let refined = try Cutout(dark, along: soft).refined().matte.coverage
        var sum = 0.0
        for x in 114..<126 {
            // Between the centers of the matte's samples.
            let linear = (64 - ((Double(x) + 0.5) / 2 - 0.5)) * 32
            for y in 0..<120 { sum += abs(Double(refined[y * 240 + x]) - linear) }
        }
        let mean = sum / (12 * 120)
        // 18.5 where the layers' means alone decide.
        #expect(mean <= 4)
    }
}
