internal import DepthMaps
internal import DepthTypes
internal import Testing

@Suite("FloatPlane")
struct FloatPlaneTests {
    static let calibration = CameraCalibration(
        focalLengthX: 1200, focalLengthY: 1200, principalPointX: 480, principalPointY: 360, width: 960,
        height: 720)

    @Test("Replacing values keeps size, accuracy and camera")
    func replacing() {
        let map = DepthMap(
            width: 2, height: 1, meters: [1, 2], scale: .absolute, calibration: Self.calibration)
        let other = map.replacing(meters: [3, .nan])
        #expect(same(other.meters, [3, .nan]))
        #expect(other.scale == .absolute && other.calibration == Self.calibration)
        #expect(other.width == 2 && other.height == 1)
    }

    @Test("Every map operation keeps accuracy and camera")
    func metadata() throws {
        let map = DisparityMap(
            width: 2, height: 2, reciprocalMeters: [1, 2, 3, .nan], scale: .absolute,
            calibration: Self.calibration)
        let guide = photo(4, 4) { _, _ in RGB(red: 9, green: 9, blue: 9) }
        let confidence = SamplePlane(width: 2, height: 2, bitDepth: 8, codes: .uint8([0, 1, 2, 0]))
        for result in [
            map.resampled(toWidth: 4, height: 4, by: .bilinear), map.filled(), map.smoothed(),
            map.dequantized(step: 1), try map.upsampled(guidedBy: guide),
            map.masked(byConfidence: confidence, below: 1),
        ] {
            #expect(result.scale == .absolute && result.calibration == Self.calibration)
        }
    }
}
