internal import DepthMaps
internal import Effects
internal import Testing

/// A wall at a disparity of 0.2, and before it objects that rectangles of a map of 64 × 48 samples give.
@Suite("Masks of one object")
struct SubjectMaskTests {
    private struct Box {
        var columns: Range<Int>
        var rows: Range<Int>
        var disparity: Float

        init(_ columns: Range<Int>, _ rows: Range<Int>, _ disparity: Float) {
            (self.columns, self.rows, self.disparity) = (columns, rows, disparity)
        }
    }

    private static let body = Box(24..<40, 12..<48, 1)
    private static let middle = SubjectSeed.around(NormalizedPoint(x: 0.5, y: 0.5))

    private static func map(_ boxes: [Box]) -> DisparityMap {
        scene(64, 48) { x, y in
            boxes.last { $0.columns.contains(x) && $0.rows.contains(y) }?.disparity ?? 0.2
        }
    }

    /// A mask, at the size of the map.
    private static func mask(_ map: DisparityMap, _ seed: SubjectSeed = middle) throws -> DepthMask {
        let mask = try map.mask(of: seed, guidedBy: gray(100, 128, 96))
        #expect(mask.matte.width == map.width && mask.matte.height == map.height)
        return mask
    }

    /// Columns and rows in the middle of a box are at least 4 samples from its edges.
    private static func code(_ mask: DepthMask, _ x: Int, _ y: Int) -> UInt8 {
        mask.matte.coverage[y * 64 + x]
    }

    @Test("An object at the same distance that does not touch the subject is dropped")
    func island() throws {
        let mask = try Self.mask(Self.map([Self.body, Box(50..<60, 10..<40, 1)]))
        #expect(Self.code(mask, 32, 30) == 255 && Self.code(mask, 55, 25) == 0)
        // 16 × 36 of 64 × 48.
        #expect(abs(mask.selectedShare - 0.1875) < 0.01)
    }

    @Test("A nearer object that touches the subject is beyond its near bound")
    func near() throws {
        let mask = try Self.mask(Self.map([Self.body, Box(0..<26, 24..<48, 3)]))
        #expect(Self.code(mask, 32, 30) == 255 && Self.code(mask, 12, 36) == 0)
        let bounds = try #require(mask.nearCut.flatMap { near in mask.farCut.map { $0...near } })
        #expect((0.2...1).contains(bounds.lowerBound) && (1...3).contains(bounds.upperBound))
    }

    @Test("A body that leans toward the camera is selected as far as it is connected")
    func slanted() throws {
        let map = scene(64, 48) { x, y in
            (24..<40).contains(x) && y >= 12 ? 1 + 2 * Float(y - 12) / 35 : 0.2
        }
        let mask = try Self.mask(map)
        #expect(Self.code(mask, 32, 15) == 255 && Self.code(mask, 32, 46) == 255)
        #expect(abs(mask.selectedShare - 0.1875) < 0.01)
    }

    @Test("The floor that the subject stands on is bounded by its distance")
    func floor() throws {
        // From 0.2 at the wall to 2 at the bottom; the subject stands where it is 1.
        let map = scene(64, 48) { x, y in
            if (24..<40).contains(x), (6..<36).contains(y) { return 1 }
            return y < 28 ? 0.2 : 0.2 + 1.8 * Float(y - 28) / 19
        }
        let mask = try Self.mask(map)
        #expect(Self.code(mask, 32, 20) == 255)
        // Of the floor at most the rows from 0.7 to 1.4.
        #expect(Self.code(mask, 4, 30) == 0 && Self.code(mask, 4, 45) == 0 && Self.code(mask, 60, 45) == 0)
    }

    @Test("Holes are filled if they are nearer, or small and not really far")
    func holes() throws {
        // The body has 960 samples, of which four are small. Holes: nearer, a little farther, far.
        let holes = [
            Box(27..<31, 16..<20, 2), Box(34..<36, 18..<20, 0.55), Box(27..<33, 36..<42, 0.2),
        ]
        let body = Box(20..<44, 8..<48, 1)
        let mask = try Self.mask(Self.map([body] + holes))
        #expect(Self.code(mask, 29, 18) == 255 && Self.code(mask, 34, 18) == 255)
        #expect(Self.code(mask, 30, 39) == 0)
    }

