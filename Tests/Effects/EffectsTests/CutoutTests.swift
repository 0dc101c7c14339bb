internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Testing

@Suite("Cutouts")
struct CutoutTests {
    @Test(
        "A cutout keeps the photo where the matte is full and the background where it is empty",
        arguments: [false, true])
    func exact(isDeep: Bool) throws {
        let (front, back) = (noise(37, 23, seed: 1), noise(37, 23, seed: 2))
        let cutout = try Cutout(
            isDeep ? front.deep : front, along: matte(37, 23) { x, _ in x < 20 ? 255 : 0 })
        let result = try cutout.over(.image(isDeep ? back.deep : back))
        let expected = isDeep ? (front.deep, back.deep) : (front, back)
        for index in 0..<37 * 23 {
            let source = index % 37 < 20 ? expected.0 : expected.1
            #expect(
                isDeep
                    ? result.words[index] == source.words[index] : result.bytes[index] == source.bytes[index])
        }
        #expect(result.colorProfile == [1, 2, 3])
    }

    // Light of 200 is ((200/255 + 0.055)/1.055)^2.4 = 0.577580, of 50 is 0.031896. A fraction of 128/255 = 0.501961
    // makes 0.577580 · 0.501961 + 0.031896 · 0.498039 = 0.305808, whose code is 255 · (1.055 · 0.305808^(1/2.4) −
    // 0.055) = 150.19. The same at 16 bits: 65535/255 · 150.19 = 38598 ± 13 for the digits given.
    @Test("A cutout blends linear light, not encoded values")
    func light() throws {
        let cutout = try Cutout(gray(200, 4, 4), along: matte(4, 4) { _, _ in 128 })
        let result = try cutout.over(.image(gray(50, 4, 4)))
        #expect(result.bytes.allSatisfy { $0 == RGB(red: 150, green: 150, blue: 150) })
        let deep = try cutout.over(.color(RGB(red: 12850, green: 12850, blue: 12850)), in16Bits: true)
        #expect(deep.words.allSatisfy { abs(Int($0.red) - 38598) <= 13 })
    }

    @Test("Blending equal colors changes nothing at any value and coverage", arguments: [UInt8(1), 77, 254])
    func equal(share: UInt8) throws {
        let ramp = photo(256, 1) { x, _ in RGB(red: UInt8(x), green: UInt8(255 - x), blue: UInt8(x / 2)) }
        let even = matte(256, 1) { _, _ in share }
        #expect(try Cutout(ramp, along: even).over(.image(ramp)).bytes == ramp.bytes)
        let deep = try Cutout(ramp.deep, along: even).over(.image(ramp)).words
        // A 16-bit code is 1/65535; Float light has that precision up to its last bits.
        #expect(zip(deep, ramp.deep.words).allSatisfy { abs(Int($0.red) - Int($1.red)) <= 1 })
    }

    @Test("A cutout blends with the transfer function that it is given")
    func curve() throws {
        // A square: 255 and 0 in equal fractions of light are √(128/255) · 255 = 180.67.
        let square = TransferFunction(light: (0...1000).map { Float($0 * $0) / 1_000_000 })
        let cutout = try Cutout(gray(255, 2, 2), along: matte(2, 2) { _, _ in 128 }, curve: square)
        #expect(try cutout.over(.image(gray(0, 2, 2))).bytes[0].red == 181)
        let linear = try Cutout(
            gray(255, 2, 2), along: matte(2, 2) { _, _ in 128 }, curve: TransferFunction(light: [0, 1]))
        #expect(try linear.over(.image(gray(0, 2, 2))).bytes[0].red == 128)
    }

    @Test("A small matte is interpolated between its samples")
    func interpolation() throws {
        // Two samples 0 and 255 over eight pixels: centers at −0.375, −0.125, 0.125 … 1.375 samples.
        let small = matte(2, 1) { x, _ in x == 0 ? 0 : 255 }
        let linear = TransferFunction(light: [0, 1])
        let cutout = try Cutout(gray(255, 8, 4), along: small, curve: linear)
        let row = try cutout.over(.image(gray(0, 8, 4))).bytes[8..<16].map(\.red)
        #expect(row == [0, 0, 32, 96, 159, 223, 255, 255])
    }

    @Test("A matte larger than the photo is averaged")
    func reduction() throws {
        let fine = matte(8, 8) { x, _ in x % 2 == 0 ? 255 : 0 }
        let cutout = try Cutout(gray(255, 4, 4), along: fine, curve: TransferFunction(light: [0, 1]))
        #expect(try cutout.over(.image(gray(0, 4, 4))).bytes.allSatisfy { $0.red == 128 })
    }

    @Test("The result has the photo's bit depth, or 16 bits on request")
    func depths() throws {
        let (front, back) = (noise(9, 7, seed: 3), noise(9, 7, seed: 4))
        let soft = matte(9, 7) { x, y in UInt8(x * 20 + y) }
        let expected = try Cutout(front, along: soft).over(.image(back)).bytes
        #expect(try Cutout(front, along: soft).over(.image(back.deep)).bytes == expected)
        let words = try Cutout(front.deep, along: soft).over(.image(back)).words
        #expect(try Cutout(front, along: soft).over(.image(back), in16Bits: true).words == words)
        // Rounded twice: half a code of 8 bits.
        #expect(zip(words, expected).allSatisfy { abs(Int($0.red) - 257 * Int($1.red)) <= 129 })
    }

    @Test("A cutout without a background has straight alpha and no color where it is transparent")
    func translucent() throws {
        let front = noise(5, 1, seed: 5)
        let cutout = try Cutout(front, along: Matte(width: 5, height: 1, coverage: [0, 1, 128, 254, 255]))
        guard case .uint8(let pixels) = cutout.translucent().pixels else { return #expect(Bool(false)) }
        #expect(pixels.map(\.alpha) == [0, 1, 128, 254, 255])
        #expect(pixels[0] == RGBA(red: 0, green: 0, blue: 0, alpha: 0))
        #expect(
            (1..<5).allSatisfy {
                pixels[$0].red == front.bytes[$0].red && pixels[$0].blue == front.bytes[$0].blue
            })
        guard case .uint16(let deep) = cutout.translucent(in16Bits: true).pixels else {
            return #expect(Bool(false))
        }
        #expect(deep.map(\.alpha) == [0, 257, 128 * 257, 254 * 257, 65535])
    }

    @Test("A cutout of one pixel works")
    func smallest() throws {
        let cutout = try Cutout(gray(90, 1, 1), along: matte(1, 1) { _, _ in 100 })
        #expect(cutout.refined().decontaminated().photo.bytes == gray(90, 1, 1).bytes)
        #expect(try cutout.over(.color(RGB(red: 0, green: 0, blue: 0))).bytes.count == 1)
    }

    @Test("Mismatched or empty mattes and backgrounds are errors")
    func mismatches() throws {
        let front = gray(1, 40, 30)
        #expect(
            throws: CompositingError.differentAspect(
                photo: .init(width: 40, height: 30), plane: .init(width: 15, height: 20))
        ) { try Cutout(front, along: matte(15, 20) { _, _ in 0 }) }
        #expect(throws: CompositingError.empty) { try Cutout(front, along: matte(0, 0) { _, _ in 0 }) }
        let cutout = try Cutout(front, along: matte(13, 10) { _, _ in 0 })
        let error = #expect(throws: CompositingError.self) { try cutout.over(.image(gray(0, 30, 40))) }
        #expect(error?.description == "a picture of 30 × 40 where the photo is 40 × 30")
    }
}
