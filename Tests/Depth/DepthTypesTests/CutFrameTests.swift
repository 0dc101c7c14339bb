import DepthTypes
import Testing

@Suite("Frames that photos were cut from")
struct CutFrameTests {
    private static let frame = PixelSize(width: 4000, height: 3000)

    @Test("A photo of the frame's shape keeps positions, at any size")
    func sameShape() throws {
        for photo in [Self.frame, PixelSize(width: 1000, height: 750)] {
            let cut = try #require(CutFrame(Self.frame, around: photo))
            #expect(!cut.isLarger)
            #expect(cut.photoFraction(of: [0.25, 0.7]) == [0.25, 0.7])
        }
        for (width, height) in [(0, 0), (0, 3000), (4000, 0)] {
            let unknown = try #require(CutFrame(PixelSize(width: width, height: height), around: Self.frame))
            #expect(unknown.photoFraction(of: [0.25, 0.7]) == [0.25, 0.7])
        }
    }

    @Test("Positions of a 4:3 frame move in a photo that is cut to 16:9, also when it was reduced")
    func wide() throws {
        // 2250 of 3000 rows remain: row 600 is 225 of 2250, and row 300 was cut off.
        for photo in [PixelSize(width: 4000, height: 2250), PixelSize(width: 1920, height: 1080)] {
            let cut = try #require(CutFrame(Self.frame, around: photo))
            #expect(cut.isLarger)
            let point = cut.photoFraction(of: [0.25, 0.2])
            #expect(abs(point.x - 0.25) < 1e-9 && abs(point.y - 0.1) < 1e-9)
            #expect(cut.photoFraction(of: [0.5, 0.1]).y < 0)
            let size = cut.photoSize(of: [0.1, 0.3])
            #expect(abs(size.x - 0.1) < 1e-9 && abs(size.y - 0.4) < 1e-9)
        }
    }

    @Test("A frame that was turned is of no use")
    func turned() {
        #expect(CutFrame(Self.frame, around: PixelSize(width: 3000, height: 4000)) == nil)
    }
}
