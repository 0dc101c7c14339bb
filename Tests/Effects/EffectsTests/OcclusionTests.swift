import DepthMaps
import DepthTypes
import Effects
import Testing

@Suite("Occluded layers")
struct OcclusionTests {
    static let focalLength: Float = 100

    static func layer(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> RGBA<UInt8>) -> RGBAImage {
        var pixels: [RGBA<UInt8>] = []
        for y in 0..<height { for x in 0..<width { pixels.append(pixel(x, y)) } }
        return RGBAImage(width: width, height: height, pixels: .uint8(pixels), colorProfile: [])
    }

    static let red = RGBA<UInt8>(red: 200, green: 10, blue: 30, alpha: 255)
    static let photo = EffectsTests.photo(96, 72) { x, y in gray(UInt8((x * 7 + y * 3) % 256)) }

    static func placed(_ distance: Float, width: Float = 0.8) -> LayerPlacement {
        LayerPlacement(distance: distance, center: NormalizedPoint(x: 0.5, y: 0.5), width: width)
    }

    @Test("An inserted layer has its width in meters at its distance and changes nothing outside")
    func size() {
        // 0.8 m · 100 px / 2 m = 40 pixels, columns 28…67; a square layer is as high: rows 16…55.
        let result = Self.photo.inserting(
            Self.layer(8, 8) { _, _ in Self.red }, at: Self.placed(2), focalLength: Self.focalLength,
            scene: scene(96, 72) { _, _ in 0.2 }
        ).bytes
        for y in 0..<72 {
            for x in 0..<96 {
                let isInside = (28..<68).contains(x) && (16..<56).contains(y)
                let expected = isInside ? RGB(red: 200, green: 10, blue: 30) : Self.photo.bytes[y * 96 + x]
                #expect(result[y * 96 + x] == expected)
            }
        }
    }

