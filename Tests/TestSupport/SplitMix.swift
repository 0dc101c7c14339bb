/// SplitMix64 (Steele, Lea and Flood 2014): the same numbers from the same seed on every machine.
public struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    /// A generator that starts from a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 up to 1, in steps of 2⁻²⁴.
    public mutating func fraction() -> Float { Float(next() >> 40) / Float(1 << 24) }

    /// Sets bytes at random offsets to random values, all within the first `reach` bytes if that is given.
    public mutating func damage(_ bytes: inout [UInt8], changes: Int, within reach: Int? = nil) {
        for _ in 0..<changes {
            let place = Int.random(in: 0..<min(reach ?? bytes.count, bytes.count), using: &self)
            bytes[place] = UInt8.random(in: .min ... .max, using: &self)
        }
    }
}
