import DepthMaps
import Testing

@Suite("Averaging colors")
struct ColorAveragingTests {
    private func image(_ reds: [UInt8], width: Int) -> ColorImage {
        ColorImage(
            width: width, height: reds.count / width,
            pixels: .uint8(reds.map { RGB(red: $0, green: 255 - $0, blue: 7) }), colorProfile: [])
    }

    @Test("Averaging works on linear light, not encoded values")
    func light() {
        // Half of the light of white is 188 in sRGB (IEC 61966-2-1), a quarter is 137.
        let found = image([255, 0, 0, 255, 255, 0, 0, 0], width: 4).averaged(toWidth: 2, height: 1)
        #expect(found.map(\.red) == [188, 137])
        #expect(found.map(\.blue) == [7, 7])
    }

    @Test("Averaging weights pixels by the covered area")
    func fractions() {
        // Three columns to two: (1 · white + ½ · black) / 1.5 of the light is ⅔, code 213; the other ½ · 0 + 1 · 0.
        #expect(image([255, 0, 0], width: 3).averaged(toWidth: 2, height: 1).map(\.red) == [213, 0])
        #expect(image([255, 0, 0], width: 1).averaged(toWidth: 1, height: 2).map(\.red) == [213, 0])
    }

    @Test(
        "A uniform picture keeps its value when reduced or enlarged", arguments: [(3, 2), (8, 8), (13, 9)])
    func even(width: Int, height: Int) {
        for code in stride(from: UInt8(0), through: 255, by: 15) {
            let found = image([UInt8](repeating: code, count: 64), width: 8)
                .averaged(toWidth: width, height: height)
            #expect(found.count == width * height && found.allSatisfy { $0.red == code && $0.blue == 7 })
        }
    }

    @Test("Enlarging repeats pixels as squares")
    func enlarged() {
        #expect(image([10, 200], width: 2).averaged(toWidth: 4, height: 1).map(\.red) == [10, 10, 200, 200])
    }

    @Test("16-bit samples are reduced to 8 bits")
    func deep() {
        let pixels = (0...255).map { RGB(red: UInt16($0) * 257, green: 0, blue: 65535) }
        let image = ColorImage(width: 256, height: 1, pixels: .uint16(pixels), colorProfile: [])
        #expect(image.averaged(toWidth: 256, height: 1).map { Int($0.red) } == Array(0...255))
    }
}
