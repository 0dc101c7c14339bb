import ByteParsing
import TestSupport

/// A reader and the whole files that mutants are made of for it.
struct Trial: Sendable {
    let name: String
    /// Its part of all mutants, in thousandths.
    let share: Int
    /// The files, always in the same order.
    let files: @Sendable () throws -> [(name: String, source: any ByteSource)]
    /// Reads one: whatever it throws is swallowed, and only a trap, a hang or much memory are failures.
    let read: @Sendable (any ByteSource) -> Void
    /// Reads its structure only, to learn where it is; by default everything.
    var survey: (@Sendable (any ByteSource) -> Void)?

    /// The files, surveyed.
    func subjects() throws -> [Subject] {
        try files().map { try Subject($0.name, $0.source, parse: survey ?? read) }
    }

    /// One mutant: the same from the same seed and number, always.
    func mutant(_ number: Int, of subjects: [Subject], seed: UInt64) throws -> PatchedSource {
        var random = SplitMix(seed: seed, trial: name, mutant: number)
        let other = subjects.randomElement(using: &random) ?? subjects[0]
        return try Mutator.mutant(of: subjects[number % subjects.count], and: other, random)
    }
}
