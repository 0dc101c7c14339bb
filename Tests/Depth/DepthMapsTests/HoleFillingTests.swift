internal import DepthMaps
internal import DepthTypes
internal import Testing

@Suite("Hole filling")
struct HoleFillingTests {
    @Test("Filling keeps known and infinite samples and leaves none unknown")
    func known() {
        let map = disparities([[1, .nan, 3], [.nan, .nan, .infinity], [2, .nan, 0]])
        for (before, after) in zip(map.samples, map.filled().samples) {
            #expect(before.isNaN ? after.isFinite && (0...3).contains(after) : after == before)
        }
    }

    @Test("A hole in a flat surface is filled flat")
    func flat() {
        let map = disparities(37, 23) { x, y in (x * 7 + y * 13) % 5 < 3 || (9..<20).contains(x) ? .nan : 0.3
        }
        #expect(map.filled().samples.allSatisfy { $0 == 0.3 })
    }

    @Test("A hole in a slope is filled with the slope, in the middle, at the border, and in a small map")
    func slope() {
        func value(_ x: Int, _ y: Int) -> Float { 1 + 0.01 * Float(x) + 0.02 * Float(y) }
        for (width, height, columns, rows) in [
            (64, 48, 20..<36, 16..<28), (64, 48, 0..<16, 16..<28), (16, 12, 5..<10, 4..<8),
            (131, 117, 33..<98, 30..<87), (131, 117, 0..<65, 30..<87),
        ] {
            let map = disparities(width, height) { x, y in
                columns.contains(x) && rows.contains(y) ? .nan : value(x, y)
            }
            let filled = map.filled().samples
            let error = (0..<filled.count).map { abs(filled[$0] - value($0 % width, $0 / width)) }.max() ?? 1
            // Samples are rounded to 1e-7; the longest way from the rim is ten times the side of the fitted plane.
            #expect(error < 1e-5)
        }
    }

    // A box at 2 before a slanted wall; the camera of the other side does not see 12 columns beside it.
    @Test("The shadow of a near object is filled with the plane behind it", arguments: [true, false])
    func shadow(isMirrored: Bool) {
        func wall(_ x: Int, _ y: Int) -> Float { 0.5 + 0.002 * Float(x) + 0.001 * Float(y) }
        let map = disparities(96, 64) { x, y in
            let column = isMirrored ? 95 - x : x
            guard (16..<48).contains(y) else { return wall(x, y) }
            return (40..<60).contains(column) ? 2 : (28..<40).contains(column) ? .nan : wall(x, y)
        }
        let filled = map.filled().samples
        for index in filled.indices where map.samples[index].isNaN {
            let (x, y) = (index % 96, index / 96)
            // The column beside the box may be its edge.
            guard isMirrored ? x > 56 : x < 39 else { continue }
            #expect(abs(filled[index] - wall(x, y)) < 1e-4)
        }
    }

    @Test("A shadow at the border, where a row holds only the near object, is filled from above")
    func borderShadow() {
        let map = disparities(64, 64) { x, y in x < 12 && y >= 20 ? .nan : x < 40 && y >= 20 ? 2 : 0.5 }
        let filled = map.filled().samples
        #expect((20..<32).allSatisfy { y in (0..<8).allSatisfy { filled[y * 64 + $0] == 0.5 } })
    }

    // The hole is as wide on both sides of the edge, and the samples do not tell where it is.
    @Test("With a photo, a hole follows the photo's edge")
    func photo() {
        func isBox(_ x: Int) -> Bool { x >= 27 }
        let map = disparities(64, 48) { x, _ in (20..<40).contains(x) ? .nan : isBox(x) ? 2 : 0.5 }
        let pixels = (0..<64 * 48).map { index in
            isBox(index % 64)
                ? RGB<UInt8>(red: 220, green: 60, blue: 40) : RGB(red: 40, green: 90, blue: 120)
        }
        let photo = ColorImage(width: 64, height: 48, pixels: .uint8(pixels), colorProfile: [])
        let filled = map.filled(guidedBy: photo).samples
        #expect(filled.indices.allSatisfy { filled[$0] == (isBox($0 % 64) ? 2 : 0.5) })
        #expect(map.filled().samples[24 * 64 + 32] == 0.5)
    }

