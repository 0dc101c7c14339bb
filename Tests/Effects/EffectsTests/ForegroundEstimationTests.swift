internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Testing

/// Orange in front of blue, blended in linear light by a matte.
@Suite("Foreground estimation")
struct ForegroundEstimationTests {
    static let curve = TransferFunction(light: [0, 1])
    static let front = RGB<UInt8>(red: 200, green: 120, blue: 40)
    static let back = RGB<UInt8>(red: 30, green: 60, blue: 220)

    static func mixed(_ alpha: UInt8) -> RGB<UInt8> {
        func mix(_ near: UInt8, _ far: UInt8) -> UInt8 {
            let share = Int(alpha)
            let sum = Int(near) * share + Int(far) * (255 - share)
            return UInt8((sum + 127) / 255)
        }
        return RGB(
            red: mix(front.red, back.red), green: mix(front.green, back.green),
            blue: mix(front.blue, back.blue))
    }

    /// A ramp 40 pixels wide with a line one pixel wide beside it.
    static func coverage(_ x: Int) -> UInt8 { x == 80 ? 150 : UInt8(min(max((60 - x) * 6, 0), 255)) }

    @Test(
        "Foreground estimation recovers the colors that were blended",
        arguments: [(100, 70), (101, 67), (130, 1)])
    func colors(width: Int, height: Int) throws {
        let soft = matte(width, height) { x, _ in Self.coverage(x) }
        let picture = photo(width, height) { x, _ in Self.mixed(Self.coverage(x)) }
        let clean = try Cutout(picture, along: soft, curve: Self.curve).decontaminated().photo.bytes
        for index in clean.indices where (1..<255).contains(soft.coverage[index]) {
            // Rounding by half a step is divided by the opacity; below a tenth the color is hardly visible.
            let tolerance = soft.coverage[index] > 25 ? 6 : 60
            #expect(
                abs(Int(clean[index].red) - 200) <= tolerance && abs(Int(clean[index].blue) - 40) <= tolerance
            )
        }
    }

    @Test("Foreground estimation changes only soft pixels, even in partial tiles and levels")
    func untouched() throws {
        let picture = noise(203, 131, seed: 6)
        let soft = matte(203, 131) { x, y in
            (x - 100) * (x - 100) + (y - 64) * (y - 64) < 900 ? (x == 100 ? 99 : 255) : 0
        }
        let clean = try Cutout(picture, along: soft).decontaminated().photo.bytes
        #expect(clean.indices.allSatisfy { clean[$0] == picture.bytes[$0] || soft.coverage[$0] == 99 })
        #expect(clean != picture.bytes)
    }

    // Bands are processed in any order.
    @Test("Foreground estimation is deterministic")
    func deterministic() throws {
        let picture = noise(150, 140, seed: 7)
        let soft = matte(150, 140) { x, y in UInt8((x * 7 + y * 3) % 256) }
        let cutout = try Cutout(picture, along: soft)
        #expect(cutout.decontaminated().photo.bytes == cutout.decontaminated().photo.bytes)
    }

    @Test("Foreground estimation gives the same result for 8 and 16 bits")
    func deep() throws {
        let soft = matte(64, 3) { x, _ in UInt8(x * 4) }
        let picture = photo(64, 3) { x, _ in Self.mixed(UInt8(x * 4)) }
        let shallow = try Cutout(picture, along: soft, curve: Self.curve).decontaminated().photo.bytes
        let deep = try Cutout(picture.deep, along: soft, curve: Self.curve).decontaminated().photo.words
        #expect(zip(shallow, deep).allSatisfy { abs(257 * Int($0.red) - Int($1.red)) <= 129 })
    }
}
