import RecordingWriting
import Recordings
import Scenes
import TestSupport
import Testing

@Suite("Times of recordings")
struct RecordingTimesTests {
    private func recording(interval: Double) throws -> Recording {
        let folder = TemporaryFolder()
        let path = try RecordingWriter(interval: interval).write(.record3DFolder, into: folder)
        return try Recording(contentsOf: path)
    }

    @Test(
        "Times over more than 31 years are not believed: 30 frames a second are assumed",
        arguments: [1e300, 1e9])
    func long(interval: Double) throws {
        let recording = try recording(interval: interval)
        #expect(recording.frames.compactMap(\.time) == (0..<6).map { Double($0) / 30 })
        #expect(recording.seconds == nil && recording.rate == nil)
        #expect(recording.diagnostics.contains { "\($0)".contains("30 frames a second are assumed") })
    }

    @Test("Of times that are nearly equal, there is no rate", arguments: [1e-300, 1e-9])
    func short(interval: Double) throws {
        let recording = try recording(interval: interval)
        #expect(recording.frames.count == 6 && recording.rate == nil)
    }

    @Test("Usual times are kept")
    func usual() throws {
        let recording = try recording(interval: 0.05)
        #expect(abs((recording.rate ?? 0) - 20) < 1e-6)
        #expect(abs((recording.seconds ?? 0) - 0.25) < 1e-9)
    }
}
