import DepthMaps
import DepthTypes
import Glibc
import Scenes
import TestFrames
import Testing

@testable import Reconstruction

@Suite("Odometry: the camera's path from depth and color")
struct CameraTrackerTests {
    /// A path of poses relative to its first.
    private static func relative(_ poses: [CameraPose]) -> [CameraPose] {
        poses.map { poses[0].inverse.appending($0) }
    }

    private static func path(_ frames: [TestFrame]) -> FollowedPath {
        var tracker = CameraTracker()
        for frame in frames { tracker.add(frame.scene) }
        return tracker.path()
    }

    /// Depth that shows nothing.
    private static let unknown = FramePlane(
        width: 160, height: 120, samples: [Float](repeating: .nan, count: 160 * 120))

    /// 24 poses on an arc of 0.74 m, turning by 0.5 rad.
    private static let arc = (0..<24).map { index in
        let part = Double(index) / 23
        return CameraPose.looking(
            0.5 * part - 0.2, from: SIMD3(0.7 * part - 0.3, 0.1 * sin(3 * part), 0.2 * part))
    }

    private static func length(_ poses: [CameraPose]) -> Double {
        zip(poses, poses.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }

    @Test("Positions are within 1 % of the length of the path, and directions within 0.2°")
    func followed() throws {
        let truth = Self.relative(Self.arc)
        let path = Self.path(Self.arc.enumerated().map { WaveRoom().frame(at: $1, seed: UInt64($0)) })
        #expect(path.followedCount == truth.count)
        let limit = 0.01 * Self.length(truth)
        for (found, pose) in zip(path.frames, truth) {
            let found = try #require(found)
            #expect(found.pose.distance(to: pose) < limit)
            #expect(found.pose.inverse.appending(pose).angle < 0.0035)
            #expect(found.overlap > 0.5 && found.overlap <= 1)
            #expect(found.inlierShare > 0.95 && found.inlierShare <= 1)
        }
        let error = try #require(path.depthError)
        // Uniform noise of ±2 mm at 1 m, so 1.2 mm RMS, is 5 to 10 mm at 2 to 3 m.
        #expect((0.002...0.015).contains(error))
    }

    @Test("Depth alone is enough in a room with a ball")
    func depthAlone() throws {
        let truth = Self.relative(Self.arc)
        let path = Self.path(
            Self.arc.enumerated().map {
                var frame = WaveRoom().frame(at: $1, seed: UInt64($0))
                frame.color.clear()
                return frame
            })
        #expect(path.followedCount == truth.count)
        let end = try #require(path.frames.last ?? nil)
        #expect(end.pose.distance(to: truth[23]) < 0.02 * Self.length(truth))
    }

    @Test("Equal frames have equal poses")
    func still() throws {
        let frame = WaveRoom().frame(at: .identity, seed: 1)
        let path = Self.path([frame, frame, frame])
        for found in path.frames {
            let found = try #require(found)
            #expect(found.pose.distance(to: .identity) < 1e-5 && found.pose.angle < 1e-5)
        }
    }

    @Test("A change of exposure is not a motion")
    func exposure() throws {
        var brighter = WaveRoom()
        brighter.exposure = 25
        let path = Self.path(
            [WaveRoom().frame(at: .identity, seed: 1), brighter.frame(at: .identity, seed: 2)])
        let found = try #require(path.frames[1])
        #expect(found.pose.distance(to: .identity) < 0.002)
    }

    @Test(
        "A wall without texture is refused, with and without noise: its frames fit any sliding",
        arguments: [0, 0.002, 0.01 as Float])
    func featureless(noise: Float) {
        let room = WaveRoom(noise: noise, hasTexture: false, isFlat: true, grain: Double(noise) * 4000)
        let path = Self.path(
            (0..<6).map {
                room.frame(at: .looking(0, from: SIMD3(0.02 * Double($0), 0, 0)), seed: UInt64($0))
            })
        #expect(path.followedCount == 1 && path.depthError == nil)
    }

    @Test("A wall with texture is followed")
    func texturedWall() throws {
        let room = WaveRoom(isFlat: true)
        let path = Self.path(
            (0..<10).map {
                room.frame(at: .looking(0, from: SIMD3(0.02 * Double($0), 0, 0)), seed: UInt64($0))
            })
        let end = try #require(path.frames[9])
        #expect(abs(end.pose.position.x - 0.18) < 0.004)
    }

    @Test("Frames that show nothing are skipped, and the path continues where the camera sees a known place")
    func found() throws {
        let frames = Self.arc.enumerated().map { WaveRoom().frame(at: $1, seed: UInt64($0)) }
        let blank = WaveRoom(hasTexture: false, isFlat: true).frame(
            at: .looking(0, from: SIMD3(0, 0, 2.4)), seed: 99)
        let path = Self.path(Array(frames[0..<16]) + [blank, blank] + [frames[1], frames[2]])
        #expect(path.frames[16] == nil && path.frames[17] == nil && path.followedCount == 18)
        let truth = Self.relative(Self.arc)
        let (first, second) = (try #require(path.frames[18]), try #require(path.frames[19]))
        #expect(first.pose.distance(to: truth[1]) < 0.008)
        #expect(second.pose.distance(to: truth[2]) < 0.008)
    }

    @Test("A first frame that nothing can be aligned to is given up")
    func badStart() throws {
        let blank = WaveRoom(hasTexture: false, isFlat: true).frame(
            at: .looking(0, from: SIMD3(0, 0, 2.4)), seed: 99)
        let frames = Self.arc.prefix(8).enumerated().map { WaveRoom().frame(at: $1, seed: UInt64($0)) }
        let path = Self.path([blank] + frames)
        #expect(path.frames[0] == nil && path.followedCount == 8)
        let start = try #require(path.frames[1])
        #expect(start.pose == .identity)
    }

    /// The camera turns around where it is dark: nothing that it sees then was seen before.
    @Test("Where the camera is lost, the longest part is kept, in the camera of its first frame")
    func parts() throws {
        let poses = Self.arc
        let away = Self.arc.map { CameraPose.looking(.pi, from: .zero).appending($0) }
        var dark = WaveRoom().frame(at: .identity, seed: 1)
        dark.depth = Self.unknown
        for (first, second) in [(Array(poses.prefix(8)), away), (away, Array(poses.prefix(8)))] {
            let seen = (first + second).enumerated().map { WaveRoom().frame(at: $1, seed: UInt64($0)) }
            let path = Self.path(
                Array(seen.prefix(first.count)) + [dark] + Array(seen.dropFirst(first.count)))
            #expect(path.followedCount == 24 && path.otherParts == 1)
            let found = path.frames.compactMap(\.self)
            let truth = Self.relative(away)
            for (frame, pose) in zip(found, truth) { #expect(frame.pose.distance(to: pose) < 0.01) }
        }
    }

    /// A camera moves along a corridor whose tiles repeat every `tile` meters, and sees nothing for 15 frames. 5 cm from frame to frame.
    @Test(
        "Parts are not joined where a pattern repeats, and positions are as accurate as is stated",
        arguments: [0.25, 0.3, 0.4, 0.5, 0.6, 0.75])
    func tiles(tile: Double) throws {
        let poses = (0..<60).map { index -> CameraPose in
            let step = Double(index)
            let place = SIMD3<Double>(0.05 * step, 0.03 * sin(step / 6), 0.02 * cos(step / 5))
            return .looking(0.02 * sin(step / 9), from: place)
        }
        let frames = poses.enumerated().map { index, pose -> TestFrame in
            var frame = WaveRoom(noise: 0.0002, tile: tile).frame(at: pose, seed: UInt64(index))
            if (20..<35).contains(index) {
                frame.depth = Self.unknown
            }
            return frame
        }
        let path = Self.path(frames)
        let kept = path.frames.indices.filter { path.frames[$0] != nil }
        #expect(kept.count >= 10 && (kept.allSatisfy { $0 < 20 } || kept.allSatisfy { $0 >= 35 }))
        let start = try #require(kept.first)
        var squares = 0.0
        for index in kept {
            let truth = poses[start].inverse.appending(poses[index])
            let found = try #require(path.frames[index])
            squares += pow(found.pose.distance(to: truth), 2)
        }
        let error = (squares / Double(kept.count)).squareRoot()
        let stated = try #require(path.positionDeviation)
        #expect(error < 2 * stated && stated < 0.05, "\(error) \(stated)")
    }

    /// A camera passes a wall that is all that it sees, and whose squares repeat.
    @Test(
        "A pattern that repeats does not shift the path by a period",
        arguments: [(0.1, 2.4), (0.15, 2.4), (0.15, 3), (0.2, 3)])
    func period(square: Double, distance: Double) throws {
        let poses = (0..<40).map { index in
            let step = 0.02 * Double(index)
            return CameraPose.looking(step - 0.4, from: SIMD3(step, 0, 3 - distance))
        }
        let room = WaveRoom(noise: 0.004, isFlat: true, grain: 10, square: square)
        let path = Self.path(poses.enumerated().map { room.frame(at: $1, seed: UInt64($0)) })
        for (found, pose) in zip(path.frames, Self.relative(poses)) {
            #expect(try #require(found).pose.distance(to: pose) < 0.03)
        }
    }

    @Test("Frames without depth or camera are not followed")
    func missing() {
        var blind = WaveRoom().frame(at: .identity, seed: 1)
        blind.depth.clear()
        var unknown = WaveRoom().frame(at: .identity, seed: 1)
        unknown.calibration = nil
        let frame = WaveRoom().frame(at: .identity, seed: 1)
        let path = Self.path([blind, frame, unknown, frame])
        #expect(path.frames.map { $0 != nil } == [false, true, false, true])
    }

    @Test("A camera that turns around once meets its start, and the drift at the end is gone")
    func loop() throws {
        let count = 60
        let poses = (0...count).map { index in
            let angle = 2 * Double.pi * Double(index) / Double(count)
            return CameraPose.looking(angle, from: SIMD3(0.2 * sin(angle), 0, 0.2 * cos(angle)))
        }
        let path = Self.path(poses.enumerated().map { WaveRoom().frame(at: $1, seed: UInt64($0)) })
        #expect(path.followedCount == poses.count && path.loopCount > 0)
        let end = try #require(path.frames.last ?? nil)
        // The alignment to the first keyframes is as precise as one of neighbors.
        #expect(end.pose.distance(to: .identity) < 0.006 && end.pose.angle < 0.004)
    }

    @Test("The path does not depend on the number of threads")
    func threads() {
        let frames = Self.arc.prefix(6).enumerated().map { WaveRoom().frame(at: $1, seed: UInt64($0)) }
        let one = withThreadLimit(1) { Self.path(frames) }
        #expect(one.frames.map { $0?.pose } == Self.path(frames).frames.map { $0?.pose })
    }
}