    @Test("An inserted layer is hidden by nearer surfaces to within one pixel")
    func hidden() {
        let result = Self.photo.inserting(
            Self.layer(4, 4) { _, _ in Self.red }, at: Self.placed(2), focalLength: Self.focalLength,
            scene: scene(96, 72) { x, _ in x < 48 ? 1 : 0.2 }
        ).bytes
        for y in 16..<56 {
            for x in 0..<47 { #expect(result[y * 96 + x] == Self.photo.bytes[y * 96 + x]) }
            for x in 49..<68 { #expect(result[y * 96 + x].red == 200) }
        }
        let behind = Self.photo.inserting(
            Self.layer(4, 4) { _, _ in Self.red }, at: Self.placed(2), focalLength: Self.focalLength,
            scene: scene(96, 72) { _, _ in 0.6 })
        #expect(behind.bytes == Self.photo.bytes)
    }

    @Test("A layer fades into a slope and is half visible at its own distance")
    func slope() {
        let black = EffectsTests.photo(96, 72) { _, _ in gray(0) }
        let white = RGBA<UInt8>(red: 255, green: 255, blue: 255, alpha: 255)
        // 0.5 per meter between columns 47 and 48; the band of 2 % is 0.02 per meter, ten columns wide.
        let result = black.inserting(
            Self.layer(2, 2) { _, _ in white }, at: Self.placed(2), focalLength: Self.focalLength,
            scene: scene(96, 72) { x, _ in 0.5 + (Float(x) - 47.5) * 0.002 }
        ).bytes
        let row = (28..<68).map { light(result[36 * 96 + $0].red) }
        #expect(zip(row, row.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(row[0] == 1 && row[39] == 0)
        // A code is 1/255, and half of light is code 188.
        #expect(abs((row[19] + row[20]) / 2 - 0.5) < 0.01)
    }

    @Test("A layer is blended in linear light by its opacity")
    func opacity() {
        let half = RGBA<UInt8>(red: 255, green: 255, blue: 255, alpha: 51)
        let result = EffectsTests.photo(96, 72) { _, _ in gray(0) }.inserting(
            Self.layer(3, 3) { _, _ in half }, at: Self.placed(2), focalLength: Self.focalLength,
            scene: scene(96, 72) { _, _ in 0 })
        // Light 0.2 is code 255 · (1.055 · 0.2^(1/2.4) − 0.055) = 123.6.
        #expect(result.bytes[36 * 96 + 48] == gray(124))
    }

    @Test("A reduced layer has the mean of its light")
    func reduced() {
        let result = Self.photo.inserting(
            Self.layer(400, 400) { x, y in
                (x + y) % 2 == 0
                    ? RGBA(red: 255, green: 255, blue: 255, alpha: 255)
                    : RGBA(red: 0, green: 0, blue: 0, alpha: 255)
            }, at: Self.placed(2), focalLength: Self.focalLength, scene: scene(96, 72) { _, _ in 0 })
        // Half of full light is code 187.5.
        for x in 28..<68 { #expect([187, 188].contains(result.bytes[30 * 96 + x].red)) }
    }

    @Test("Transparent layer pixels add no color")
    func transparent() {
        let layer = Self.layer(8, 8) { x, _ in
            x < 4
                ? RGBA(red: 255, green: 255, blue: 255, alpha: 255)
                : RGBA(red: 255, green: 0, blue: 0, alpha: 0)
        }
        let white = EffectsTests.photo(96, 72) { _, _ in gray(255) }
        let result = white.inserting(
            layer, at: Self.placed(2), focalLength: Self.focalLength, scene: scene(96, 72) { _, _ in 0 })
        #expect(result.bytes == white.bytes)
    }

    @Test("A layer may lie partly or fully outside the frame", arguments: [-3.0, -0.3, 0, 1, 1.3, 9])
    func outside(place: Double) {
        let placement = LayerPlacement(
            distance: 2, center: NormalizedPoint(x: place, y: 0.5), width: 0.8)
        let result = Self.photo.inserting(
            Self.layer(5, 3) { _, _ in Self.red }, at: placement, focalLength: Self.focalLength,
            scene: scene(96, 72) { _, _ in 0 }
        ).bytes
        #expect(
            result[36 * 96] == (place == 0 ? RGB(red: 200, green: 10, blue: 30) : Self.photo.bytes[36 * 96]))
    }

    @Test("A matte hides a layer behind the subject where depth is too coarse")
    func matte() {
        // Depth ends two pixels beside the subject.
        let depths = scene(96, 72) { x, _ in x < 50 ? 1 : 0.2 }
        let coverage = (0..<72).flatMap { _ in (0..<96).map { UInt8($0 < 48 ? 255 : $0 == 48 ? 128 : 0) } }
        let black = EffectsTests.photo(96, 72) { _, _ in gray(0) }
        let white = RGBA<UInt8>(red: 255, green: 255, blue: 255, alpha: 255)
        let result = black.inserting(
            Self.layer(4, 4) { _, _ in white }, at: Self.placed(2), focalLength: Self.focalLength,
            scene: depths,
            matte: Matte(width: 96, height: 72, coverage: coverage)
        ).bytes
        for x in 28..<48 { #expect(result[36 * 96 + x] == gray(0)) }
        // Half covered: light 127/255 is code 187.6.
        #expect(abs(Int(result[36 * 96 + 48].red) - 188) <= 1)
        for x in 49..<68 { #expect(result[36 * 96 + x] == gray(255)) }
    }

    @Test("A layer is not hidden where depth falls beside a matte's subject")
    func fallingDepth() {
        // The disparity falls from 1 per meter to 0.2, with 0.55 between, where the layer, at 0.5, is behind. The matte ends
        // one pixel before.
        let depths = scene(96, 72) { x, _ in x < 49 ? 1 : x == 49 ? 0.55 : 0.2 }
        let matte = EffectsTests.matte(96, 72) { x, _ in x < 48 ? 255 : 0 }
        let black = EffectsTests.photo(96, 72) { _, _ in gray(0) }
        let white = RGBA<UInt8>(red: 255, green: 255, blue: 255, alpha: 255)
        let result = black.inserting(
            Self.layer(4, 4) { _, _ in white }, at: Self.placed(2), focalLength: Self.focalLength,
            scene: depths, matte: matte
        ).bytes
        for x in 28..<48 { #expect(result[36 * 96 + x] == gray(0)) }
        for x in 48..<68 { #expect(result[36 * 96 + x] == gray(255), "column \(x)") }
    }

    /// A front of code 40 that ends softly over eight pixels, before a wall of code 220.
    static func share(_ x: Int) -> Double { min(max((52 - Double(x) - 0.5) / 8, 0), 1) }

    static let soft = EffectsTests.photo(96, 72) { x, _ in
        let mixed = share(x) * light(40) + (1 - share(x)) * light(220)
        return gray(code(ofLight: mixed))
    }

    @Test("What hides a layer in part has its own color, without the light of its old background")
    func ownColor() {
        let coverage = (0..<72).flatMap { _ in (0..<96).map { UInt8(Self.share($0) * 255 + 0.5) } }
        let result = Self.soft.inserting(
            Self.layer(4, 4) { _, _ in RGBA(red: 10, green: 10, blue: 10, alpha: 255) }, at: Self.placed(2),
            focalLength: Self.focalLength, scene: scene(96, 72) { x, _ in x < 50 ? 1 : 0.2 },
            matte: Matte(width: 96, height: 72, coverage: coverage)
        ).bytes
        for x in 44..<52 {
            let expected = Self.share(x) * light(40) + (1 - Self.share(x)) * light(10)
            // Faint coverage is treated as 0, including its light of the wall, which is less than 7 % of the wall's
            // light.
            #expect(abs(Int(result[36 * 96 + x].red) - Int(code(ofLight: expected))) < 12)
        }
    }

    @Test("Where depth is coarse, the edge of what hides a layer is found in the photo")
    func foundEdge() {
        // Depth ends six pixels beside the photo's edge, in samples of eight pixels.
        let depths = scene(96, 72) { x, _ in x < 54 ? 1 : 0.2 }
        let white = RGBA<UInt8>(red: 255, green: 255, blue: 255, alpha: 255)
        func error(_ mapSize: PixelSize?) -> Double {
            let result = Self.soft.inserting(
                Self.layer(4, 4) { _, _ in white }, at: Self.placed(2), focalLength: Self.focalLength,
                scene: depths, enlargedFrom: mapSize
            ).bytes
            return (36..<64).reduce(0.0) { sum, x in
                let expected = Self.share(x) * light(40) + (1 - Self.share(x))
                return sum + abs(light(result[36 * 96 + x].red) - expected) / 28
            }
        }
        #expect(error(PixelSize(width: 12, height: 9)) < 0.03)
        #expect(error(nil) > 0.05)
    }
}
