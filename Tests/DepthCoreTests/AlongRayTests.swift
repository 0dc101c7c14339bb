import DepthCore
import DepthModel
import Testing

@Suite("Depth along rays")
struct AlongRayTests {
    private let camera = CameraCalibration(
        focalLengthX: 2, focalLengthY: 2, principalPointX: 1, principalPointY: 1, width: 3, height: 3)

    /// x and y are −½, 0, ½: rays are √(¼ + ¼ + 1), √(¼ + 1) and 1 long.
    private let lengths: [Float] = [
        1.2247449, 1.118034, 1.2247449, 1.118034, 1, 1.118034, 1.2247449, 1.118034, 1.2247449,
    ]

    @Test("A wall measured along rays becomes flat along the axis")
    func wall() {
        let map = DepthMap(
            width: 3, height: 3, meters: lengths.map { 4 * $0 }, scale: .inexact, calibration: camera)
        for meters in map.alongAxis().meters { #expect(abs(meters - 4) < 1e-6) }
        #expect(map.alongAxis().scale == .inexact)
    }

    @Test("The camera's frame may differ in size from the map")
    func scaled() {
        let map = DepthMap(
            width: 3, height: 3, meters: lengths, scale: .inexact,
            calibration: camera.scaled(toWidth: 300, height: 300))
        for meters in map.alongAxis().meters { #expect(abs(meters - 1) < 1e-6) }
    }

    @Test("Unknown and infinite depths, and maps without a camera, are unchanged")
    func special() {
        let values: [Float] = [.nan, .infinity, 1, 2, 3, 4, 5, 6, 7]
        let map = DepthMap(width: 3, height: 3, meters: values, scale: .unitless, calibration: camera)
        #expect(map.alongAxis().meters[0].isNaN)
        #expect(map.alongAxis().meters[1] == .infinity)
        let bare = DepthMap(width: 3, height: 3, meters: lengths, scale: .unitless)
        #expect(bare.alongAxis().meters == lengths)
    }
}
