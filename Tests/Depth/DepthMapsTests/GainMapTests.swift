import DepthMaps
import DepthTypes
import Testing

@Suite("Gain maps")
struct GainMapTests {
    private func codes(_ values: [UInt8]) -> SamplePlane {
        SamplePlane(width: values.count, height: 1, bitDepth: 8, codes: .uint8(values))
    }

    /// ITU-R BT.709 item 1.2, inverted: 0.02 / 4.5 ≈ 0.00444 (code 5), ((128/255 + 0.099) / 1.099)^(1 / 0.45) = 0.261461.
    @Test("Apple's stored values are on the curve of BT.709")
    func apple() {
        let map = GainMap(codes([0, 5, 128, 255]), parameters: .apple(.light(4)))
        let wanted: [Float] = [1, 1 + 3 * 5 / 255 / 4.5, 1 + 3 * 0.261_46, 4]
        for (found, wanted) in zip(map.factors[0], wanted) { #expect(abs(found - wanted) < 1e-3) }
        #expect(map.peak == 4)
        #expect(GainMap(codes([255]), parameters: .apple(.stops(3))).factors == [[8]])
    }

    /// A gain of −1 + 4 · (64/255)^(1/2) = 1.003918 for gamma 2.
    @Test("Standard values are powers of 2 between two ends")
    func standard() {
        let channel = StandardGainMap.Channel(
            minimum: -1, maximum: 3, gamma: 2, baseOffset: 0.25, alternateOffset: 0.125)
        let parameters = GainMapParameters.standard(.init(channels: [channel], alternateHeadroom: 3))
        let map = GainMap(codes([0, 64, 255]), parameters: parameters)
        for (found, wanted) in zip(map.factors[0], [0.5, 2.005_443, 8] as [Float]) {
            #expect(abs(found - wanted) < 1e-4)
        }
        // (1 + 0.25) · 8 − 0.125
        #expect(map.peak == 9.875)
    }

    @Test("Storing factors again gives the same values, and the nearest for factors beyond the ends")
    func stored() {
        let values = [UInt8](0...255)
        let channels = [1.0, 2, 3].map {
            StandardGainMap.Channel(minimum: -0.5, maximum: $0, gamma: 1.5)
        }
        for parameters in [
            GainMapParameters.apple(.light(3)), .standard(.init(channels: channels, alternateHeadroom: 3)),
        ] {
            let map = GainMap(codes(values), parameters: parameters)
            #expect(map.stored() == map.factors.map { _ in values })
        }
        let beyond = GainMap(width: 2, height: 1, factors: [[3.1, 0.9]], parameters: .apple(.light(3)))
        #expect(beyond.stored() == [[255, 0]])
    }
}
