import Glibc
import TestSupport
import Testing

/// No input may crash the process, or need much time or memory. Seeded, so every run has the same mutants.
@Suite("Mutated files", .serialized)
struct MutationTests {
    @Test("Mutated files never crash, hang or take much memory", arguments: FuzzTarget.all.map(\.name))
    func target(name: String) async throws {
        try await run(name)
    }

    @Test("Mutated samples never crash, hang or take much memory", .needsSamples)
    func samples() async throws {
        try await run(FuzzTarget.real.name)
    }

    private func run(_ name: String) async throws {
        let fuzzRun = FuzzRun(target: try #require(FuzzTarget.named(name)))
        try await fuzzRun.run { range, note in
            await survives(name, range.lowerBound, range.upperBound, seed: FuzzRun.seed, note: note)
        }
    }

    /// Whether a process survives all of these mutants.
    private func survives(_ name: String, _ first: Int, _ end: Int, seed: UInt64, note: String) async -> Bool
    {
        let result = await #expect(processExitsWith: .success) { [name, first, end, seed, note] in
            let target = try #require(FuzzTarget.named(name))
            try target.run(first..<end, seed: seed, note: note)
        }
        return result != nil
    }
}

/// The mechanism that the suite above relies on.
@Suite("Watchdog of mutation runs")
struct WatchdogTests {
    @Test(
        "A mutant that traps, hangs, waits or takes much memory ends its process and leaves its number",
        arguments: Harm.allCases)
    func harm(_ harm: Harm) async throws {
        let folder = TemporaryFolder()
        let note = folder.file("mutant")
        await expectEnd(harm.rawValue, note: note)
        #expect(Watchdog.mutant(in: note) == 7)
    }

    private func expectEnd(_ harm: String, note: String) async {
        await #expect(processExitsWith: .failure) { [harm, note] in
            let watchdog = Watchdog(path: note)
            for number in 0..<10 {
                watchdog.begin(number)
                if number == 7 { Harm(rawValue: harm)?.happen() }
                watchdog.end()
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
            case .memory: _ = [UInt8](repeating: 1, count: Watchdog.memory)
            }
        }
    }

    @Test("A mutant is reproducible from its number and seed")
    func sameAgain() throws {
        let target = try #require(FuzzTarget.named("jpeg"))
        let seedFiles = try target.seedFiles()
        func bytes(_ number: Int, seed: UInt64) throws -> [UInt8] {
            try target.mutant(number, of: seedFiles, seed: seed).contents()
        }
        #expect(try bytes(41, seed: 1) == bytes(41, seed: 1))
        #expect(try bytes(41, seed: 1) != bytes(41, seed: 2))
        #expect(try bytes(41, seed: 1) != bytes(41 + seedFiles.count, seed: 1))
    }
}
