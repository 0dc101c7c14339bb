import Bytes
import TestSupport

/// A reader, and the files that its mutants are made from.
struct FuzzTarget: Sendable {
    let name: String
    /// Its fraction of all mutants, in thousandths.
    let share: Int
    /// The files, always in the same order.
    let files: @Sendable () throws -> [(name: String, source: any ByteSource)]
    /// Reads a mutant. Errors are ignored: only a trap, a hang or much memory is a failure.
    let read: @Sendable (any ByteSource) -> Void
    /// Reads only the structure, to find where it is. By default everything is read.
    var survey: (@Sendable (any ByteSource) -> Void)?

    /// The files, surveyed.
    func seedFiles() throws -> [SeedFile] {
        try files().map { try SeedFile($0.name, $0.source, parse: survey ?? read) }
    }

    /// One mutant, which is always the same for the same seed and number.
    func mutant(_ number: Int, of seedFiles: [SeedFile], seed: UInt64) throws -> PatchedSource {
        var random = SplitMix(seed: seed, target: name, mutant: number)
        let other = seedFiles.randomElement(using: &random) ?? seedFiles[0]
        return try Mutator.mutant(of: seedFiles[number % seedFiles.count], and: other, random)
    }
}
