internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Testing

@Suite("Fitting a background")
struct BackgroundFitTests {
    static let linear = TransferFunction(light: [0, 1])

    /// Columns 0…w in steps of ten.
    static func ramp(_ width: Int, _ height: Int) -> ColorImage {
        photo(width, height) { x, y in RGB(red: UInt8(10 * x), green: UInt8(10 * y), blue: 7) }
    }

    @Test("Reducing a background averages the light of the covered area", arguments: BackgroundFit.allCases)
    func reduced(fit: BackgroundFit) throws {
        let result = try Self.ramp(8, 4).fitted(toWidth: 4, height: 2, by: fit, curve: Self.linear)
        #expect(
            result.bytes[..<4].map(\.red) == [5, 25, 45, 65]
                && result.bytes.map(\.green) == [5, 5, 5, 5, 25, 25, 25, 25])
        // Half black and half white is 187.5 in sRGB, which is light 0.5.
        let bars = photo(8, 2) { x, _ in
            x % 2 == 0 ? RGB(red: 0, green: 0, blue: 0) : RGB(red: 255, green: 255, blue: 255)
        }
        #expect(try bars.fitted(toWidth: 4, height: 1, by: fit).bytes.allSatisfy { $0.red == 188 })
    }

    @Test("The cover fit crops both sides equally")
    func cover() throws {
        let result = try Self.ramp(8, 2).fitted(toWidth: 2, height: 2, by: .cover, curve: Self.linear)
        #expect(result.bytes.map(\.red) == [30, 40, 30, 40])
    }

    @Test("The contain fit adds black bars on both sides")
    func contain() throws {
        let result = try Self.ramp(2, 2).fitted(toWidth: 6, height: 2, by: .contain, curve: Self.linear)
        #expect(result.bytes[..<6].map(\.blue) == [0, 0, 7, 7, 0, 0])
        #expect(result.bytes[2...3].map(\.red) == [0, 10])
    }

    @Test("A background of one pixel fills any frame", arguments: BackgroundFit.allCases)
    func onePixel(fit: BackgroundFit) throws {
        let result = try gray(77, 1, 1).fitted(toWidth: 13, height: 13, by: fit)
        #expect(result.bytes.count == 169 && result.bytes.allSatisfy { $0.red == 77 })
        #expect(try noise(200, 3, seed: 1).fitted(toWidth: 1, height: 1, by: fit).bytes.count == 1)
    }

    @Test("An enlarged ramp stays linear between sample centers")
    func enlarged() throws {
        let result = try Self.ramp(8, 1).fitted(toWidth: 16, height: 2, by: .stretch, curve: Self.linear)
        // Pixel 2i + 1 lies a quarter of a sample beyond sample i: 10 i + 2.5. The outer samples have one neighbor.
        for i in 2..<5 { #expect([2, 3].contains(Int(result.bytes[2 * i + 1].red) - 10 * i)) }
    }

    @Test("Fitting to the same size changes nothing, and to an empty size is an error")
    func trivial() throws {
        let picture = noise(5, 4, seed: 2)
        #expect(try picture.fitted(toWidth: 5, height: 4).bytes == picture.bytes)
        #expect(throws: CompositingError.empty) { try picture.fitted(toWidth: 0, height: 4) }
    }
}
