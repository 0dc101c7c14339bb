import DepthMaps
import Testing

@testable import StereoMatching

@Suite("Exchanged eyes")
struct EyeOrderTests {
    /// Boxes before a wall; the upper one is the nearest, as a lamp below a ceiling is.
    private static let scene = StereoScene(layers: [
        .init(a: 5, seed: 1),
        .init(a: 30, seed: 2) { x, y in (60..<150).contains(x) && y < 90 },
        .init(a: 18, seed: 3) { x, y in (180..<280).contains(x) && (70..<190).contains(y) },
    ])

    @Test("Occlusions of near objects show which eye is which")
    func occlusions() throws {
        let (left, right) = Self.scene.pictures
        let match = try StereoMatcher().match(left: left, right: right)
        #expect(!match.showsExchangedEyes(in: left))
        let exchanged = try StereoMatcher().match(left: right, right: left)
        #expect(exchanged.showsExchangedEyes(in: right))
    }

    @Test("A pair without occlusions shows nothing")
    func plane() throws {
        let (left, right) = StereoScene(layers: [.init(a: 5, c: 0.05, seed: 1)]).pictures
        let match = try StereoMatcher().match(left: right, right: left)
        #expect(!match.showsExchangedEyes(in: right))
    }
}
