import Foundation
import TestSupport
import Testing

/// Many mutants of one trial, in processes of their own.
struct Campaign {
    /// What every mutant comes from. The same ones each time, unless `ISOBATH_MUTATION_SEED` is another number.
    static let seed = UInt64(environment("ISOBATH_MUTATION_SEED") ?? 1)
    /// Of all trials together; `ISOBATH_MUTANTS` may ask for any number.
    static let mutants = environment("ISOBATH_MUTANTS") ?? 110_000
    /// How many failures of one trial are looked for.
    private static let mostFailures = 5

    let trial: Trial

    private static func environment(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// Runs all mutants. One that ends the process is saved and is a failure; those behind it follow.
    func run(_ perform: (_ range: Range<Int>, _ note: String) async throws -> Bool) async throws {
        let count = max(1, Self.mutants * trial.share / 1000)
        let start = ContinuousClock.now
        defer {
            print(
                "\(count) mutants for '\(trial.name)', seed \(Self.seed), in \(ContinuousClock.now - start)")
        }
        let folder = try TemporaryFolder()
        let note = folder.file("mutant")
        var first = 0
        var failures = 0
        while first < count, failures < Self.mostFailures {
            if try await perform(first..<count, note) { break }
            // The process may have failed without a mutant, by memory that was not given back.
            guard let number = Watch.mutant(in: note), number < count else { break }
            try save(number)
            failures += 1
            first = number + 1
        }
    }

    private func save(_ number: Int) throws {
        let subjects = try trial.subjects()
        let mutant = try trial.mutant(number, of: subjects, seed: Self.seed)
        let folder = repositoryRoot + "/.build/mutants"
        let name = subjects[number % subjects.count].name.replacing("/", with: "-")
        let path = "\(folder)/\(trial.name)-\(Self.seed)-\(number)-\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(try mutant.contents()).write(to: URL(filePath: path))
        Issue.record(
            "mutant \(number) of seed \(Self.seed) ends the process of '\(trial.name)'; saved as \(path)")
    }
}

extension Trial {
    /// Reads mutants in this process, which one of them may end.
    func run(_ range: Range<Int>, seed: UInt64, note: String) throws {
        let subjects = try subjects()
        let watch = Watch(path: note)
        var before = 0
        for number in range {
            let mutant = try mutant(number, of: subjects, seed: seed)
            watch.begin(number)
            read(mutant)
            watch.end()
            // By then everything that is kept for good is there.
            if number == range.lowerBound + range.count / 4 { before = Watch.residentBytes }
        }
        watch.begin(.max)
        // A sanitizer keeps what is given back for a while; it looks for leaks itself.
        if Tool.isSanitized { return }
        let growth = Watch.residentBytes - before
        #expect(growth < 1 << 25, "\(growth) bytes were not given back")
    }
}
