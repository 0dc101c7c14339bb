import DepthMaps
import DepthTypes
import Effects
import Testing

@Suite("Synthetic aperture blur")
struct BlurTests {
    static let (width, height) = (96, 72)
    /// hypot(96, 72) is 120, so that f₃₅ is 60 · 43.2666 / 120 = 21.6333 mm and, at f/1, a disc has
    /// 60 · 0.0216333 = 1.298 pixels of diameter for 1 per meter.
    static let focalLength: Float = 60

    static func lens(focus: Float, fNumber: Float = 1) -> SyntheticAperture {
        SyntheticAperture(focusDisparity: focus, fNumber: fNumber, focalLength: focalLength)
    }

    static func texture(_ x: Int, _ y: Int) -> RGB<UInt8> {
        RGB(
            red: UInt8((x * 37 + y * 11) % 200 + 20), green: UInt8((x * 5 + y * 29) % 180 + 30),
            blue: UInt8((x * y) % 150 + 40))
    }

    static func isSubject(_ x: Int, _ y: Int) -> Bool { (30..<60).contains(x) && (20..<55).contains(y) }

    @Test("The blur disc has the diameter given by the thin-lens formula")
    func circleOfConfusion() {
        let lens = Self.lens(focus: 0.5, fNumber: 2)
        // 60 · (60 · 43.2666 / 120 / 2 / 1000) · 2 = 1.298
        #expect(abs(lens.circleOfConfusion(ofDisparity: 2.5, width: 96, height: 72) - 1.298) < 1e-4)
        #expect(lens.circleOfConfusion(ofDisparity: 0.5, width: 96, height: 72) == 0)
        #expect(abs(SyntheticAperture.maximumRadius(width: 96, height: 72) - 3.6) < 1e-5)
    }

    @Test("A sharp range is not blurred, and discs grow from its ends")
    func sharpRange() {
        var lens = Self.lens(focus: 2)
        lens.sharpReach = 0.5
        // 1.298 pixels per 1/meter, as above at f/1.
        for (disparity, diameter): (Float, Float) in [(1.5, 0), (2.5, 0), (1, 0.649), (3.5, 1.298)] {
            let disc = lens.circleOfConfusion(ofDisparity: disparity, width: 96, height: 72)
            #expect(abs(disc - diameter) < 1e-3)
        }
        let image = photo(Self.width, Self.height, Self.texture)
        let scene = scene(Self.width, Self.height) { x, _ in x < 48 ? 1.6 : 2.4 }
        lens.fNumber = 0.1
        #expect(image.blurred(by: lens, disparity: scene).bytes == image.bytes)
        lens.sharpReach = 0
        #expect(image.blurred(by: lens, disparity: scene).bytes != image.bytes)
    }

    @Test("The f-number of a radius is that of the lens with this radius")
    func fNumber() {
        // At f/1, 0.649 pixels of radius per 1/meter.
        let fNumber = SyntheticAperture.fNumber(
            ofRadiusPerDisparity: 1.298, focalLength: 60, width: 96, height: 72)
        #expect(abs(fNumber - 0.5) < 1e-3)
    }

    @Test("Pixels in focus keep their exact values")
    func sharp() {
        let image = photo(Self.width, Self.height, Self.texture)
        let flat = scene(Self.width, Self.height) { _, _ in 1 }
        #expect(image.blurred(by: Self.lens(focus: 1), disparity: flat).bytes == image.bytes)
        let subject = scene(Self.width, Self.height) { Self.isSubject($0, $1) ? 5 : 0.2 }
        let result = image.blurred(by: Self.lens(focus: 5), disparity: subject).bytes
        for y in 0..<Self.height {
            for x in 0..<Self.width where Self.isSubject(x, y) {
                #expect(result[y * Self.width + x] == image.bytes[y * Self.width + x])
            }
        }
    }

