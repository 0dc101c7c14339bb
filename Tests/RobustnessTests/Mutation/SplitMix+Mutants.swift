import TestSupport

extension SplitMix {
    /// The generator of one mutant: no mutant needs those before it.
    init(seed: UInt64, trial: String, mutant: Int) {
        var generator = SplitMix(seed: seed)
        for byte in trial.utf8 { generator = SplitMix(seed: generator.next() ^ UInt64(byte)) }
        self.init(seed: generator.next() ^ UInt64(mutant))
        self = SplitMix(seed: next())
    }

    /// Whether something happens that does so in one of `count` cases.
    mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
