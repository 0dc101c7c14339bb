import DepthMaps
import DepthTypes
import Testing

@Suite("Maps of unknown scale and shift")
struct AffineMapTests {
    @Test("Neither depth nor disparity is converted to the other")
    func conversion() {
        let disparity = DisparityMap(width: 2, height: 1, reciprocalMeters: [1, 2], scale: .affine)
        let depth = DepthMap(width: 2, height: 1, meters: [1, 2], scale: .affine)
        #expect(throws: DepthScaleError.affine) { try DepthMap(disparity) }
        #expect(throws: DepthScaleError.affine) { try DisparityMap(depth) }
    }

    @Test("Reorienting and filling a map keep its scale")
    func kept() {
        let map = DisparityMap(width: 2, height: 1, reciprocalMeters: [1, .nan], scale: .affine)
        #expect(map.oriented(by: .left).scale == .affine)
        #expect(map.filled().scale == .affine)
        #expect(map.filled().reciprocalMeters == [1, 1])
    }
}
