import DepthTypes
import Testing

@Suite("Orientation")
struct OrientationTests {
    /// Exif 2.3 §4.6.5 for a 10 × 6 frame: where (1, 2) goes, by hand.
    private static let destinations: [(Int, x: Double, y: Double)] = [
        (1, 1, 2), (2, 9, 2), (3, 9, 4), (4, 1, 4), (5, 2, 1), (6, 4, 1), (7, 4, 9), (8, 2, 9),
    ]

    @Test("An orientation moves points as Exif defines", arguments: destinations)
    func points(number: Int, x: Double, y: Double) throws {
        let orientation = try #require(Orientation(rawValue: number))
        let point = orientation.point(1, 2, width: 10, height: 6)
        #expect([point.x, point.y] == [x, y])
    }

    @Test("Orientations 5 to 8 swap width and height", arguments: Orientation.allCases)
    func sizes(orientation: Orientation) {
        let size = orientation.size(width: 10, height: 6)
        #expect([size.width, size.height] == (orientation.rawValue >= 5 ? [6, 10] : [10, 6]))
    }

    /// `irot` and then `imir` 0 (top and bottom) or 1 (left and right), ISO/IEC 23008-12 §6.5.10 and §6.5.12.
    private static let transforms: [(Int, turns: Int, mirror: Orientation)] = [
        (1, 0, .up), (2, 0, .upMirrored), (3, 2, .up), (4, 0, .downMirrored), (5, 1, .downMirrored),
        (6, 3, .up),
        (7, 3, .downMirrored), (8, 1, .up),
    ]

    @Test("Rotation and mirroring in HEIF combine to each Exif orientation", arguments: transforms)
    func properties(number: Int, turns: Int, mirror: Orientation) {
        let turned = Orientation(quarterTurnsAnticlockwise: turns)
        #expect(turned.followed(by: mirror) == Orientation(rawValue: number))
    }

    @Test(
        "Composed orientations equal applying one after the other", arguments: Orientation.allCases,
        Orientation.allCases)
    func composition(first: Orientation, second: Orientation) {
        let between = first.point(1, 2, width: 10, height: 6)
        let size = first.size(width: 10, height: 6)
        let stepwise = second.point(
            between.x, between.y, width: Double(size.width), height: Double(size.height))
        let atOnce = first.followed(by: second).point(1, 2, width: 10, height: 6)
        #expect([stepwise.x, stepwise.y] == [atOnce.x, atOnce.y])
    }

    @Test("The inverse of an orientation undoes it", arguments: Orientation.allCases)
    func inverse(orientation: Orientation) {
        #expect(orientation.followed(by: orientation.inverse) == .up)
        #expect(orientation.inverse.followed(by: orientation) == .up)
    }
}
