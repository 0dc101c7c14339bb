import Glibc
import TestSupport
import Testing

/// No bytes may end the process, take long, or take much memory. Seeded: the same mutants each time.
@Suite("Mutants of whole files", .serialized)
struct MutationTests {
    @Test("end in an error or in less", arguments: Trial.all.map(\.name))
    func trial(name: String) async throws {
        try await run(name)
    }

    @Test("of samples do, too", .enabled(if: Samples.isAvailable))
    func samples() async throws {
        try await run(Trial.real.name)
    }

    private func run(_ name: String) async throws {
        let campaign = Campaign(trial: try #require(Trial.named(name)))
        try await campaign.run { range, note in
            await survives(name, range.lowerBound, range.upperBound, seed: Campaign.seed, note: note)
        }
    }

    /// Whether a process lives to the end of these mutants.
    private func survives(_ name: String, _ first: Int, _ end: Int, seed: UInt64, note: String) async -> Bool
    {
        let result = await #expect(processExitsWith: .success) { [name, first, end, seed, note] in
            let trial = try #require(Trial.named(name))
            try trial.run(first..<end, seed: seed, note: note)
        }
        return result != nil
    }
}

/// What the suite above rests on.
@Suite("A mutant that")
struct WatchTests {
    @Test(
        "traps, hangs, waits or takes much memory ends its process and leaves its number",
        arguments: Harm.allCases)
    func harm(_ harm: Harm) async throws {
        let folder = try TemporaryFolder()
        let note = folder.file("mutant")
        await expectEnd(harm.rawValue, note: note)
        #expect(Watch.mutant(in: note) == 7)
    }

    private func expectEnd(_ harm: String, note: String) async {
        await #expect(processExitsWith: .failure) { [harm, note] in
            let watch = Watch(path: note)
            for number in 0..<10 {
                watch.begin(number)
                if number == 7 { Harm(rawValue: harm)?.happen() }
                watch.end()
            }
        }
    }

    enum Harm: String, CaseIterable {
        case trap, loop, wait, memory

        func happen() {
            switch self {
            case .trap: _ = [UInt8]()[Int.random(in: 0...1)]
            case .loop: while Int.random(in: 0...1) < 2 {}
            case .wait: pause()
            case .memory: _ = [UInt8](repeating: 1, count: Watch.memory)
            }
        }
    }

    @Test("has a number is the same again, and another with another seed")
    func sameAgain() throws {
        let trial = try #require(Trial.named("jpeg"))
        let subjects = try trial.subjects()
        func bytes(_ number: Int, seed: UInt64) throws -> [UInt8] {
            try trial.mutant(number, of: subjects, seed: seed).contents()
        }
        #expect(try bytes(41, seed: 1) == bytes(41, seed: 1))
        #expect(try bytes(41, seed: 1) != bytes(41, seed: 2))
        #expect(try bytes(41, seed: 1) != bytes(41 + subjects.count, seed: 1))
    }
}
