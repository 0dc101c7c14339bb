import DepthMaps
import DepthTypes
import Testing

@Suite("Reorientation")
struct ReorientationTests {
    /// 1 2 3 over 4 5 6, turned by hand.
    private static let turned: [(Int, [UInt8])] = [
        (1, [1, 2, 3, 4, 5, 6]), (2, [3, 2, 1, 6, 5, 4]), (3, [6, 5, 4, 3, 2, 1]), (4, [4, 5, 6, 1, 2, 3]),
        (5, [1, 4, 2, 5, 3, 6]), (6, [4, 1, 5, 2, 6, 3]), (7, [6, 3, 5, 2, 4, 1]), (8, [3, 6, 2, 5, 1, 4]),
    ]

    @Test("Planes are reoriented as Exif defines", arguments: turned)
    func rows(number: Int, expected: [UInt8]) throws {
        let plane = SamplePlane(width: 3, height: 2, bitDepth: 8, codes: .uint8([1, 2, 3, 4, 5, 6]))
        let result = plane.oriented(by: try #require(Orientation(rawValue: number)))
        #expect(result.codes == .uint8(expected))
        #expect([result.width, result.height] == (number >= 5 ? [2, 3] : [3, 2]))
    }

    @Test("Large planes are reoriented completely across blocks and bands", arguments: Orientation.allCases)
    func blocks(orientation: Orientation) {
        let (width, height) = (131, 197)
        let samples = (0..<width * height).map { UInt16($0) }
        let plane = SamplePlane(width: width, height: height, bitDepth: 16, codes: .uint16(samples))
        let result = plane.oriented(by: orientation)
        var expected = [UInt16](repeating: 0, count: samples.count)
        for y in 0..<height {
            for x in 0..<width {
                let place = orientation.point(
                    Double(x) + 0.5, Double(y) + 0.5, width: Double(width), height: Double(height))
                expected[Int(place.y) * result.width + Int(place.x)] = samples[y * width + x]
            }
        }
        #expect(result.codes == .uint16(expected))
    }

    @Test("Maps reorient their camera together with their samples")
    func maps() throws {
        let camera = CameraCalibration(
            focalLengthX: 1, focalLengthY: 2, principalPointX: 0, principalPointY: 0, width: 2, height: 1)
        let depth = DepthMap(width: 2, height: 1, meters: [1, 2], scale: .absolute, calibration: camera)
        let turned = depth.oriented(by: .right)
        #expect(turned.meters == [1, 2])
        #expect([turned.width, turned.height] == [1, 2])
        #expect(turned.calibration == camera.oriented(by: .right))
        #expect(turned.scale == .absolute)
        let disparity = try DisparityMap(depth).oriented(by: .left)
        #expect(disparity.reciprocalMeters == [0.5, 1])
        #expect(disparity.calibration == camera.oriented(by: .left))
        #expect(Matte(width: 2, height: 1, coverage: [1, 2]).oriented(by: .left).coverage == [2, 1])
    }
}
