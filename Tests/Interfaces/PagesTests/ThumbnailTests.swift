import DepthMaps
import Testing

@testable import Pages

@Suite("Thumbnails of albums")
struct ThumbnailTests {
    /// Of 30 × 40 pixels, a thumbnail of 4 : 3 shows 23 rows, so its top can be at rows 0 to 17.
    @Test(
        "Thumbnails of tall photos show the subject, and the top of one that is too high",
        arguments: [(2..<8, 0.0), (30..<40, 1.0), (15..<25, 8.0 / 17), (8..<40, 7.0 / 17), (0..<0, 0.5)])
    func place(rows: Range<Int>, top: Double) {
        let coverage = (0..<30 * 40).map { rows.contains($0 / 30) ? 255 : 0 as UInt8 }
        let place = Matte(width: 30, height: 40, coverage: coverage).thumbnailPlace
        #expect(place == SIMD2(0.5, top))
    }
}
