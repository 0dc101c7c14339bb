import Foundation
import TestSupport
import Testing

/// Runs many mutants of one target in separate processes.
struct FuzzRun {
    /// The seed of every mutant. Each run has the same mutants unless `ISOBATH_MUTATION_SEED` is another number.
    static let seed = UInt64(environment("ISOBATH_MUTATION_SEED") ?? 1)
    /// The number of mutants of all targets together, or the number in `ISOBATH_MUTANTS`.
    static let mutants = environment("ISOBATH_MUTANTS") ?? 110_000
    /// The run of a target ends after this many failures.
    private static let mostFailures = 5

    let target: FuzzTarget

    private static func environment(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// Runs all mutants. A mutant that ends its process is a failure and is saved, and the run continues after it.
    func run(_ perform: (_ range: Range<Int>, _ note: String) async throws -> Bool) async throws {
        let count = max(1, Self.mutants * target.share / 1000)
        let start = ContinuousClock.now
        defer {
            print(
                "\(count) mutants for '\(target.name)', seed \(Self.seed), in \(ContinuousClock.now - start)")
        }
        let folder = TemporaryFolder()
        let note = folder.file("mutant")
        var first = 0
        var failures = 0
        while first < count, failures < Self.mostFailures {
            if try await perform(first..<count, note) { break }
            // The process may have failed without a mutant, because memory was not returned.
            guard let number = Watchdog.mutant(in: note), number < count else { break }
            try save(number)
            failures += 1
            first = number + 1
        }
    }

    private func save(_ number: Int) throws {
        let seedFiles = try target.seedFiles()
        let mutant = try target.mutant(number, of: seedFiles, seed: Self.seed)
        let folder = repositoryRoot + "/.build/mutants"
        let name = seedFiles[number % seedFiles.count].name.replacing("/", with: "-")
        let path = "\(folder)/\(target.name)-\(Self.seed)-\(number)-\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(try mutant.contents()).write(to: URL(filePath: path))
        Issue.record(
            "mutant \(number) of seed \(Self.seed) ends the process of '\(target.name)'; saved as \(path)")
    }
}

extension FuzzTarget {
    /// Reads mutants in this process, which a mutant may end.
    func run(_ range: Range<Int>, seed: UInt64, note: String) throws {
        let seedFiles = try seedFiles()
        let watchdog = Watchdog(path: note)
        var before = 0
        for number in range {
            let mutant = try mutant(number, of: seedFiles, seed: seed)
            watchdog.begin(number)
            read(mutant)
            watchdog.end()
            // By then everything that stays allocated has been allocated.
            if number == range.lowerBound + range.count / 4 { before = Watchdog.residentBytes }
        }
        watchdog.begin(.max)
        // A sanitizer delays freeing memory, and looks for leaks itself.
        if Tool.isSanitized { return }
        let growth = Watchdog.residentBytes - before
        #expect(growth < 1 << 25, "\(growth) bytes were not returned")
    }
}
