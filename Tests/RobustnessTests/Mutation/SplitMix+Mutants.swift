import TestSupport

extension SplitMix {
    /// The generator of one mutant, independent of the mutants before it.
    init(seed: UInt64, target: String, mutant: Int) {
        var generator = SplitMix(seed: seed)
        for byte in target.utf8 { generator = SplitMix(seed: generator.next() ^ UInt64(byte)) }
        self.init(seed: generator.next() ^ UInt64(mutant))
        self = SplitMix(seed: next())
    }

    /// Returns true in one of `count` cases.
    mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
