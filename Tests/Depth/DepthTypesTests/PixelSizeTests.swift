import DepthTypes
import Testing

@Suite("Sizes of pictures")
struct PixelSizeTests {
    @Test(
        "Sizes of one view have the same aspect",
        arguments: [
            (4032, 3024, 768, 576),
            // Rows rounded up to blocks of 16: 1088 / 1080 is 0.7 % more.
            (1920, 1080, 1920, 1088), (3840, 2160, 240, 136),
            // 1.9 %.
            (1000, 1000, 1019, 1000),
            // 20 · 9 / 16 = 11.25: 2.3 %, which rounding to integer pixels explains.
            (1920, 1080, 20, 11), (4000, 3000, 1, 1),
        ])
    func same(width: Int, height: Int, otherWidth: Int, otherHeight: Int) {
        let (first, second) = (
            PixelSize(width: width, height: height), PixelSize(width: otherWidth, height: otherHeight)
        )
        #expect(first.hasSameAspect(as: second))
        #expect(second.hasSameAspect(as: first))
    }

    @Test(
        "Sizes of different shapes do not have the same aspect",
        arguments: [
            (4032, 3024, 4032, 2268), (4032, 3024, 3024, 4032), (3000, 2000, 4000, 3000),
            // The nearest shapes in use: 2.167 and 2.222, 2.5 % apart.
            (2340, 1080, 2400, 1080),
            // 2.1 %.
            (1000, 1000, 1021, 1000),
            // No pixels, no view.
            (0, 0, 4, 3), (4, 3, 4, 0), (0, 0, 0, 0),
        ])
    func different(width: Int, height: Int, otherWidth: Int, otherHeight: Int) {
        let (first, second) = (
            PixelSize(width: width, height: height), PixelSize(width: otherWidth, height: otherHeight)
        )
        #expect(!first.hasSameAspect(as: second))
        #expect(!second.hasSameAspect(as: first))
    }
}
