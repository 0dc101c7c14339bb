import DepthMaps
import DepthTypes
import Testing

@Suite("Depth and disparity")
struct ReciprocalTests {
    @Test(
        "Conversion swaps 0 and infinity",
        arguments: [(2, 0.5), (0.25, 4), (0, .infinity), (-0.0, .infinity), (.infinity, 0)]
            as [(Float, Float)])
    func values(value: Float, reciprocal: Float) throws {
        let depth = DepthMap(width: 1, height: 1, meters: [value], scale: .relative)
        #expect(try DisparityMap(depth).reciprocalMeters == [reciprocal])
        let disparity = DisparityMap(width: 1, height: 1, reciprocalMeters: [value], scale: .relative)
        #expect(try DepthMap(disparity).meters == [reciprocal])
        #expect(try DepthMap(disparity).scale == .relative)
    }

    @Test("Negative and unknown values become unknown", arguments: [-1, -.infinity, .nan] as [Float])
    func unknown(value: Float) throws {
        let depth = DepthMap(width: 1, height: 1, meters: [value], scale: .unitless)
        #expect(try #require(try DisparityMap(depth).reciprocalMeters.first).isNaN)
        let disparity = DisparityMap(width: 1, height: 1, reciprocalMeters: [value], scale: .unitless)
        #expect(try #require(try DepthMap(disparity).meters.first).isNaN)
    }

    @Test("Plane samples become values of the plane's own quantity or their reciprocals")
    func codes() throws {
        let plane = SamplePlane(width: 3, height: 1, bitDepth: 8, codes: .uint8([0, 51, 255]))
        let disparity = SampleMapping(.disparity, codes: 0...255, low: 0, high: 2.5)
        #expect(
            DisparityMap(plane, mapping: disparity, scale: .absolute).reciprocalMeters == [0, 0.5, 2.5])
        #expect(DepthMap(plane, mapping: disparity, scale: .absolute).meters == [.infinity, 2, 0.4])
        let depth = SampleMapping(.depth, codes: 0...255, low: 1, high: 6)
        #expect(DepthMap(plane, mapping: depth, scale: .absolute).meters == [1, 2, 6])
        let reciprocals = DisparityMap(plane, mapping: depth, scale: .absolute).reciprocalMeters
        #expect(reciprocals == [1, 0.5, Float(1) / 6])
    }
}