    @Test("A photo of one color is unchanged at any depth", arguments: [UInt8(3), 90, 255])
    func uniform(code: UInt8) {
        let image = photo(Self.width, Self.height) { _, _ in gray(code) }
        let depths = scene(Self.width, Self.height) { x, y in Self.isSubject(x, y) ? 4 : Float(x % 40) * 0.2 }
        let result = image.blurred(by: Self.lens(focus: 2), disparity: depths).bytes
        #expect(result.allSatisfy { abs(Int($0.red) - Int(code)) <= 1 && $0.red == $0.blue })
    }

    // One step of 65,535 is finer than the sums of Float at full light, but a few steps are not.
    @Test("A 16-bit photo of one color is unchanged")
    func uniform16() {
        let pixel = RGB<UInt16>(red: 40000, green: 500, blue: 65535)
        let image = ColorImage(
            width: 96, height: 72, pixels: .uint16([RGB<UInt16>](repeating: pixel, count: 96 * 72)),
            colorProfile: [1])
        let depths = scene(96, 72) { x, _ in Float(x) * 0.1 }
        let result = image.blurred(by: Self.lens(focus: 2), disparity: depths)
        guard case .uint16(let pixels) = result.pixels else { return #expect(Bool(false)) }
        #expect(result.colorProfile == [1])
        #expect(pixels.allSatisfy { abs(Int($0.red) - 40000) <= 1 && abs(Int($0.green) - 500) <= 1 })
    }

    @Test("A subject in focus does not bleed into the background")
    func noBleeding() {
        let depths = scene(Self.width, Self.height) { Self.isSubject($0, $1) ? 5 : 0.2 }
        func render(_ subject: RGB<UInt8>) -> [RGB<UInt8>] {
            photo(Self.width, Self.height) { Self.isSubject($0, $1) ? subject : Self.texture($0, $1) }
                .blurred(by: Self.lens(focus: 5), disparity: depths).bytes
        }
        let (bright, dark) = (render(gray(255)), render(gray(0)))
        for y in 0..<Self.height {
            for x in 0..<Self.width where !Self.isSubject(x, y) {
                #expect(bright[y * Self.width + x] == dark[y * Self.width + x])
            }
        }
    }

    @Test(
        "The background does not bleed into a sharp or defocused subject, nor beyond its blur disc"
    )
    func noBleedingBack() {
        let depths = scene(Self.width, Self.height) { Self.isSubject($0, $1) ? 5 : 0.2 }
        func render(_ background: RGB<UInt8>) -> [RGB<UInt8>] {
            photo(Self.width, Self.height) { Self.isSubject($0, $1) ? Self.texture($0, $1) : background }
                .blurred(by: Self.lens(focus: 0.2), disparity: depths).bytes
        }
        let (bright, dark) = (render(gray(255)), render(gray(0)))
        // The radius is 60 · 0.0216333 / 2 · 4.8 = 3.1 pixels.
        for y in 24..<51 {
            for x in 34..<56 {
                // The fill of hidden areas has a weight of 1/2000: less than one step.
                let (first, second) = (bright[y * Self.width + x], dark[y * Self.width + x])
                #expect(abs(Int(first.green) - Int(second.green)) <= 1)
            }
        }
        #expect(bright[10 * Self.width + 10] == gray(255))
        #expect(dark[40 * Self.width + 25] == gray(0))
    }

    @Test("A highlight becomes an even disc of the right radius and keeps its light")
    func highlight() {
        let image = photo(Self.width, Self.height) { x, y in
            (45..<48).contains(x) && (35..<38).contains(y) ? gray(255) : gray(0)
        }
        // Radius 60 · 0.0216333 / 2 · 5 = 3.245 pixels.
        let result = image.blurred(
            by: Self.lens(focus: 5), disparity: scene(Self.width, Self.height) { _, _ in 0 }
        ).bytes
        let total = result.reduce(0.0) { $0 + light($1.red) }
        // Values near black are rounded: a few percent of nine pixels' light, spread over 60.
        #expect(abs(total - 9) < 0.3)
        let center = light(result[36 * Self.width + 46].red)
        #expect(abs(center - 9 / (3.14159 * 3.245 * 3.245)) < 0.02)
        // The square and the disc together extend 1.5 + 3.245 pixels, and the light falls to half at about 3.4.
        #expect(result[36 * Self.width + 46 + 6].red == 0)
        let quarter = light(result[36 * Self.width + 46 + 2].red)
        #expect(quarter > 0.5 * center)
        #expect(light(result[36 * Self.width + 46 + 4].red) < 0.5 * center)
    }

    @Test("Blurring a mirrored scene gives the mirrored picture")
    func symmetry() {
        func render(_ turn: Bool) -> [RGB<UInt8>] {
            func at(_ x: Int) -> Int { turn ? Self.width - 1 - x : x }
            let image = photo(Self.width, Self.height) { x, y in Self.texture(at(x), y) }
            return image.blurred(
                by: Self.lens(focus: 2),
                disparity: scene(Self.width, Self.height) { x, y in
                    Self.isSubject(at(x), y) ? 5 : Float(at(x)) * 0.02
                }
            ).bytes
        }
        let (plain, mirrored) = (render(false), render(true))
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let (a, b) = (plain[y * Self.width + x], mirrored[(y + 1) * Self.width - 1 - x])
                // The sums are in another order.
                #expect(abs(Int(a.red) - Int(b.red)) <= 1 && abs(Int(a.green) - Int(b.green)) <= 1)
            }
        }
    }

    @Test("The blur is close to a rendering through a densely sampled lens", arguments: [Float(5), 0.2, 2.6])
    func reference(focus: Float) {
        let scene = RenderedScene(focus: focus)
        let result = scene.photo.blurred(
            by: Self.lens(focus: focus), disparity: scene.disparity
        ).bytes
        let reference = scene.rendered()
        let near = abs(scene.nearRadius)
        let far = abs(scene.farRadius)
        func error(_ isIn: (Float) -> Bool) -> Double {
            var (sum, count) = (0.0, 0.0)
            for y in 8..<64 {
                for x in 8..<88 where isIn(scene.distance(x, y)) {
                    sum += abs(light(result[y * 96 + x].red) - reference[y * 96 + x])
                    count += 1
                }
            }
            return sum / count
        }
        // Relative to full light; the squares' contrast is 0.5. Set just above the measured errors (0.014 and 0.087 at
        // worst), which include the coarse sampling of the lens.
        #expect(error { $0 < -near - 1 } < 0.01)
        #expect(error { $0 > near + far + 1 } < 0.02)
        #expect(error { $0 > near + 1 } < 0.03)
        #expect(error { abs($0) <= near + 1 } < 0.1)
    }

    @Test("A matte keeps strands with the subject that depth misses")
    func matte() {
        // A strand three pixels wide that is only in the matte.
        func isStrand(_ x: Int, _ y: Int) -> Bool { (60..<66).contains(x) && (30..<33).contains(y) }
        let image = photo(Self.width, Self.height) { x, y in
            isStrand(x, y) ? gray(10) : Self.isSubject(x, y) ? gray(60) : gray(220)
        }
        let depths = scene(Self.width, Self.height) { Self.isSubject($0, $1) ? 5 : 0.2 }
        var coverage: [UInt8] = []
        for y in 0..<Self.height {
            for x in 0..<Self.width { coverage.append(isStrand(x, y) || Self.isSubject(x, y) ? 255 : 0) }
        }
        let matte = Matte(width: Self.width, height: Self.height, coverage: coverage)
        let result = image.blurred(by: Self.lens(focus: 5), disparity: depths, matte: matte).bytes
        for x in 60..<66 { #expect(result[31 * Self.width + x] == gray(10)) }
        let without = image.blurred(by: Self.lens(focus: 5), disparity: depths).bytes
        #expect(without[31 * Self.width + 64].red > 100)
    }

    @Test("A soft edge in focus before an even wall stays as it is")
    func softEdge() {
        // Six pixels soft, and the map's edge is four pixels beside it. Discs have a radius of 14 pixels.
        let (width, height) = (480, 40)
        func share(_ x: Int) -> Double { min(max((243 - Double(x) - 0.5) / 6, 0), 1) }
        let image = photo(width, height) { x, _ in
            gray(code(ofLight: share(x) * light(40) + (1 - share(x)) * light(220)))
        }
        let depths = scene(width, height) { x, _ in x < 244 ? 5 : 0.2 }
        let coverage = (0..<height).flatMap { _ in
            (0..<width).map { UInt8(share($0) * 255 + 0.5) }
        }
        let matte = Matte(width: width, height: height, coverage: coverage)
        let result = image.blurred(by: Self.lens(focus: 5), disparity: depths, matte: matte).bytes
        for x in 230..<260 {
            // Faint coverage is treated as 0: its light becomes the wall's.
            let (found, photo) = (result[20 * width + x].red, image.bytes[20 * width + x].red)
            #expect(abs(Int(found) - Int(photo)) < 12, "column \(x): \(found) for \(photo)")
        }
    }

    @Test("Background with the subject's depth is blurred where the matte excludes it")
    func whiskers() {
        let image = photo(Self.width, Self.height, Self.texture)
        var coverage: [UInt8] = []
        for y in 0..<Self.height {
            for x in 0..<Self.width { coverage.append(Self.isSubject(x, y) ? 255 : 0) }
        }
        let matte = Matte(width: Self.width, height: Self.height, coverage: coverage)
        func render(_ isNear: @escaping (Int, Int) -> Bool) -> [RGB<UInt8>] {
            let depths = scene(Self.width, Self.height) {
                isNear($0, $1) || Self.isSubject($0, $1) ? 5 : 0.2
            }
            return image.blurred(by: Self.lens(focus: 5), disparity: depths, matte: matte).bytes
        }
        // Extends five pixels outward on a side and at a corner.
        let result = render { x, y in
            (60..<65).contains(x) && (30..<38).contains(y) || (25..<31).contains(x) && (15..<21).contains(y)
        }
        let truth = render { _, _ in false }
        for index in result.indices {
            // The background's depth is a mean summed in another order.
            let (a, b) = (result[index], truth[index])
            #expect(abs(Int(a.red) - Int(b.red)) <= 1 && abs(Int(a.green) - Int(b.green)) <= 1)
        }
    }

    @Test(
        "What lies between subject and background is blurred by its own depth where a matte covers a part of it"
    )
    func headrest() {
        // A textured headrest six pixels beside the subject. The matte covers 40 % of it, and less at its edges.
        let isHeadrest = { (x: Int, y: Int) in (66..<84).contains(x) && (15..<60).contains(y) }
        let image = photo(Self.width, Self.height, Self.texture)
        let depths = scene(Self.width, Self.height) {
            Self.isSubject($0, $1) ? 5 : isHeadrest($0, $1) ? 2.5 : 0.2
        }
        func render(_ share: Int) -> [RGB<UInt8>] {
            let matte = EffectsTests.matte(Self.width, Self.height) { x, y in
                let edge = isHeadrest(x - 1, y) && isHeadrest(x + 1, y) ? share : share / 2
                return Self.isSubject(x, y) ? 255 : isHeadrest(x, y) ? UInt8(edge) : 0
            }
            return image.blurred(by: Self.lens(focus: 5), disparity: depths, matte: matte).bytes
        }
        #expect(render(102) == render(0))
    }

    @Test("Blurring handles one pixel, one row and unknown depth")
    func small() {
        for (width, height) in [(1, 1), (7, 1), (1, 9)] {
            let image = photo(width, height) { x, y in gray(UInt8(x * 20 + y * 10)) }
            let depths = scene(width, height) { x, _ in x == 0 ? .nan : .infinity }
            #expect(image.blurred(by: Self.lens(focus: 1), disparity: depths).bytes.count == width * height)
        }
    }
}
