import DepthMaps
import DepthTypes
import Effects
import TestSupport
import Testing

@Suite("Highlights in blur")
struct HighlightTests {
    static let (width, height) = (480, 360)
    /// 8 pixels of radius: (f · 43.2666 / 600 / N / 1000) · f / 2 · (1 − 1/3) with f = 400.
    static let lens = SyntheticAperture(focusDisparity: 1, fNumber: 0.4808, focalLength: 400)
    static let wall = scene(width, height) { _, _ in 1 / Float(3) }

    /// Lamps on a dark wall: a pixel, and discs of up to 3 pixels of radius.
    static func lamp(_ x: Int, _ y: Int) -> Bool {
        let (column, row) = (x / 96, y / 90)
        let radius = [0.5, 1, 2, 3][(column + row) % 4]
        let (dx, dy) = (Double(x - column * 96 - 48), Double(y - row * 90 - 45))
        return dx * dx + dy * dy <= radius * radius
    }

    /// Light of the wall, in steps of 8 × 8 pixels.
    static func wallLight(_ x: Int, _ y: Int) -> Float {
        0.02 + 0.03 * Float((x / 8 * 7 + y / 8 * 5) % 11) / 11
    }

    static func light(_ x: Int, _ y: Int, _ lamp: SIMD3<Float>) -> SIMD3<Float> {
        Self.lamp(x, y) ? lamp : SIMD3(repeating: wallLight(x, y))
    }

    /// The mean over the disc around a pixel, whose rim is antialiased by 16 samples a pixel.
    static func disc(_ x: Int, _ y: Int, _ radius: Double, _ light: (Int, Int) -> SIMD3<Float>) -> SIMD3<
        Float
    > {
        let reach = Int(radius + 0.5)
        var (sum, weight) = (SIMD3<Float>.zero, Float(0))
        for dy in -reach...reach {
            for dx in -reach...reach {
                var covered = 0
                for sample in 0..<16 {
                    let sx = Double(dx) + (Double(sample % 4) - 1.5) / 4
                    let sy = Double(dy) + (Double(sample / 4) - 1.5) / 4
                    covered += sx * sx + sy * sy <= radius * radius ? 1 : 0
                }
                guard covered > 0 else { continue }
                let column = min(max(x + dx, 0), width - 1)
                let row = min(max(y + dy, 0), height - 1)
                sum += light(column, row) * Float(covered)
                weight += Float(covered)
            }
        }
        return sum / weight
    }

    /// The mean difference from truth around the lamps of the two middle rows, in codes of red.
    private static func error(_ found: ColorImage, brightness: Float) -> Float {
        let codes = found.bytes
        var (sum, count) = (Float(0), 0)
        for y in 130..<140 {
            for x in 48..<432 {
                let truth = disc(x, y, 8) { light($0, $1, SIMD3(repeating: brightness)) }.code
                sum += abs(Float(codes[y * width + x].red) - Float(truth.red))
                count += 1
            }
        }
        return sum / Float(count)
    }

    @Test("Lamps of 30 times white glow: the error is halved by the estimate, and more by known light")
    func glow() {
        let photo = photo(Self.width, Self.height) { Self.light($0, $1, SIMD3(repeating: 30)).code }
        func error(_ highlights: Highlights) -> Float {
            let blurred = photo.blurred(by: Self.lens, disparity: Self.wall, highlights: highlights)
            return Self.error(blurred, brightness: 30)
        }
        let known = Highlights(factors: photo.bytes.map { $0 == .white ? 30 : 1 })
        let (before, estimated, exact) = (error(.none), error(Highlights(estimatedIn: photo)), error(known))
        #expect(before > 5)
        #expect(estimated < before / 2, "\(before) \(estimated)")
        #expect(exact < min(before / 5, estimated), "\(before) \(exact)")
    }

