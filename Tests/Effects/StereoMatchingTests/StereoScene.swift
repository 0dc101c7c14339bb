import DepthMaps

@testable import StereoMatching

/// A stereo pair with exact disparity: planes in front of each other, each with a different texture.
struct StereoScene: Sendable {
    /// A plane whose disparity is a + b·x + c·y at the pixel (x, y) of the left picture, where `covers` holds.
    struct Layer: Sendable {
        var a: Double
        var b = 0.0
        var c = 0.0
        var seed: UInt64
        var covers: @Sendable (_ x: Double, _ y: Double) -> Bool = { _, _ in true }
    }

    let width: Int
    let height: Int
    var left: [UInt8] = []
    var right: [UInt8] = []
    /// The disparity of the left picture's pixels.
    var truth: [Double] = []
    /// Whether both eyes see the content of a pixel of the left picture.
    var isVisible: [Bool] = []

    /// Renders the layers; right pixels are `rowShift` rows lower. Noise is uniform with this standard deviation.
    init(
        width: Int = 320, height: Int = 200, layers: [Layer], contrast: Double = 40, noise: Double = 1,
        rowShift: Double = 0
    ) {
        (self.width, self.height) = (width, height)
        var generator = SplitMix(state: 7)
        var nearest = [Double](repeating: -.infinity, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                var best = (disparity: -Double.infinity, value: 0.0)
                for layer in layers where layer.covers(Double(x), Double(y)) {
                    let disparity = layer.a + layer.b * Double(x) + layer.c * Double(y)
                    guard disparity > best.disparity else { continue }
                    best = (disparity, Self.texture(Double(x), Double(y), layer.seed))
                }
                truth.append(best.disparity)
                left.append(Self.code(best.value, contrast, noise, &generator))
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                var best = (disparity: -Double.infinity, value: 0.0)
                let row = Double(y) - rowShift
                for layer in layers {
                    // x = s − a − b·s − c·row, for the position s in the left picture.
                    let source = (Double(x) + layer.a + layer.c * row) / (1 - layer.b)
                    let disparity = source - Double(x)
                    guard layer.covers(source, row), disparity > best.disparity else { continue }
                    best = (disparity, Self.texture(source, row, layer.seed))
                }
                nearest[y * width + x] = best.disparity
                right.append(Self.code(best.value, contrast, noise, &generator))
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                let partner = (Double(x) - truth[y * width + x]).rounded()
                let row = (Double(y) + rowShift).rounded()
                guard partner >= 0, partner < Double(width), row >= 0, row < Double(height) else {
                    isVisible.append(false)
                    continue
                }
                isVisible.append(abs(nearest[Int(row) * width + Int(partner)] - truth[y * width + x]) < 1)
            }
        }
    }

    /// The pictures as gray colors.
    var pictures: (left: ColorImage, right: ColorImage) { (image(left), image(right)) }

    private func image(_ samples: [UInt8]) -> ColorImage {
        ColorImage(
            width: width, height: height,
            pixels: .uint8(samples.map { RGB(red: $0, green: $0, blue: $0) }), colorProfile: [])
    }

    /// Of the pixels that both eyes see, the fraction of matched pixels that are off by more than two, and the fraction
    /// that are matched.
    func quality(_ match: StereoMatch) -> (bad: Double, coverage: Double) {
        var (visible, matched, wrong) = (0, 0, 0)
        for index in truth.indices where isVisible[index] {
            visible += 1
            let found = match.disparity[index]
            guard found == found else { continue }
            matched += 1
            if abs(Double(found) - truth[index]) > 2 { wrong += 1 }
        }
        return (Double(wrong) / Double(max(1, matched)), Double(matched) / Double(max(1, visible)))
    }

    private static func code(
        _ value: Double, _ contrast: Double, _ noise: Double, _ generator: inout SplitMix
    ) -> UInt8 {
        // Uniform noise of a standard deviation σ spans ±σ√3.
        let error = (generator.unit() * 2 - 1) * noise * 3.0.squareRoot()
        return UInt8(min(max((128 + contrast * value + error).rounded(), 0), 255))
    }

    /// Smooth noise of three octaves, about −2…2.
    static func texture(_ x: Double, _ y: Double, _ seed: UInt64) -> Double {
        [2.5, 7, 23].enumerated().reduce(0) { sum, octave in
            sum + smooth(x / octave.element, y / octave.element, seed &* 31 &+ UInt64(octave.offset))
        }
    }

    private static func smooth(_ x: Double, _ y: Double, _ seed: UInt64) -> Double {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        let (u, v) = (fade(x - left), fade(y - top))
        let upper = lattice(left, top, seed) * (1 - u) + lattice(left + 1, top, seed) * u
        let lower = lattice(left, top + 1, seed) * (1 - u) + lattice(left + 1, top + 1, seed) * u
        return upper * (1 - v) + lower * v
    }

    private static func fade(_ t: Double) -> Double { t * t * (3 - 2 * t) }

    private static func lattice(_ x: Double, _ y: Double, _ seed: UInt64) -> Double {
        var generator = SplitMix(
            state: seed &* 0x9E37_79B9 &+ UInt64(bitPattern: Int64(x)) &* 0x85EB_CA6B
                &+ UInt64(bitPattern: Int64(y)) &* 0xC2B2_AE35)
        _ = generator.next()
        return generator.unit() * 2 - 1
    }
}

/// Vigna's SplitMix64.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z &>> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z &>> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z &>> 31
    }

    /// 0…1
    mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
