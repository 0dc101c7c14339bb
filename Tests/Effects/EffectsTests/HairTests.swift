import DepthMaps
import DepthTypes
import Effects
import Foundation
import TestSupport
import Testing

/// A body at 1 m with straight hair of known coverage before a wall at 3 m. The depth map knows the body and not the hair, or
/// mixes hair and wall, as those of phones do.
struct Hair {
    static let (width, height, top) = (240, 140, 100)
    static let hairCode: UInt8 = 225

    let coverage: [Double]
    let wall: [Double]
    let photo: ColorImage

    /// Hair of this length above the body, and a wall with detail of one to sixteen pixels.
    init(length: Int) {
        var random = SplitMix(seed: 7)
        var coverage = [Double](repeating: 0, count: Self.width * Self.height)
        for y in Self.top..<Self.height {
            for x in 40..<200 { coverage[y * Self.width + x] = 1 }
        }
        for _ in 0..<30 {
            let start = Double.random(in: 44..<196, using: &random)
            let lean = Double.random(in: -0.05...0.05, using: &random)
            for y in Self.top - length..<Self.top {
                // A strand of 1.6 pixels: the part of each pixel between its edges.
                let left = start + lean * Double(Self.top - y) - 0.8
                for x in Int(left)...Int(left + 1.6) {
                    let part = min(Double(x) + 1, left + 1.6) - max(Double(x), left)
                    coverage[y * Self.width + x] = min(coverage[y * Self.width + x] + part, 1)
                }
            }
        }
        let blocks = (0..<4).map { level in
            (0..<(Self.width * Self.height)).map { _ in
                Double.random(in: 0...0.25, using: &random) * (level == 0 ? 0.5 : 1)
            }
        }
        let wall = (0..<Self.width * Self.height).map { index in
            let (y, x) = index.quotientAndRemainder(dividingBy: Self.width)
            return 0.5
                * blocks.indices.reduce(0.0) { sum, level in
                    let side = [1, 4, 8, 16][level]
                    return sum + blocks[level][y / side * Self.width + x / side]
                }
        }
        self.coverage = coverage
        self.wall = wall
        photo = EffectsTests.photo(Self.width, Self.height) { x, y in
            let alpha = coverage[y * Self.width + x]
            return gray(code(ofLight: alpha * light(Self.hairCode) + (1 - alpha) * wall[y * Self.width + x]))
        }
    }

    var matte: Matte {
        EffectsTests.matte(Self.width, Self.height) { UInt8(coverage[$1 * Self.width + $0] * 255 + 0.5) }
    }

    /// A map in which hair of a length has this share on average, in patches that fade to the tips. Below the first 20 rows,
    /// `behind` is the disparity behind body and hair.
    func depths(share: Float = 0, length: Int = 1, behind: Float = 1 / 3) -> DisparityMap {
        scene(Self.width, Self.height) { x, y in
            let far = y < 20 ? 1 / 3 : behind
            guard (40..<200).contains(x), y >= Self.top - length else { return far }
            guard y < Self.top else { return 1 }
            let patch = 1 + sin(Float(x) / 7) * cos(Float(y) / 9)
            let fade = 1 - Float(Self.top - y) / Float(length)
            return far + (1 - far) * min(share * patch * fade, 0.95)
        }
    }

    /// The mean difference from `behind` seen through the hair, in codes, above the body.
    func error(_ result: [RGB<UInt8>], length: Int, behind: (Int, Int) -> Double) -> Double {
        var (sum, count) = (0.0, 0.0)
        for y in Self.top - length..<Self.top - 2 {
            for x in 50..<190 {
                let alpha = coverage[y * Self.width + x]
                let truth = code(ofLight: alpha * light(Self.hairCode) + (1 - alpha) * behind(x, y))
                sum += abs(Double(result[y * Self.width + x].red) - Double(truth))
                count += 1
            }
        }
        return sum / count
    }

    /// The wall's mean over a disc.
    func blurredWall(radius: Double) -> [Double] {
        let reach = Int(radius.rounded(.up))
        var offsets: [(x: Int, y: Int)] = []
        for y in -reach...reach {
            for x in -reach...reach where Double(x * x + y * y) <= radius * radius { offsets.append((x, y)) }
        }
        return (0..<Self.width * Self.height).map { index in
            let (y, x) = index.quotientAndRemainder(dividingBy: Self.width)
            let inside = offsets.map { (x: x + $0.x, y: y + $0.y) }
                .filter { 0..<Self.width ~= $0.x && 0..<Self.height ~= $0.y }
            return inside.reduce(0) { $0 + wall[$1.y * Self.width + $1.x] } / Double(inside.count)
        }
    }
}

