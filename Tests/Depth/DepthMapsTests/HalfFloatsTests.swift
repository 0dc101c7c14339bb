internal import DepthMaps
internal import Testing

/// Expected values: `numpy.array(…, dtype).astype(…)`, numpy 2.4.
@Suite("Half floats")
struct HalfFloatsTests {
    @Test("Widening half floats is exact, including subnormals and infinities")
    func widening() {
        let bits: [UInt16] = [0, 0x8000, 1, 0x3ff, 0x400, 0x3c00, 0x3555, 0x7bff, 0x7c00, 0xfc00, 0xc000]
        let expected: [Float] = [
            0, 0, 5.960464477539063e-08, 6.097555160522461e-05, 6.103515625e-05, 1, 0.333251953125, 65504,
            .infinity, -.infinity, -2,
        ]
        #expect([Float](widening: bits.map { Float16(bitPattern: $0) }) == expected)
        #expect([Float](widening: [Float16.nan])[0].isNaN)
    }

    @Test("Narrowing rounds to nearest, ties to even")
    func rounding() {
        let values: [Float] = [
            1 / 3, 65504, 65519.996, 65520, 6.1e-5, 5.9604645e-8, 2.9802322e-8, 2.9802326e-8, -0.0, 1e-9,
            2049,
            2051, 0.1, 1e38, -2,
        ]
        let expected: [UInt16] = [
            0x3555, 0x7bff, 0x7bff, 0x7c00, 0x3ff, 1, 0, 1, 0x8000, 0, 0x6800, 0x6802, 0x2e66, 0x7c00, 0xc000,
        ]
        #expect([Float16](rounding: values).map(\.bitPattern) == expected)
        #expect([Float16](rounding: [.nan, .signalingNaN, .infinity])[0...1].allSatisfy { $0.isNaN })
        #expect([Float16](rounding: [.infinity, -.infinity]) == [.infinity, -.infinity])
    }

    @Test("Every half float survives a round trip")
    func roundTrip() {
        let halves = (0...UInt16.max).map { Float16(bitPattern: $0) }.filter { !$0.isNaN }
        #expect([Float16](rounding: [Float](widening: halves)).map(\.bitPattern) == halves.map(\.bitPattern))
    }

    @Test("A value between two half floats rounds to the nearer, as in the standard library")
    func neighbors() {
        let values = (0..<0x7bff).flatMap { bits -> [Float] in
            let low = Float(Float16(bitPattern: UInt16(bits)))
            let middle = (low + Float(Float16(bitPattern: UInt16(bits + 1)))) / 2
            return [middle.nextDown, middle, middle.nextUp, -middle]
        }
        #expect([Float16](rounding: values) == values.map { Float16($0) })
    }

    @Test("Reciprocals swap 0 and infinity, and negative values become unknown")
    func reciprocals() {
        let result = [Float](reciprocalsOf: [2, 0, -0.0, .infinity, -1, .nan, 0.25])
        #expect(same(result, [0.5, .infinity, .infinity, 0, .nan, .nan, 4]))
    }
}
