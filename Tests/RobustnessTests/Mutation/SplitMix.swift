/// SplitMix64 (Steele, Lea and Flood 2014): the same numbers from the same seed, everywhere and for ever.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// The generator of one mutant: no mutant needs those before it.
    init(seed: UInt64, trial: String, mutant: Int) {
        var generator = SplitMix(seed: seed)
        for byte in trial.utf8 { generator = SplitMix(seed: generator.next() ^ UInt64(byte)) }
        self.init(seed: generator.next() ^ UInt64(mutant))
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Whether something happens that does so in one of `count` cases.
    mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
