/// Each of the 65,536 half floats as a `Float`: `Float(half)` is a slow call on baseline x86-64.
private let widenedHalves = (0...UInt16.max).map { Float(Float16(bitPattern: $0)) }

/// The reciprocal of each half float, by the rules of ``DepthMap/init(_:)``.
private let reciprocalsOfHalves = widenedHalves.map(reciprocal)

extension [Float] {
    /// IEEE binary16 to binary32: exact, `nan` stays `nan`.
    package init(widening halves: [Float16]) {
        self = lookedUp(halves, in: widenedHalves)
    }

    /// The reciprocals of half floats in one step: disparity to depth or depth to disparity.
    ///
    /// 0 and infinity are swapped; negative values and `nan` become `nan`.
    package init(reciprocalsOf halves: [Float16]) {
        self = lookedUp(halves, in: reciprocalsOfHalves)
    }
}

private func lookedUp(_ halves: [Float16], in table: [Float]) -> [Float] {
    parallelMapRows(width: 1, height: halves.count, minimum: 1 << 16) { places, output in
        let input = halves.span.extracting(places)
        let table = table.span
        // Checked once here, so that the compiler omits the check for each sample.
        precondition(table.count > UInt16.max)
        for index in input.indices {
            output[index] = table[Int(input[index].bitPattern)]
        }
    }
}

extension [Float16] {
    /// IEEE binary32 to binary16, rounded to nearest, ties to even.
    ///
    /// Values of 65520 and more become infinity, values below 2⁻²⁵ zero; `nan` stays `nan`. The smallest normal half is 6.1 ·
    /// 10⁻⁵, so disparities beyond 16 km lose digits.
    package init(rounding values: [Float]) {
        self = parallelMap(values) { Float16(bitPattern: roundedToHalf($0)) }
    }
}

/// The bits of the half float nearest to a value, without a call, so that loops can be vectorized.
private func roundedToHalf(_ value: Float) -> UInt16 {
    let bits = value.bitPattern
    let magnitude = bits & 0x7fff_ffff
    // Normal halves: rebases the exponent, and adds half a unit in the last bit, less one if that bit is even.
    let normal = (magnitude &- (112 << 23) &+ 0xfff &+ (magnitude >> 13 & 1)) >> 13
    // Subnormal halves: adding ½ makes the adder round at 2⁻²⁴, their last bit.
    let subnormal = (Float(bitPattern: magnitude) + 0.5).bitPattern &- Float(0.5).bitPattern
    let finite = magnitude < 113 << 23 ? subnormal : min(normal, 0x7c00)
    let half = magnitude > 0x7f80_0000 ? 0x7e00 : finite
    return UInt16(truncatingIfNeeded: bits >> 16 & 0x8000 | half)
}
