internal import DepthMaps
internal import DepthTypes
internal import Effects
import TestSupport
internal import Testing

/// Compares coverage solved from a trimap with pictures whose coverage is known. Their layers are mixed in codes, so
/// codes are light.
@Suite("Matting in a trimap")
struct TrimapMattingTests {
    static let linear = TransferFunction(light: [0, 1])
    static let side = 96

    /// Unknown between columns.
    static func trimap(_ columns: Range<Int>) -> Trimap {
        trimap { x, _ in x < columns.lowerBound ? 255 : x < columns.upperBound ? 128 : 0 }
    }

    static func trimap(_ code: (Int, Int) -> UInt8) -> Trimap {
        Trimap(width: side, height: side, codes: matte(side, side, code).coverage)
    }

    /// A mask of half the size that ends at a column.
    static func mask(endingAt column: Int) -> Matte { matte(48, 48) { x, _ in 2 * x < column ? 255 : 0 } }

    /// Mean absolute difference in codes between columns.
    static func error(_ found: [UInt8], _ columns: Range<Int>, _ truth: (Int, Int) -> Double) -> Double {
        var sum = 0.0
        for y in 0..<side {
            for x in columns { sum += abs(Double(found[y * side + x]) - truth(x, y)) }
        }
        return sum / Double(side * columns.count)
    }

    static func mixed(
        _ share: Double, _ front: (Double, Double, Double), _ back: (Double, Double, Double),
        noise: Double = 0
    ) -> RGB<UInt8> {
        func code(_ front: Double, _ back: Double) -> UInt8 {
            UInt8(min(max(share * front + (1 - share) * back + noise, 0), 255) + 0.5)
        }
        return RGB(red: code(front.0, back.0), green: code(front.1, back.1), blue: code(front.2, back.2))
    }

    /// A ramp of 12 columns around column 48.
    static func ramp(_ x: Int, _ y: Int) -> Double { min(max(0.5 + (48 - Double(x) - 0.5) / 12, 0), 1) }

    @Test("A soft edge is found beside a mask that is off by 6 pixels", arguments: [0.0, 20])
    func softEdge(texture: Double) throws {
        let picture = photo(96, 96) { x, y in
            let wave = texture * (Double((x * 7 + y * 3) % 11) / 10 - 0.5)
            return Self.mixed(Self.ramp(x, y), (190 + wave, 90, 50), (50, 120, 190 - wave))
        }
        let cutout = try Cutout(picture, along: Self.mask(endingAt: 42), curve: Self.linear)
        let found = cutout.refined(in: Self.trimap(28..<68)).matte.coverage
        // Coverage is stretched by up to 4 %, which is 10 codes at one end; the mask is off by 19 codes.
        #expect(Self.error(found, 28..<68) { Self.ramp($0, $1) * 255 } < 6)
    }

    /// Strands of 1 to 2.2 pixels to the right of an edge 6 pixels soft, in row-major order.
    static func strands(_ x: Int, _ y: Int) -> Double {
        let (u, v) = (Double(x) + 0.5, Double(y) + 0.5)
        var share = min(max(0.5 + (30 - u) / 6, 0), 1)
        guard u > 26, u < 62 else { return (share * 255 + 0.5).rounded(.down) }
        for strand in 0..<9 {
            let middle = 8 + 10 * Double(strand) + 0.3 * (strand.isMultiple(of: 2) ? 1 : -1) * (u - 30)
            share = max(share, min(max(0.5 + (1 + 0.15 * Double(strand)) / 2 - abs(v - middle), 0), 1))
        }
        return (share * 255 + 0.5).rounded(.down)
    }

    static func strandColors(_ x: Int, _ y: Int, similar: Bool) -> RGB<UInt8> {
        let (u, v) = (Double(x) + 0.5, Double(y) + 0.5)
        let front = (120 + 20 * sine(u / 5), 60 + 12 * sine(v / 4), 40.0)
        let back =
            similar
            ? (135 + 25 * sine(u / 7 + v / 5), 85 + 15 * sine(v / 6), 60 + 10 * sine(u / 9))
            : (60 + 20 * sine(u / 7), 140 + 25 * sine(v / 6), 200 + 20 * sine((u + v) / 9))
        return mixed(strands(x, y) / 255, front, back)
    }

    /// PyMatting 1.1.16, `estimate_alpha_cf(photo / 255, trimap)`, on the same codes, trimap 1 left of column 14, 0 from column 76, 0.5
    /// between: mean absolute errors of 17.67 and 41.20 codes. The mask has 29.4 in both.
    @Test(
        "Strands are found at least as well as by PyMatting's closed form",
        arguments: [(false, 17.67), (true, 41.20)])
    func strands(similar: Bool, reference: Double) throws {
        let picture = photo(96, 96) { x, y in Self.strandColors(x, y, similar: similar) }
        let cutout = try Cutout(picture, along: Self.mask(endingAt: 30), curve: Self.linear)
        let found = cutout.refined(in: Self.trimap(14..<76)).matte.coverage
        #expect(Self.error(found, 14..<76, Self.strands) < reference)
    }

