import DepthMaps
import DepthTypes
import Effects
import Testing

@Suite("Values at points")
struct PointLookupTests {
    private static let map = DepthMap(
        width: 3, height: 2, meters: [0.5, 1, 2, 4, .nan, .infinity], scale: .absolute)

    /// The thirds of the width and the halves of the height are where samples meet.
    @Test(
        "The value at a point is that of the sample whose area it is in",
        arguments: [
            (0, 0, 0.5), (0.32, 0.49, 0.5), (0.34, 0.49, 1), (0.99, 0, 2), (1, 0.2, 2), (0, 0.5, 4),
            (0.1, 1, 4),
            (1, 1, .infinity),
        ] as [(Double, Double, Float)])
    func nearest(x: Double, y: Double, meters: Float) throws {
        #expect(Self.map.at(NormalizedPoint(x: x, y: y)) == meters)
        #expect(try DisparityMap(Self.map).at(NormalizedPoint(x: x, y: y)) == 1 / meters)
    }

    @Test(
        "There is no value at an unknown sample, outside the picture, and in an empty map",
        arguments: [(0.5, 0.7), (-0.01, 0), (1.01, 0), (0, -0.01), (0, 1.01), (.nan, 0), (0, .infinity)]
            as [(Double, Double)])
    func unknown(x: Double, y: Double) {
        #expect(Self.map.at(NormalizedPoint(x: x, y: y)) == nil)
        let empty = DepthMap(width: 0, height: 0, meters: [], scale: .absolute)
        #expect(empty.at(NormalizedPoint(x: 0.5, y: 0.5)) == nil)
    }
}
