internal import Bytes
import DepthTypes
import Geometry
import Scenes
import TestSupport
import Testing

@testable import Recordings

/// Recordings that were refused or misread once; the values are from the `README` of each case.
@Suite(
    "Recordings that were misread", .needsCases)
struct CaseRecordingTests {
    @Test("A pose that is not finite is lost tracking, and no error")
    func infinitePose() throws {
        let recording = try Recording(contentsOf: SampleFolder.cases.path("scannet-inf-pose"))
        #expect(recording.frames.count { $0.pose == nil } == 1)
        #expect(!recording.diagnostics.contains { $0.error != nil })
        #expect(recording.diagnostics.contains { $0.code == .lostTracking })
    }

    @Test("A field of view gives the focal length of the picture's width")
    func fieldOfView() throws {
        let recording = try Recording(contentsOf: SampleFolder.cases.path("v15-transforms/nerf-angle-only"))
        let camera = try #require(recording.intrinsics)
        #expect(abs(camera.fx - 80) < 0.001 && abs(camera.fy - 80) < 0.001)
        #expect((camera.cx, camera.cy) == (47.5, 31.5))
    }

    @Test(
        "Files in deeper folders, and with the separators of Windows, are found",
        arguments: ["v15-transforms/nerf-backslashes", "s21-deeper-folder/deep"])
    func paths(name: String) throws {
        let recording = try Recording(contentsOf: SampleFolder.cases.path(name))
        #expect(recording.frames.count == 3)
        #expect(recording.frames.allSatisfy { $0.depth != nil })
    }

    @Test("A D405 that the SDK recorded has its unit, its cameras, and points at their distances")
    func realSense() throws {
        let recording = try Recording(contentsOf: SampleFolder.cases.path("a01-realsense-db3/rs-d405.db3"))
        #expect(recording.unitsPerMeter == 10000 && recording.scale == .absolute)
        #expect(recording.coding.registration?.cameras.color.pose.position == SIMD3(-0.015, 0, 0))
        #expect(recording.intrinsics?.fx == 80)
        let distances = try recording.scene(at: 0).cloud().points().positions.map { -$0.z }
        #expect(distances.allSatisfy { $0 > 0.049 && $0 < 0.41 } && distances.count > 5000)
    }

    @Test("Odometry of a robot's body is turned to the camera's axes, so that surfaces of frames meet")
    func body() throws {
        let recording = try Recording(contentsOf: SampleFolder.cases.path("bag-odometry-base-link/bag"))
        #expect(recording.convention == .rosBody && recording.poseCount == 4)
        let check = try #require(ReprojectionCheck(recording))
        #expect(try #require(check.error) < 0.02 && check.better == nil, "\(check.errors)")
    }

    @Test("7-Scenes without poses has its own camera and unit")
    func sevenScenes() throws {
        let recording = try Recording(contentsOf: SampleFolder.cases.path("7scenes-without-poses"))
        #expect(recording.layout == .sevenScenes && recording.frames.count == 4 && recording.colorCount == 4)
        #expect(recording.unitsPerMeter == 1000 && recording.cameraOrigin == .file)
        #expect(recording.convention == nil && recording.poseCount == 0)
    }

    @Test("Numbered depth in a folder has no unit, of the size of phones with LiDAR, too")
    func phoneSize() throws {
        let source = try FileSource(path: SampleFolder.cases.path("color-movie-ignored/frame_00000.png"))
        let bytes = try source.read(0..<source.byteCount)
        let folder = TemporaryFolder()
        for index in 0..<3 { try folder.write(bytes, to: "frame_0000\(index).png") }
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.layout == .numberedDepth && recording.scale == .unitless)
    }

    @Test("A movie is refused as the pictures of numbered depth, which has no unit at any size")
    func colorMovie() throws {
        let pattern = SampleFolder.cases.path("color-movie-ignored/frame_%05d.png")
        var reading = ReadingOptions()
        #expect(try Recording(contentsOf: pattern, reading: reading).scale == .unitless)
        reading.colorPath = SampleFolder.cases.path("color-movie-ignored/clip.mkv")
        #expect {
            try Recording(contentsOf: pattern, reading: reading)
        } throws: { "\($0)".contains("clip.mkv") }
    }

    @Test("Pictures 25 ms after the depth are those of its frames, with a note")
    func unsynchronized() throws {
        let recording = try Recording(contentsOf: SampleFolder.cases.path("bag-unsynced-25ms/bag"))
        #expect(!recording.frames.isEmpty && recording.frames.allSatisfy { $0.color != nil })
        #expect(
            recording.diagnostics.contains { $0.code == .unsynchronized && $0.message.contains(" 25 ms ") })
    }
}