    /// Noise with a deviation of 4 codes: sums of 12 equally distributed numbers.
    static func noisy(_ seed: UInt64, _ front: Double, _ back: Double, edge: Int) -> ColorImage {
        var random = SplitMix(seed: seed)
        func next() -> Double {
            4 * ((0..<12).reduce(0.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } - 6)
        }
        func code(_ level: Double) -> UInt8 { UInt8(min(max(level + next(), 0), 255) + 0.5) }
        return photo(side, side) { x, _ in
            let level = x < edge ? front : back
            return RGB(red: code(level), green: code(level), blue: code(level))
        }
    }

    @Test(
        "Noise hardly softens a mask, by less than 0.8 pixels of 8 codes each",
        arguments: [(70.0, 170.0, 1.0), (100, 120, 6.4), (110, 110, 6.4)])
    func noise(front: Double, back: Double, allowance: Double) throws {
        let picture = Self.noisy(3, front, back, edge: 48)
        func truth(_ x: Int, _ y: Int) -> Double { x < 48 ? 255 : 0 }
        for end in [48, 44] {
            let cutout = try Cutout(picture, along: Self.mask(endingAt: end), curve: Self.linear)
            let found = cutout.refined(in: Self.trimap(32..<64)).matte.coverage
            let plain = cutout.matte.upsampled(toWidth: 96)
            #expect(Self.error(found, 32..<64, truth) <= Self.error(plain, 32..<64, truth) + allowance)
        }
    }

    @Test("A trusted mask keeps what has the colors of the other side beside what is known")
    func trust() throws {
        // A patch of the background's color in the foreground, three pixels from known foreground.
        let picture = photo(96, 96) { x, y in
            (34..<38).contains(x) && (40..<48).contains(y) || x >= 48
                ? RGB(red: 50, green: 120, blue: 190) : RGB(red: 190, green: 90, blue: 50)
        }
        let cutout = try Cutout(picture, along: Self.mask(endingAt: 48), curve: Self.linear)
        let trimap = Self.trimap(31..<65)
        func kept(_ trust: Float) -> Int {
            Int(cutout.refined(in: trimap, maskTrust: trust).matte.coverage[44 * 96 + 35])
        }
        #expect(kept(0) < 20)
        #expect(kept(DepthMask.trust) > kept(0))
        #expect(kept(10) > 200)
    }

    @Test("Where a trusted mask changes slowly, colors do not change it")
    func slowMask() throws {
        let mask = matte(48, 48) { x, _ in UInt8(min(max(255 - 3 * abs(2 * x), 0), 255)) }
        let picture = EffectsTests.noise(96, 96, seed: 9)
        let cutout = try Cutout(picture, along: mask, curve: Self.linear)
        let trimap = Self.trimap { x, _ in x < 4 ? 255 : x < 92 ? 128 : 0 }
        let found = cutout.refined(in: trimap, maskTrust: DepthMask.trust).matte.coverage
        for x in 20..<60 {
            // The stretch at the end moves codes by up to 4 %.
            #expect(abs(Double(found[48 * 96 + x]) - (256.5 - 3 * Double(x))) < 16)
        }
    }

    @Test("Results do not depend on the order of threads, nor known pixels on colors")
    func determinism() throws {
        let picture = EffectsTests.noise(96, 96, seed: 5)
        let cutout = try Cutout(picture, along: Self.mask(endingAt: 48))
        let trimap = Self.trimap { x, y in (x + y) % 31 < 4 ? 128 : x < 48 ? 255 : 0 }
        let first = cutout.refined(in: trimap).matte
        for _ in 0..<5 { #expect(cutout.refined(in: trimap).matte == first) }
        for (code, found) in zip(trimap.codes, first.coverage) where code != Trimap.unknown {
            #expect(code == found)
        }
    }

    @Test("Without unknown pixels a trimap is the matte", arguments: [UInt8(0), 255])
    func known(code: UInt8) throws {
        let cutout = try Cutout(gray(90, 96, 96), along: Self.mask(endingAt: 48))
        #expect(cutout.refined(in: Self.trimap { _, _ in code }).matte == matte(96, 96) { _, _ in code })
        let halves = Self.trimap { x, _ in x < 30 ? 255 : 0 }
        #expect(cutout.refined(in: halves).matte.coverage == halves.codes)
    }

    @Test("Pictures smaller than a window, and all unknown, keep the mask", arguments: [1, 2, 3, 7])
    func tiny(side: Int) throws {
        let picture = gray(90, side, side)
        for code in [UInt8(0), 255] {
            let cutout = try Cutout(picture, along: matte(side, side) { _, _ in code })
            let trimap = Trimap(width: side, height: side, codes: [UInt8](repeating: 128, count: side * side))
            #expect(cutout.refined(in: trimap).matte == matte(side, side) { _, _ in code })
        }
    }
}

/// The sine, by its series after reduction to −π…π: accurate to a ten-thousandth.
private func sine(_ angle: Double) -> Double {
    let x = angle - (angle / (2 * .pi)).rounded() * 2 * .pi
    var (term, sum) = (x, x)
    for power in stride(from: 3.0, through: 19, by: 2) {
        term *= -x * x / (power * (power - 1))
        sum += term
    }
    return sum
}

extension Matte {
    /// Each sample twice, in both directions.
    fileprivate func upsampled(toWidth newWidth: Int) -> [UInt8] {
        (0..<newWidth).flatMap { y in (0..<newWidth).map { x in coverage[y / 2 * width + x / 2] } }
    }
}