    @Test("If the middle shows only background, the nearest large surface is the subject")
    func elsewhere() throws {
        let map = Self.map([Box(2..<16, 8..<48, 1)])
        let mask = try Self.mask(map)
        #expect(mask.isElsewhere && Self.code(mask, 9, 30) == 255 && Self.code(mask, 32, 24) == 0)
        #expect(
            !mask.covers(NormalizedPoint(x: 0.5, y: 0.5)) && mask.covers(NormalizedPoint(x: 0.15, y: 0.6)))
        // A face counts, even if it is on the background, and a mark of the focus does not.
        #expect(try Self.mask(map, .mark(NormalizedPoint(x: 0.7, y: 0.5))).isElsewhere)
        let wall = try Self.mask(map, .face(NormalizedPoint(x: 0.7, y: 0.5)))
        #expect(!wall.isElsewhere && Self.code(wall, 9, 30) == 0 && Self.code(wall, 50, 24) == 255)
    }

    /// The overlap (intersection over union) of a mask with the samples that belong to the subject.
    private static func overlap(_ mask: DepthMask, _ subject: (Int, Int) -> Bool) -> Double {
        var (both, either) = (0, 0)
        for index in mask.matte.coverage.indices {
            let isFound = mask.matte.coverage[index] >= 128
            let isSubject = subject(index % mask.matte.width, index / mask.matte.width)
            both += isFound && isSubject ? 1 : 0
            either += isFound || isSubject ? 1 : 0
        }
        return Double(both) / Double(max(either, 1))
    }

    /// A wall at 0.12, and a floor that comes toward the camera, evenly in disparity, from row 112 of 256 × 192.
    private static func floor(_ y: Int) -> Float { 0.12 + max(Float(y - 112), 0) * 0.0145 }

    @Test("The floor under a subject does not belong to it, and without a subject a mask is doubtful")
    func floorUnderSubject() throws {
        // The figure stands where the floor is as near.
        func isSubject(_ x: Int, _ y: Int) -> Bool { (104..<152).contains(x) && (24..<156).contains(y) }
        let map = scene(256, 192) { x, y in isSubject(x, y) ? 0.75 : Self.floor(y) }
        let mask = try map.mask(of: Self.middle, guidedBy: gray(100, 512, 384))
        #expect(Self.overlap(mask, isSubject) > 0.9)
        #expect(mask.confidence.map { $0 > DepthMask.leastConfidence } == true)
        let empty = try scene(256, 192) { _, y in Self.floor(y) }.mask(
            of: Self.middle, guidedBy: gray(100, 512, 384))
        #expect(empty.confidence.map { $0 < DepthMask.leastConfidence } == true)
    }

    @Test("A subject close to a wall is certain, whatever is near the camera in a corner")
    func closeToWall() throws {
        func isSubject(_ x: Int, _ y: Int) -> Bool { (24..<40).contains(x) && y >= 12 }
        let map = scene(64, 48) { x, y in
            x >= 58 && y >= 42 ? 2.4 : isSubject(x, y) ? 0.62 : 0.48 + 0.03 * Float(x) / 64
        }
        let mask = try Self.mask(map)
        #expect(Self.overlap(mask, isSubject) > 0.96)
        #expect(mask.confidence.map { $0 > 0.9 } == true)
    }

    @Test("A soft edge is cut in its middle")
    func softEdge() throws {
        // From 1 to 0.2 in 8 columns at each side; their middle is 92 from that of the map.
        let map = scene(256, 192) { x, y in
            y < 40 ? 0.2 : 0.2 + 0.8 * min(max((95.5 - Float(abs(x - 128))) / 8, 0), 1)
        }
        let mask = try map.mask(of: Self.middle, guidedBy: gray(100, 512, 384))
        #expect(Self.overlap(mask) { x, y in abs(x - 128) < 92 && y >= 40 } > 0.97)
    }

    @Test("Of two objects, the seed chooses one", arguments: [0.2, 0.8])
    func choice(x: Double) throws {
        let map = Self.map([Box(4..<20, 8..<48, 1), Box(44..<60, 8..<48, 1.5)])
        let under = matte(16, 12) { column, row in (column < 8) == (x < 0.5) && row >= 4 ? 255 : 0 }
        for seed in [SubjectSeed.mark(NormalizedPoint(x: x, y: 0.5)), .matte(under)] {
            let mask = try Self.mask(map, seed)
            #expect((Self.code(mask, 12, 30) == 255) == (x < 0.5))
            #expect((Self.code(mask, 52, 30) == 255) == (x > 0.5))
        }
    }

    @Test("Holes and gaps of a matte are filled where the map shows its object, and nowhere else")
    func completion() throws {
        // The body has a window, through which the wall is seen.
        let map = Self.map([Self.body, Box(27..<30, 34..<38, 0.2), Box(50..<60, 8..<48, 1)])
        func isCovered(_ x: Int, _ y: Int) -> Bool {
            let isHole = (30..<33).contains(x) && (20..<24).contains(y)
            let isWindow = (27..<30).contains(x) && (34..<38).contains(y)
            let isIsland = (4..<10).contains(x) && (10..<16).contains(y)
            return (24..<40).contains(x) && y >= 12 && !isHole && !isWindow || isIsland
        }
        let found = map.completing(matte(64, 48) { isCovered($0, $1) ? 255 : 0 })
        for y in 0..<48 {
            for x in 0..<64 {
                let isHole = (30..<33).contains(x) && (20..<24).contains(y)
                #expect(found.coverage[y * 64 + x] == (isCovered(x, y) || isHole ? 255 : 0), "\(x), \(y)")
            }
        }
        let other = matte(48, 64) { _, _ in 200 }
        #expect(map.completing(other) == other)
    }

    @Test("In a map of one value everything is the subject")
    func flat() throws {
        let mask = try Self.mask(Self.map([Box(0..<64, 0..<48, 1)]))
        #expect(mask.selectedShare == 1 && mask.farCut == nil && mask.nearCut == nil)
    }
}