    @Test(
        "A single known sample fills the map",
        arguments: [0, 31, 198], [0, 77, 98])
    func single(column: Int, row: Int) {
        let map = disparities(200, 100) { x, y in x == column && y == row ? 0.25 : .nan }
        #expect(map.filled().samples.allSatisfy { $0 == 0.25 })
    }

    // A body at 1 before a plane from 0.1 to 0.15, as phones leave it: the right values are those of the plane.
    @Test(
        "A wide hole around a body continues the little that is known behind it, smoothly, along a textured photo"
    )
    func background() {
        let (width, height) = (160, 200)
        func plane(_ y: Int) -> Float { 0.1 + 0.05 * Float(y) / Float(height) }
        func isBody(_ x: Int, _ y: Int) -> Bool { (x - 80) * (x - 80) * 4 + (y - 140) * (y - 140) < 90 * 90 }
        func filled(_ isKnown: (_ x: Int, _ y: Int) -> Bool) -> [Float] {
            let map = disparities(width, height) { x, y in isBody(x, y) ? 1 : isKnown(x, y) ? plane(y) : .nan
            }
            let pixels = (0..<width * height).map { index in
                let code = UInt8(index * 7919 % 251)
                return isBody(index % width, index / width)
                    ? RGB<UInt8>(red: 200, green: 150, blue: 130)
                    : RGB(red: code, green: code / 2, blue: 255 - code)
            }
            return map.filled(
                guidedBy: ColorImage(width: width, height: height, pixels: .uint8(pixels), colorProfile: [])
            ).samples
        }
        let places = (0..<width * height - 1).filter { index in
            [index, index + 1].allSatisfy { !isBody($0 % width, $0 / width) } && index % width < width - 1
        }
        func mean(_ value: (_ index: Int) -> Float) -> Float {
            places.map(value).reduce(0, +) / Float(places.count)
        }
        let corners = filled { x, y in abs(x - 80) > 64 && y < 30 }
        #expect(mean { abs(corners[$0] - plane($0 / width)) } < 0.02)
        #expect(mean { abs(corners[$0 + 1] - corners[$0]) } < 0.002)
        // Nothing is known: far behind the body, at an eighth of its disparity.
        let bare = filled { _, _ in false }
        #expect(mean { abs(bare[$0] - 1 / 8) } < 0.05)
        #expect(mean { abs(bare[$0 + 1] - bare[$0]) } < 0.002)
    }

    // Rays are followed in strips of rows; a turned map has other strips.
    @Test("A turned map is filled alike")
    func turned() {
        let map = disparities(90, 75) { x, y in
            (x * x + 3 * y * y + x * y) % 7 > 0 ? .nan : 1 + 0.01 * Float(x) + 0.004 * Float(x * y % 90)
        }
        let (filled, turned) = (map.filled().oriented(by: .left), map.oriented(by: .left).filled())
        #expect(zip(filled.samples, turned.samples).allSatisfy { abs($0 - $1) < 1e-5 })
    }

    @Test("Depth is filled in disparity, from behind: a hole between 1 m and infinity is at infinity")
    func depth() {
        let map = DepthMap(width: 3, height: 1, meters: [1, .nan, .infinity], scale: .absolute)
        #expect(map.filled().meters == [1, .infinity, .infinity])
        let near = DepthMap(width: 3, height: 1, meters: [1, .nan, 4], scale: .absolute)
        #expect(near.filled().meters == [1, 4, 4])
    }

    @Test("A negative depth is kept and does not spread")
    func negative() {
        let map = DepthMap(width: 3, height: 1, meters: [-4, .nan, 2], scale: .absolute)
        #expect(map.filled().meters == [-4, 2, 2])
    }

    @Test("Values too large for sums are kept and do not spread")
    func huge() {
        let map = disparities([[3e38, .nan, 1], [-3e38, .nan, 1]])
        #expect(map.filled().samples == [3e38, 1, 1, -3e38, 1, 1])
    }

    @Test("An entirely unknown map stays unknown")
    func unknown() {
        #expect(same(disparities([[.nan, .nan]]).filled().samples, [.nan, .nan]))
        #expect(disparities([]).filled().samples == [])
    }
}