@Suite("Hair of a matte before other depth")
struct HairTests {
    @Test(
        "Hair of any length stays sharp before a blurred wall or sofa, whatever of it the map knows",
        arguments: [8, 30, 60],
        [(0, 1 / 3), (0.5, 1 / 3), (0, 0.6), (0.5, 0.6)] as [(share: Float, behind: Float)])
    func blurred(length: Int, map: (share: Float, behind: Float)) {
        let hair = Hair(length: length)
        // f₃₅ is 200 · 43.2666 / 277.8 = 31.15 mm; at f/0.5, a disc has a radius of 200 · 0.0623 / 2 = 6.23 pixels for 1/m.
        let lens = SyntheticAperture(focusDisparity: 1, fNumber: 0.5, focalLength: 200)
        let circle = lens.circleOfConfusion(ofDisparity: map.behind, width: Hair.width, height: Hair.height)
        let depths = hair.depths(share: map.share, length: length, behind: map.behind)
        let result = hair.photo.blurred(by: lens, disparity: depths, matte: hair.matte).bytes
        let wall = hair.blurredWall(radius: Double(circle) / 2)
        #expect(
            hair.error(result, length: length) { wall[$1 * Hair.width + $0] } < (map.share > 0 ? 4.2 : 3))
    }

    @Test("A sharp wall is continued behind hair from beside it, not from a window farther away")
    func continuedWall() {
        // A dark body in rows 300 and below, above it 60 rows of hair that covers a half, before a gray wall; the rows above 225
        // are a bright window.
        let (width, height, top) = (1200, 400, 300)
        let wall: UInt8 = 120
        let photo = photo(width, height) { _, y in
            let behind = light(y < top - 75 ? 255 : wall)
            let alpha = y < top - 60 ? 0 : y < top ? 0.5 : 1
            return gray(code(ofLight: alpha * light(20) + (1 - alpha) * behind))
        }
        let matte = matte(width, height) { _, y in y < top - 60 ? 0 : y < top ? 128 : 255 }
        let depths = scene(width, height) { _, y in y < top ? 1 / 3 : 1 }
        let lens = SyntheticAperture(focusDisparity: 1 / 3, fNumber: 0.5, focalLength: 1000)
        let result = photo.blurred(by: lens, disparity: depths, matte: matte).bytes
        let column = (top - 74..<height).map { result[$0 * width + 600].red }
        #expect((column.max() ?? 255) <= wall + 2)
    }

    @Test("Where a matte of depth is uncertain, the detail of what is nearly sharp stays")
    func uncertainMatte() {
        // A dark body in rows 300 and below before a wall with stripes of 8 rows. The matte covers 60 rows of the wall by 30 %.
        let (width, height, top) = (1200, 400, 300)
        let photo = photo(width, height) { _, y in gray(y < top ? (y / 8 % 2 == 0 ? 100 : 180) : 20) }
        let matte = matte(width, height) { _, y in y < top - 60 ? 0 : y < top ? 77 : 255 }
        let depths = scene(width, height) { _, y in y < top ? 1 / 3 : 1 }
        // Discs have a radius of 31 pixels for 1/m: 1.4 pixels on the wall.
        let lens = SyntheticAperture(focusDisparity: 0.38, fNumber: 0.5, focalLength: 1000)
        let result = photo.blurred(by: lens, disparity: depths, matte: matte, isMatteOfDepth: true).bytes
        let column = (top - 50..<top - 30).map { result[$0 * width + 600].red }
        #expect((column.max() ?? 0) > (column.min() ?? 0) + 60)
    }

    @Test(
        "A layer behind hair shows through it, also where the map knows a part of it",
        arguments: [(8, 0), (30, 0), (80, 0), (8, 0.5)] as [(length: Int, share: Float)])
    func inserted(length: Int, share: Float) {
        let hair = Hair(length: length)
        let white = RGBA<UInt8>(red: 255, green: 255, blue: 255, alpha: 255)
        let layer = RGBAImage(
            width: 2, height: 2, pixels: .uint8([white, white, white, white]), colorProfile: [])
        let placement = LayerPlacement(distance: 2, center: NormalizedPoint(x: 0.5, y: 0.5), width: 8)
        let result = hair.photo.inserting(
            layer, at: placement, focalLength: 200, scene: hair.depths(share: share, length: length),
            matte: hair.matte
        ).bytes
        #expect(hair.error(result, length: length) { _, _ in 1 } < 3)
    }

    @Test("Objects before the subject join its matte, and only they")
    func joined() throws {
        // A post at 0.5 m before a body at 1 m and a wall at 3 m.
        let isPost = { (x: Int) in (60..<80).contains(x) }
        let isBody = { (x: Int, y: Int) in (70..<170).contains(x) && y >= 40 && !isPost(x) }
        let photo = EffectsTests.photo(240, 140) { x, y in
            gray(isPost(x) ? 240 : isBody(x, y) ? 140 : UInt8(30 + (x * 7 + y * 13) % 20))
        }
        let depths = scene(240, 140) { x, y in isPost(x) ? 2 : isBody(x, y) ? 1 : 1 / 3 }
        let body = EffectsTests.matte(240, 140) { isBody($0, $1) ? 255 : 0 }
        let size = PixelSize(width: 240, height: 140)
        func join(_ map: DisparityMap, focus: Float = 1) throws -> Matte {
            try map.joining(
                body, before: focus, leastDifference: 0.1, enlargedFrom: size, in: photo, curve: .sRGB)
        }
        let joined = try join(depths).coverage
        for y in 0..<140 {
            for x in 0..<240 {
                #expect((joined[y * 240 + x] >= 128) == (isPost(x) || isBody(x, y)), "\(x), \(y)")
            }
        }
        // With the focus on the wall, both are blurred, and the map's edges are enough.
        #expect(try join(depths, focus: 1 / 3) == body)
        // As far as the body, it is not joined.
        #expect(try join(scene(240, 140) { isPost($0) || isBody($0, $1) ? 1 : 1 / 3 }) == body)
    }
}
