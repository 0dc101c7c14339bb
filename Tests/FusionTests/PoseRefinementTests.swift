import ByteParsing
import DepthModel
import Fusion
import Recordings
import Sequences
import TestSupport
import Testing

@Suite("Stored poses that are refined")
struct PoseRefinementTests {
    /// Errors of up to 2 cm and 0.6°, whose means are 0.
    private static let errors: [(shift: SIMD3<Double>, angle: Double)] = [
        (SIMD3(0.02, -0.01, 0), 0.01), (SIMD3(-0.01, 0.01, 0.02), -0.008),
        (SIMD3(0, 0.02, -0.01), 0.006), (SIMD3(0.01, -0.02, -0.02), -0.01),
        (SIMD3(-0.02, 0.01, 0.02), 0.008), (SIMD3(0, -0.01, -0.01), -0.006),
    ]

    private static func followed(_ room: TiltedRoom) throws -> (ListedRecording, FollowedRecording) {
        let folder = try TemporaryFolder()
        guard case .listed(let listed) = try room.write(folder).content else {
            throw FusionError.noFrames
        }
        return (listed, try FollowedRecording(listed, FrameSelection(), refinesPoses: true))
    }

    /// The RMS of the errors of motions from frame to frame: of positions in meters.
    private static func error(_ recording: ListedRecording, _ room: TiltedRoom) throws -> Double {
        var sum = 0.0
        for index in 1..<TiltedRoom.count {
            let (first, second) = (
                try #require(recording.frames[index - 1].pose), try #require(recording.frames[index].pose)
            )
            let truth = room.truth(index - 1).inverse.appending(room.truth(index))
            let change = first.inverse.appending(second).position - truth.position
            sum += (change * change).sum()
        }
        return (sum / Double(TiltedRoom.count - 1)).squareRoot()
    }

    @Test("Wrong poses become better, in the same world, and the change is reported")
    func better() throws {
        let room = TiltedRoom(tilt: 0.5, errors: Self.errors)
        let (listed, followed) = try Self.followed(room)
        let refinement = try #require(followed.refinement)
        #expect(refinement.isUsed)
        let (before, after) = (try Self.error(listed, room), try Self.error(followed.recording, room))
        #expect(before > 0.02 && after < before / 3)
        for (index, frame) in followed.recording.frames.enumerated() {
            let change = try #require(frame.pose).position - room.truth(index).position
            #expect((change * change).sum().squareRoot() < 0.02, "frame \(index)")
        }
        #expect((0.005...0.04).contains(refinement.meanShift))
        #expect(refinement.largestShift >= refinement.meanShift && refinement.largestShift < 0.06)
        #expect((0.1...1).contains(refinement.meanTurn))
        let note = try #require(followed.diagnostics.first { $0.code.rawValue == "refined-poses" })
        #expect(note.message.contains("poses were refined and fit better"))
    }

    @Test("Right poses are kept, and a warning says so")
    func kept() throws {
        let (listed, followed) = try Self.followed(TiltedRoom(tilt: 0.5))
        #expect(followed.refinement?.isUsed == false)
        #expect(followed.recording.frames.map(\.pose) == listed.frames.map(\.pose))
        let warning = try #require(followed.diagnostics.first { $0.code.rawValue == "refined-poses" })
        #expect(warning.message.contains("stored poses are kept"))
    }
}
