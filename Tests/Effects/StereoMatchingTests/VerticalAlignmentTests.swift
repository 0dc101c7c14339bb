import Testing

@testable import StereoMatching

@Suite("VerticalAlignment")
struct VerticalAlignmentTests {
    /// Shift and turn in pixels, the size of the texture, and whether the rows need alignment.
    static let scenes: [(shift: Double, turn: Double, grain: Double, isAligned: Bool)] = [
        (0, 0, 1, false), (0, 0, 3, false),
        (0.3, 0, 1, true), (0.15, 0.3, 1, true), (0.3, 0, 3, true),
        (3, 0, 1, true), (-1, 2, 1, true), (0.5, 3, 1, true), (3, 0, 3, true),
    ]

    @Test(
        "Aligned rows are left alone; others are aligned, which never makes more disparities wrong",
        arguments: scenes.indices)
    func rows(index: Int) throws {
        let (shift, turn, grain, isAligned) = Self.scenes[index]
        let scene = MisalignedScene(shift: shift, turn: turn, grain: grain)
        let (left, right) = scene.pictures
        var matcher = StereoMatcher()
        let match = matcher.match(left, right)
        #expect((match.alignment != nil) == isAligned)
        if let alignment = match.alignment {
            #expect(abs(alignment.shift - shift) <= 0.1 && abs(alignment.turn - turn) <= 0.1)
        }
        matcher.aligns = false
        let plain = scene.badOne(matcher.match(left, right))
        let bad = scene.badOne(match)
        #expect(bad <= plain && bad <= 0.05, "\(bad) with alignment, \(plain) without")
        // Without alignment, rows that are pixels off hardly match.
        if max(abs(shift), abs(turn)) >= 2 { #expect(plain >= 0.1) }
    }
}
