internal import DepthMaps
import DepthTypes
import Glibc
import Reconstruction
import Scenes
import TestFrames
import Testing

@Suite("The floor of a recording")
struct FloorTests {
    /// Cameras in the middle of the room that look down by 0.5 rad and around.
    private static func poses(tilt: Double = 0.5) -> [CameraPose] {
        (0..<6).map { index in
            let level = CameraPose.looking(0.5 * Double(index) - 1.2, from: SIMD3(0, -0.3, -0.5))
            return CameraPose(
                right: level.right, down: level.down * cos(tilt) - level.forward * sin(tilt),
                forward: level.forward * cos(tilt) + level.down * sin(tilt), position: level.position)
        }
    }

    /// A world that is turned about a skew axis, and moved.
    private static let world: CameraPose = {
        let (a, b) = (0.7, -0.4)
        let first = CameraPose(
            right: SIMD3(cos(a), sin(a), 0), down: SIMD3(-sin(a), cos(a), 0), forward: SIMD3(0, 0, 1),
            position: SIMD3(3, -7, 2))
        let second = CameraPose(
            right: SIMD3(1, 0, 0), down: SIMD3(0, cos(b), sin(b)), forward: SIMD3(0, -sin(b), cos(b)),
            position: .zero)
        return first.appending(second)
    }()

    private static func survey(_ room: WaveRoom, _ poses: [CameraPose]) -> SurfaceSurvey {
        var survey = SurfaceSurvey()
        for (index, pose) in poses.enumerated() {
            var frame = room.frame(at: pose, seed: UInt64(index))
            frame.pose = world.appending(pose)
            survey.add(frame.scene)
        }
        return survey
    }

    private static func degrees(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
        acos(min((a * b).sum(), 1)) * 180 / .pi
    }

    /// The floor is y = 1.2, and y points down.
    @Test("The floor's direction is right within half a degree, and its height within a centimeter")
    func direction() throws {
        let poses = Self.poses()
        let truth = Self.world.turned(SIMD3(0, -1, 0))
        let expected = try #require(CameraPose.meanUp(of: poses.map(Self.world.appending)))
        #expect(Self.degrees(expected, truth) < 5)
        let floor = try Self.survey(WaveRoom(), poses).floor(near: expected)
        #expect(Self.degrees(floor.up, truth) < 0.5)
        let height = (Self.world.world(SIMD3(0, 1.2, 0)) * floor.up).sum()
        #expect(abs(floor.height - height) < 0.01)
        #expect((0.1...0.7).contains(floor.share) && floor.flatness < 0.02)
    }

    @Test("A wall is not a floor")
    func wall() throws {
        var room = WaveRoom()
        room.isFlat = true
        let poses = Self.poses(tilt: 0)
        let expected = try #require(CameraPose.meanUp(of: poses.map(Self.world.appending)))
        #expect(throws: FloorError.missing) { try Self.survey(room, poses).floor(near: expected) }
        #expect(throws: FloorError.missing) { try SurfaceSurvey().floor(near: expected) }
    }

    /// A camera above the ridge of a roof, whose sides slope by 30°: y = 1 + |x|·tan 30°.
    @Test("Of two large surfaces that may be the floor, neither is taken")
    func ambiguous() {
        let camera = WaveRoom.camera
        var frame = TestFrame()
        var depths: [Float] = []
        for _ in 0..<camera.height {
            for column in 0..<camera.width {
                let slope = abs(Double(column) - camera.principalPointX) / camera.focalLengthX
                depths.append(Float(1 / (1 - slope * tan(.pi / 6))))
            }
        }
        frame.depth = FramePlane(width: camera.width, height: camera.height, samples: depths)
        (frame.calibration, frame.scale) = (camera, .absolute)
        frame.pose = CameraPose(
            right: SIMD3(1, 0, 0), down: SIMD3(0, 0, -1), forward: SIMD3(0, 1, 0), position: .zero)
        var survey = SurfaceSurvey()
        survey.add(frame.scene)
        do throws(FloorError) {
            _ = try survey.floor(near: SIMD3(0, -1, 0))
            Issue.record("a floor was found")
        } catch {
            guard case .ambiguous(let degrees) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(abs(degrees - 60) < 3)
        }
    }

    @Test("Cameras in all directions suggest none")
    func noDirection() {
        var upsideDown = CameraPose.identity
        (upsideDown.right, upsideDown.down) = (-upsideDown.right, -upsideDown.down)
        #expect(CameraPose.meanUp(of: [.identity, upsideDown]) == nil)
        #expect(CameraPose.meanUp(of: []) == nil)
    }
}
