import DepthMaps
import DepthTypes
import Testing

@testable import Pages

@Suite("Lamps in a page")
struct PageLampsTests {
    /// A picture of 200 × 150 pixels with one white square.
    private func picture(_ square: ClosedRange<Int>, ground: UInt8) -> ColorImage {
        let pixels = (0..<200 * 150).map { index in
            let isInside = square.contains(index % 200) && square.contains(index / 200)
            let value: UInt8 = isInside ? 255 : ground
            return RGB(red: value, green: value, blue: value)
        }
        return ColorImage(width: 200, height: 150, pixels: .uint8(pixels), colorProfile: [])
    }

    @Test("A small lamp in the dark is 16 times as bright as white, 2⁴ in steps of 1/32")
    func lamp() throws {
        let lamps = try #require(PageLamps(of: picture(70...71, ground: 0), nil))
        #expect(lamps.size.width == 200 && lamps.size.height == 150)
        let bright = lamps.codes.indices.filter { lamps.codes[$0] > 0 }
        #expect(bright == [70 * 200 + 70, 70 * 200 + 71, 71 * 200 + 70, 71 * 200 + 71])
        #expect(bright.allSatisfy { lamps.codes[$0] == 128 })
    }

    @Test("Paper and a lamp by day are no brighter than white")
    func white() {
        #expect(PageLamps(of: picture(40...90, ground: 0), nil) == nil)
        #expect(PageLamps(of: picture(70...71, ground: 200), nil) == nil)
    }
}