    @Test("A gain map gives the light of clipped pixels, and no others")
    func gainMap() {
        // A ramp from 230 to 255, below a map of half its size: 1 at the left, and 4 and 16 at the right.
        let photo = photo(52, 4) { x, _ in gray(UInt8(230 + x / 2)) }
        let factors = (0..<52).map { Float($0 % 26 < 13 ? 1 : $0 < 26 ? 4 : 16) }
        let parameters = GainMapParameters.apple(.light(16))
        let map = GainMap(width: 26, height: 2, factors: [factors], parameters: parameters)
        let highlights = Highlights(map, of: photo)
        #expect(highlights[10] == 1 && highlights[20] == 1)
        #expect(abs(highlights[51] - 4) < 0.1 && abs(highlights[3 * 52 + 51] - 16) < 0.4)
        // Code 246 is halfway from 240 to 252: the root of the factor.
        #expect(abs(highlights[32] - 2) < 0.1)
        let flat = GainMap(width: 1, height: 1, factors: [[1]], parameters: parameters)
        #expect(Highlights(flat, of: photo).isEmpty)
        // Sunlit skin: one color is clipped, and the map brightens it.
        let bright = GainMap(width: 1, height: 1, factors: [[4]], parameters: parameters)
        let skin = EffectsTests.photo(8, 8) { _, _ in RGB(red: 255, green: 222, blue: 196) }
        #expect(Highlights(bright, of: skin).isEmpty)
    }

    @Test("A colored lamp keeps its hue")
    func hue() {
        let lamp = SIMD3<Float>(1, 0.4, 0.1)
        let photo = photo(Self.width, Self.height) { Self.light($0, $1, lamp).code }
        let highlights = Highlights(estimatedIn: photo)
        #expect(highlights[135 * Self.width + 48] > 8)
        let blurred = photo.blurred(by: Self.lens, disparity: Self.wall, highlights: highlights)
        // A disc that is not clipped: 16 / 201 of the light of a lamp of one pixel.
        let places = (0..<Self.height).flatMap { y in (0..<Self.width).map { (x: $0, y: y) } }
        let single = places.filter { ($0.x / 96 + $0.y / 90) % 4 == 0 && Self.lamp($0.x, $0.y) }
        #expect(single.count > 2)
        for place in single {
            let wall = Self.disc(place.x, place.y, 8) { x, y in SIMD3(repeating: Self.wallLight(x, y)) }
            let color = blurred.bytes[place.y * Self.width + place.x].light - wall
            #expect(color.x > 0.03)
            #expect(abs(color.y / color.x - 0.4) < 0.12 && abs(color.z / color.x - 0.1) < 0.12, "\(color)")
        }
    }

    @Test("Lamps in focus keep their exact values")
    func sharp() {
        let photo = photo(Self.width, Self.height) { Self.light($0, $1, [1, 0.4, 0.1]).code }
        let highlights = Highlights(estimatedIn: photo)
        #expect(!highlights.isEmpty)
        let near = scene(Self.width, Self.height) { _, _ in 1 }
        let blurred = photo.blurred(by: Self.lens, disparity: near, highlights: highlights)
        #expect(blurred.bytes == photo.bytes)
    }

    @Test("Walls, paper with letters, leaves before the sky and gray spots do not glow")
    func others() {
        func isEmpty(_ color: (Int, Int) -> RGB<UInt8>) -> Bool {
            Highlights(estimatedIn: photo(Self.width, Self.height, color)).isEmpty
        }
        #expect(isEmpty { x, _ in x < 200 ? .white : gray(20) })
        // Rings of ink around paper, as in o and e.
        #expect(
            isEmpty { x, y in
                let (dx, dy) = (x % 16 - 8, y % 20 - 10)
                return 9...30 ~= dx * dx + dy * dy ? gray(10) : .white
            })
        var random = SplitMix(seed: 5)
        let leaves = (0..<Self.width * Self.height / 9 + 1000).map { _ in
            UInt8.random(in: 0...9, using: &random)
        }
        #expect(isEmpty { x, y in leaves[y / 3 * (Self.width / 3) + x / 3] < 4 ? .white : gray(30) })
        #expect(isEmpty { x, y in Self.lamp(x, y) ? gray(240) : gray(20) })
        #expect(isEmpty { x, y in Self.lamp(x, y) ? .white : gray(140) })
    }
}
