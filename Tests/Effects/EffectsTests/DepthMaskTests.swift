internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Testing

/// A wall at 4 m (0.25/m), in its middle a board at 1 m.
@Suite("Depth masks")
struct DepthMaskTests {
    static let scene = photo(80, 60) { x, y in
        isBoard(x / 5, y / 5) ? RGB(red: 190, green: 90, blue: 60) : RGB(red: 60, green: 110, blue: 170)
    }

    static func isBoard(_ x: Int, _ y: Int) -> Bool { (4..<12).contains(x) && (3..<9).contains(y) }

    static func map(
        _ scale: DepthScale = .absolute, _ value: (_ x: Int, _ y: Int) -> Float? = { _, _ in nil }
    ) -> DisparityMap {
        let samples = (0..<12).flatMap { y in
            (0..<16).map { x in value(x, y) ?? (isBoard(x, y) ? 1 : 0.25) }
        }
        return DisparityMap(width: 16, height: 12, reciprocalMeters: samples, scale: scale)
    }

    /// The fraction of the picture that the board covers: 48 of 192.
    static let boardShare = 0.25

    static let selections: [DepthSelection] = [
        .meters(near: nil, far: 2, softness: 0.2), .meters(near: 0.5, far: 1, softness: 0),
        .shares(near: nil, far: 0.2, softness: 0), .focus(NormalizedPoint(x: 0.5, y: 0.5)),
    ]

    @Test("Every kind of selection selects the near board", arguments: selections)
    func board(selection: DepthSelection) throws {
        let mask = try Self.map().mask(selection, guidedBy: Self.scene)
        #expect(mask.matte.width == 40 && mask.matte.height == 30)
        // The rim of the board, 140 pixels of 4800, may be off by one.
        #expect(abs(mask.selectedShare - Self.boardShare) < 0.03)
        #expect(mask.matte.coverage[15 * 40 + 20] == 255 && mask.matte.coverage[2 * 40 + 2] == 0)
        #expect(mask.disparities == 0.25...1 && mask.distances == 1...4)
    }

    static let middle = DepthSelection.focus(NormalizedPoint(x: 0.5, y: 0.5))

    @Test("The best split lies between both surfaces and is reported in meters")
    func cut() throws {
        let mask = try Self.map().mask(Self.middle, guidedBy: Self.scene)
        // The middle of 0.25 and 1 is 0.625, 1.6 m, within a bin of 0.75/1023.
        #expect(abs((mask.farDistance ?? 0) - 1.6) < 0.005 && mask.nearDistance == nil)
    }

    @Test("Focusing on the middle of three layers selects it and the nearer one")
    func threeLayers() throws {
        let map = Self.map { x, _ in x < 4 ? 2 : x < 8 ? 1 : 0.25 }
        let mask = try map.mask(.focus(NormalizedPoint(x: 0.375, y: 0.5)), guidedBy: Self.scene)
        #expect(abs(mask.selectedShare - 0.5) < 0.03)
        let nearest = try map.mask(.focus(NormalizedPoint(x: 0.1, y: 0.5)), guidedBy: Self.scene)
        #expect(nearest.selectedShare < 0.55)
    }

    @Test("A small object at the point is selected, not the larger surfaces behind it")
    func smallObject() throws {
        // A wall at 3 m, a board at 2 m over 15 % of it, and before the wall an object at 1 m of 24 × 20 samples.
        let samples = (0..<300).flatMap { y in
            (0..<400).map { x -> Float in
                (188..<212).contains(x) && (140..<160).contains(y) ? 1 : x < 60 ? 1 / 2 : 1 / 3
            }
        }
        let map = DisparityMap(width: 400, height: 300, reciprocalMeters: samples, scale: .absolute)
        // Blur focuses on this disparity.
        #expect(map.focusDisparity(at: NormalizedPoint(x: 0.5, y: 0.5)) == 1)
        let mask = try map.mask(Self.middle, guidedBy: photo(400, 300) { _, _ in .white })
        // The middle of 1/m and 1/2 m is 0.75/m.
        #expect(abs((mask.farDistance ?? 0) - 1 / 0.75) < 0.005)
        #expect(abs(mask.selectedShare - 480 / 120_000) < 0.002)
    }

    @Test("Unknown depth takes the mask value of its neighbors")
    func unknown() throws {
        // A hole in the board, one in the wall, and an infinite sample.
        let map = Self.map { x, y in
            (7...8).contains(x) && y == 6
                ? .nan : x < 2 && y < 2 ? .nan : (x, y) == (15, 11) ? .infinity : nil
        }
        let mask = try map.mask(.meters(near: nil, far: 2, softness: 0.1), guidedBy: Self.scene)
        #expect(mask.matte.coverage[16 * 40 + 20] == 255 && mask.matte.coverage[0] == 0)
        #expect(mask.matte.coverage[40 * 30 - 1] == 0)
    }

    @Test("Bounds outside the scene select nothing or everything, and the result shows it")
    func missed() throws {
        let map = Self.map()
        #expect(
            try map.mask(.meters(near: 10, far: 20, softness: 0), guidedBy: Self.scene).selectedShare == 0)
        #expect(
            try map.mask(.meters(near: nil, far: nil, softness: 0), guidedBy: Self.scene).selectedShare == 1)
    }

    @Test("A mask bound is a smooth step in disparity")
    func softness() throws {
        let flat = DepthMap(
            width: 4, height: 3, meters: Array(repeating: 2.5, count: 12), scale: .absolute)
        // From 1/2 to 1/3 lies 1/2.5 at t = (0.4 − 1/3)/(1/2 − 1/3) = 0.4: 3 · 0.16 − 2 · 0.064 = 0.352, code 89.76.
        let mask = try flat.mask(.meters(near: nil, far: 2, softness: 1), guidedBy: gray(9, 8, 6))
        #expect(mask.matte.coverage.allSatisfy { $0 == 90 })
    }

    @Test("A mask needs a scale, known depth, ordered bounds and a guide of the same aspect ratio")
    func errors() throws {
        let meters = DepthSelection.meters(near: nil, far: 2, softness: 0)
        #expect(throws: CompositingError.noScale) {
            try Self.map(.unitless).mask(meters, guidedBy: Self.scene)
        }
        #expect(throws: CompositingError.noKnownDepth) {
            try Self.map { _, _ in .nan }.mask(Self.middle, guidedBy: Self.scene)
        }
        #expect(throws: CompositingError.emptyRange(near: 3, far: 2)) {
            try Self.map().mask(.meters(near: 3, far: 2, softness: 0), guidedBy: Self.scene)
        }
        #expect(throws: CompositingError.self) { try Self.map().mask(Self.middle, guidedBy: gray(0, 60, 80)) }
        for bound in [-1, 0, Float.nan] {
            #expect(throws: CompositingError.self) {
                try Self.map().mask(.meters(near: nil, far: bound, softness: .nan), guidedBy: Self.scene)
            }
        }
    }
}
