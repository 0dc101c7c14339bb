internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Testing

/// Masks of the board of ``DepthMaskTests``, whose samples are 5 × 5 pixels of a photo of 80 × 60.
@Suite("Trimaps")
struct TrimapTests {
    static func trimap(_ map: DisparityMap) throws -> Trimap {
        try map.mask(DepthMaskTests.middle, guidedBy: DepthMaskTests.scene).trimap(width: 80, height: 60)
    }

    @Test("Two samples on each side of a mask's edge are unknown, and nothing else")
    func band() throws {
        let row = try Self.trimap(DepthMaskTests.map()).codes[80 * 30..<80 * 31].map(Int.init)
        // The board covers columns 20 to 59. The band ends 10 pixels away, give or take the two of a mask's sample and 0.2 for the diagonal.
        #expect(row[..<7].allSatisfy { $0 == 0 } && row[73...].allSatisfy { $0 == 0 })
        #expect(row[33..<47].allSatisfy { $0 == 255 })
        for edge in [20, 60] {
            #expect(row[edge - 7..<edge + 7].allSatisfy { $0 == Int(Trimap.unknown) })
        }
    }

    @Test("The band is wider where depth is unknown")
    func unknownDepth() throws {
        let hole = DepthMaskTests.map { x, y in (12..<16).contains(x) && (4..<8).contains(y) ? .nan : nil }
        let row = try Self.trimap(hole).codes[80 * 30..<80 * 31].map(Int.init)
        // On the right, where samples 12 to 15 are unknown, twice as wide as on the left.
        #expect(row[5] == 0 && row[75] == Int(Trimap.unknown))
    }

    @Test("The middle of foreground thinner than the band stays foreground")
    func thin() throws {
        let bar = DepthMaskTests.map { x, _ in (6..<10).contains(x) ? 1 : 0.25 }
        let picture = photo(80, 60) { x, _ in (30..<50).contains(x) ? gray(40) : gray(200) }
        let trimap = try bar.mask(DepthMaskTests.middle, guidedBy: picture).trimap(width: 80, height: 60)
        let row = trimap.codes[80 * 30..<80 * 31].map(Int.init)
        // The bar covers columns 30 to 49, and the band is 10 pixels wide on each side.
        #expect(
            row.contains(255) && row[..<32].allSatisfy { $0 != 255 } && row[48...].allSatisfy { $0 != 255 })
    }
}
