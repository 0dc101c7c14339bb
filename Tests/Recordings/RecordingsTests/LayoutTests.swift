import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Foundation
import RecordingWriting
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

@Suite("Layouts of recordings")
struct LayoutTests {
    private let folder = TemporaryFolder()
    private static let writer = RecordingWriter()
    private static let layouts = RecordingWriter.layouts + [.replica]

    @Test(
        "Frames, times, poses and cameras of a recording are those of the scene",
        arguments: Self.layouts)
    func frames(layout: RecordingLayout) throws {
        let writer = Self.writer
        let recording = try Recording(contentsOf: try writer.write(layout, into: folder))
        #expect(recording.layout == layout)
        #expect(recording.frames.count == writer.count)
        #expect(recording.skippedCount == 0)
        #expect(recording.poseCount == writer.count)
        for (index, frame) in recording.frames.enumerated() {
            let found = try #require(frame.pose)
            let expected = writer.scene.pose(index)
            // Digits that are cut off in text, and Float32 in .sens.
            #expect(abs((found.position - expected.position).max()) < 1e-5)
            #expect((found.forward * expected.forward).sum() > 1 - 1e-9)
            #expect((found.right * expected.right).sum() > 1 - 1e-9)
            if recording.hasTimes {
                #expect(abs((frame.time ?? -1) - Double(index) * writer.interval) < 2e-4)
            }
            guard layout != .tum else { continue }
            let camera = try #require(recording.calibration(of: frame)).scaled(
                toWidth: writer.scene.width, height: writer.scene.height)
            #expect(abs(camera.focalLengthX - writer.scene.focalLength) < 1e-4)
            #expect(abs(camera.principalPointX - writer.scene.center.x) < 1e-4)
            #expect(abs(camera.principalPointY - writer.scene.center.y) < 1e-4)
        }
        #expect(recording.hasTimes == ![.sevenScenes, .open3D, .bop, .replica].contains(layout))
    }

    @Test("Depth, color and confidence are decoded as they were written", arguments: Self.layouts)
    func decoding(layout: RecordingLayout) throws {
        let writer = Self.writer
        let recording = try Recording(contentsOf: try writer.write(layout, into: folder))
        let source = RecordingReader(recording)
        let description = source.description
        #expect(source.extent.frameCount == writer.count)
        #expect(description.depth?.size == PixelSize(width: writer.scene.width, height: writer.scene.height))
        // The others are written by LiDAR apps in one unit, or have a file that declares it.
        let isAssumed = [.tum, .sevenScenes, .open3D, .nerfstudio].contains(layout)
        #expect(description.depth?.scale == (isAssumed ? .unknown : .absolute))
        #expect(recording.diagnostics.contains { $0.code == .assumedDepthUnit } == isAssumed)
        #expect(!description.mattes.isEmpty == [.open3D, .nerfstudio, .nerfCapture, .bop].contains(layout))
        var frame = TestFrame()
        var index = 0
        // Half a stored unit, and the rounding of Float32.
        let tolerance = layout == .multiScan ? 0.001 : 0.51 / (recording.unitsPerMeter ?? 1000) + 1e-6
        while try source.advance() != nil {
            try source.read(.measured, into: &frame)
            let expected = writer.scene.view(writer.scene.pose(index))
            #expect(frame.depth.samples.count == expected.meters.count)
            let worst = zip(frame.depth.samples, expected.meters).map { abs(Double($0) - $1) }.max() ?? 9
            #expect(worst < tolerance)
            let hasColor =
                [.strayScanner, .multiScan].contains(layout)
                ? false : layout == .scannerApp ? index.isMultiple(of: 3) : true
            #expect(frame.color.isEmpty == !hasColor)
            if hasColor { #expect(frame.color.samples == expected.colors) }
            switch layout {
            case .strayScanner, .multiScan: #expect(Array(frame.confidence.samples.prefix(3)) == [0, 1, 2])
            case .polycam: #expect(Array(frame.confidence.samples.prefix(4)) == [0, 1, 1, 2])
            case .scannerApp: #expect(frame.confidence.samples.allSatisfy { $0 == 2 })
            default: #expect(frame.confidence.isEmpty)
            }
            if !description.mattes.isEmpty {
                try source.read([.matte], into: &frame)
                #expect(frame.matte.samples == expected.colors.map { $0 == RoomScene.colors[6] ? 255 : 0 })
            }
            index += 1
        }
        #expect(index == writer.count)
    }

    @Test(
        "Points of one frame lie on the depth of others, in no other convention",
        arguments: Self.layouts)
    func reprojection(layout: RecordingLayout) throws {
        // TUM's lists hold no camera, so that it is given.
        var reading = ReadingOptions()
        let writer = Self.writer
        if layout == .tum {
            let scene = writer.scene
            reading.camera = .intrinsics(
                fx: scene.focalLength, fy: scene.focalLength, cx: scene.center.x, cy: scene.center.y)
        }
        let path = try writer.write(layout, into: folder)
        let check = try #require(ReprojectionCheck(try Recording(contentsOf: path, reading: reading)))
        // The nearest pixel instead of the exact place: a pixel is 1/140 of the distance wide.
        #expect(try #require(check.error) < 0.01)
        #expect(check.better == nil)
        // A wrong interpretation is detected, and the right convention is named.
        let right = check.convention
        reading.poseConvention = right.other
        let wrong = try #require(ReprojectionCheck(try Recording(contentsOf: path, reading: reading)))
        #expect(wrong.better == right)
        #expect(wrong.diagnostics.count == 1)
    }

    /// On foreign file systems, macOS writes a file `._NAME` beside each file: RFC 1740, whose magic is 00 05 16 07.
    @Test("Files of file systems are not frames", arguments: Self.layouts)
    func filesOfFileSystems(layout: RecordingLayout) throws {
        let path = try Self.writer.write(layout, into: folder)
        let before = try Recording(contentsOf: path)
        let names = try #require(FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String])
        for name in names {
            let parts = name.split(separator: "/").map(String.init)
            let above = parts.dropLast().map { $0 + "/" }.joined()
            try folder.write([0, 5, 0x16, 7, 0, 2, 0, 0], to: "\(above)._\(parts.last ?? "")")
            for other in [".DS_Store", "Thumbs.db", "desktop.ini"] {
                try folder.write([1, 2, 3], to: above + other)
            }
        }
        let after = try Recording(contentsOf: folder.path)
        #expect(after.layout == layout && after.frames.count == before.frames.count)
        #expect(after.depthSize == before.depthSize && after.diagnostics == before.diagnostics)
    }

    @Test("Poses of SLAMBench are matrices in order, or have the numbers of frames")
    func slamBench() throws {
        let writer = Self.writer
        for isTimed in [false, true] {
            let folder = TemporaryFolder()
            _ = try writer.write(.open3D, into: folder)
            try folder.remove("trajectory.log")
            let lines = writer.poses().enumerated().map { index, pose in
                let rows = RoomScene.rows(pose)
                let numbers =
                    isTimed
                    ? [Double(index)] + pose.translation + RoomScene.quaternion(rows) : rows.flatMap(\.self)
                return numbers.map { "\($0)" }.joined(separator: " ")
            }
            // Poses in order need all lines; by number, the second may be missing.
            let kept = isTimed ? lines.enumerated().filter { $0.offset != 1 }.map(\.element) : lines
            try folder.write(
                text: kept.joined(separator: "\n") + "\n", to: isTimed ? "groundtruth.txt" : "pose.txt")
            let recording = try Recording(contentsOf: folder.path)
            #expect(recording.poseCount == kept.count && (recording.frames[1].pose == nil) == isTimed)
            for (index, frame) in recording.frames.enumerated() {
                guard let pose = frame.pose else { continue }
                #expect(abs((pose.position - writer.scene.pose(index).position).max()) < 1e-9)
            }
        }
        _ = try writer.write(.open3D, into: folder)
        try folder.remove("trajectory.log")
        try folder.write(text: "no poses at all\n", to: "pose.txt")
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.poseCount == 0)
        #expect(recording.diagnostics.contains { $0.code == .unreadableLines })
    }

    @Test("Poses of a trajectory that has more of them than frames are paired in order")
    func longTrajectory() throws {
        _ = try Self.writer.write(.open3D, into: folder)
        let text = try folder.text(of: "trajectory.log")
        try folder.write(text: text + "6 6 7\n1 0 0 9\n0 1 0 9\n0 0 1 9\n0 0 0 1\n", to: "trajectory.log")
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.frames.count == 6 && recording.poseCount == 6)
        #expect(recording.diagnostics.contains { $0.message.contains("has 7 poses for 6 frames") })
        let last = try #require(recording.frames[5].pose)
        #expect(abs((last.position - Self.writer.scene.pose(5).position).max()) < 1e-5)
    }

    @Test("The matrix in a folder 'intrinsic' is the camera: fx 0 cx 0, 0 fy cy 0, and the last two rows")
    func intrinsicFolder() throws {
        _ = try Self.writer.write(.open3D, into: folder)
        try folder.write(
            text: "150 0 80 0\n0 151 61 0\n0 0 1 0\n0 0 0 1\n", to: "intrinsic/intrinsic_depth.txt")
        let camera = try #require(try Recording(contentsOf: folder.path).intrinsics)
        #expect((camera.fx, camera.fy, camera.cx, camera.cy) == (150, 151, 80, 61))
    }

    @Test("A frame's camera in ARKitScenes is width, height, fx, fy, cx, cy, from the corner of a pixel")
    func arkitScenesCamera() throws {
        _ = try Self.writer.write(.arkitScenes, into: folder)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.file("lowres_wide_intrinsics")
        ).sorted()
        try folder.write(text: "160 120 150 151 81 62\n", to: "lowres_wide_intrinsics/" + names[2])
        let camera = try #require(try Recording(contentsOf: folder.path).frames[2].intrinsics)
        #expect((camera.fx, camera.fy, camera.cx, camera.cy) == (150, 151, 80.5, 61.5))
    }

    @Test("A camera that is given replaces the assumption of a layout, and nothing that is said about poses")
    func givenCamera() throws {
        _ = try Self.writer.write(.open3D, into: folder)
        try folder.remove("camera_intrinsic.json")
        try folder.remove("trajectory.log")
        try folder.write(text: "no poses at all\n", to: "pose.txt")
        let assumed = try Recording(contentsOf: folder.path)
        #expect(assumed.cameraOrigin == .assumed)
        #expect(assumed.diagnostics.contains { $0.code == .assumedCamera })
        var reading = ReadingOptions()
        reading.camera = .intrinsics(fx: 140, fy: 140, cx: 80, cy: 60)
        let given = try Recording(contentsOf: folder.path, reading: reading)
        #expect(given.cameraOrigin == .given && given.intrinsics?.fx == 140)
        #expect(given.diagnostics == assumed.diagnostics.filter { $0.code != .assumedCamera })
    }

    @Test("Masks of several objects in BOP are no mattes, and counted")
    func severalMasks() throws {
        _ = try Self.writer.write(.bop, into: folder)
        for index in 0..<2 {
            try folder.write(
                try folder.bytes(of: "mask_visib/000000_000000.png"),
                to: "mask_visib/00000\(index)_000001.png")
        }
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.matteCount == 4)
        let text = "2 frames have masks of several objects, which are not read as mattes"
        #expect(recording.diagnostics.contains { $0.message == text })
    }

    @Test("Replica without cam_params.json has NICE-SLAM's camera and unit, as assumptions")
    func replicaWithoutCamera() throws {
        _ = try Self.writer.write(.replica, into: folder)
        try folder.remove("cam_params.json")
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.scale == .unknown && recording.unitsPerMeter == 6553.5)
        #expect(recording.cameraOrigin == .assumed && recording.intrinsics?.fx == 600)
    }

    @Test("Numbered depth beside AppleDouble files is a recording, and a pattern does not name them")
    func numberedBesideAppleDouble() throws {
        let scene = Self.writer.scene
        for index in 0..<3 {
            let name = "\(index)_left_depth.png"
            try folder.write(
                try scene.depthPNG(scene.view(scene.pose(index)).meters, unitsPerMeter: 1000), to: name)
            try folder.write([0, 5, 0x16, 7, 0, 2, 0, 0], to: "._" + name)
        }
        for path in [folder.path, folder.file("%d_left_depth.png")] {
            let recording = try Recording(contentsOf: path)
            #expect(recording.frames.count == 3 && recording.depthSize?.width == scene.width)
        }
    }

    @Test(
        "TartanAir's depth is read beside the AppleDouble files that its archives hold",
        .needsRecordings)
    func tartanAirDepth() throws {
        let recording = try Recording(contentsOf: SampleFolder.recordings.path("tartanair/depth_left"))
        #expect(recording.frames.map(\.number) == [0, 1, 2])
    }

    @Test("Listed frames whose files are missing are skipped and counted")
    func missingFiles() throws {
        let path = try Self.writer.write(.strayScanner, into: folder)
        try folder.remove("depth/000000.png")
        try folder.remove("depth/000003.png")
        let recording = try Recording(contentsOf: path)
        #expect(recording.frames.map(\.number) == [1, 2, 4, 5])
        #expect(recording.skippedCount == 2)
        // Times are relative to the first existing frame.
        #expect(abs((recording.frames.last?.time ?? 0) - 4 * Self.writer.interval) < 1e-9)
        #expect(recording.diagnostics.contains { $0.code == .missingFiles })
        // From frame 2 to frame 4.
        let longest = (2 * Self.writer.interval * 1000).rounded() / 1000
        #expect(
            recording.diagnostics.contains {
                $0.code == .gaps && $0.message == "1 gap between frames, the longest \(longest) s"
            })
    }

    @Test("A list that is cut off gives the frames before the cut, and a warning")
    func cutOffList() throws {
        let path = try Self.writer.write(.strayScanner, into: folder)
        let lines = try folder.bytes(of: "odometry.csv")
        // In the middle of the last line's position.
        try folder.write(lines.dropLast(120), to: "odometry.csv")
        let recording = try Recording(contentsOf: path)
        #expect(recording.frames.count == Self.writer.count - 1)
        #expect(recording.diagnostics.contains { $0.code == .cutOff })
    }

    @Test(
        "A .sens file that is cut off gives the frames before the cut, and a warning", arguments: [1, 3, 5])
    func cutOffStream(frames: Int) throws {
        let path = try Self.writer.write(.scanNet, into: folder)
        let whole = try Recording(contentsOf: path)
        let depth = try #require(whole.frames[frames].depth as? BytesPart)
        try folder.write(
            try folder.bytes(of: "room.sens").prefix(depth.range.upperBound - 1), to: "room.sens")
        let recording = try Recording(contentsOf: path)
        #expect(recording.frames.count == frames)
        #expect(recording.diagnostics.contains { $0.code == .cutOff })
    }

    @Test("A folder stands for the only recording at most two levels below")
    func folderAbove() throws {
        try folder.folder("a/b")
        let source = TemporaryFolder()
        _ = try Self.writer.write(.sevenScenes, into: source)
        for name in source.contents {
            try FileManager.default.moveItem(atPath: source.file(name), toPath: folder.file("a/b/\(name)"))
        }
        #expect(try Recording(contentsOf: folder.path).frames.count == Self.writer.count)
        try FileManager.default.copyItem(atPath: folder.file("a/b"), toPath: folder.file("a/d"))
        #expect(throws: RecordingError.self) { try Recording(contentsOf: folder.path) }
    }

    @Test("A folder of numbered depth images is a recording, and one of pictures alone is none")
    func numbered() throws {
        let scene = Self.writer.scene
        for index in 8..<12 {
            let view = scene.view(scene.pose(index))
            try folder.write(try scene.colorPNG(view.colors), to: "rgb_\(index).png")
        }
        #expect(throws: ContainerError.self) { try Recording(contentsOf: folder.path) }
        for index in 8..<12 {
            let view = scene.view(scene.pose(index))
            try folder.write(try scene.depthPNG(view.meters, unitsPerMeter: 1000), to: "depth_\(index).png")
        }
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.layout == .numberedPairs)
        #expect(recording.frames.map(\.number) == [8, 9, 10, 11])
        #expect(recording.colorCount == 4)
        var pattern = ReadingOptions()
        pattern.colorPath = folder.file("rgb_%d.png")
        pattern.scale = 1000
        let named = try Recording(contentsOf: folder.file("depth_%d.png"), reading: pattern)
        #expect(named.frames.map(\.number) == [8, 9, 10, 11])
        #expect(named.colorCount == 4 && named.scale == .absolute)
        // The unit is not declared.
        #expect(recording.scale == .unitless)
        var reading = ReadingOptions()
        reading.scale = 1000
        #expect(try Recording(contentsOf: folder.path, reading: reading).scale == .absolute)
    }

    @Test(
        "The largest value of numbered depth is unknown if it is twice the next one, with a unit and without")
    func largestValue() throws {
        let scene = Self.writer.scene
        var codes = [UInt16](repeating: 1500, count: scene.width * scene.height)
        codes[0] = .max
        codes[1] = .max / 2
        for index in 1...2 { try folder.write(try scene.png(.gray16(codes)), to: "depth_\(index).png") }
        codes[2] = .max / 2 + 1
        try folder.write(try scene.png(.gray16(codes)), to: "depth_2.png")
        for units in [1000, nil] as [Double?] {
            var reading = ReadingOptions()
            reading.scale = units
            let recording = try Recording(contentsOf: folder.path, reading: reading)
            var frame = try recording.decodedFrame(at: 0, [.depth])
            #expect(frame.depth.samples[0].isNaN)
            #expect(frame.depth.samples[1] == 32767 / Float(units ?? 1))
            #expect(frame.depth.samples[3] == 1500 / Float(units ?? 1))
            // 65535 is less than twice 32768.
            frame = try recording.decodedFrame(at: 1, [.depth])
            #expect(frame.depth.samples[0] == 65535 / Float(units ?? 1))
        }
    }

    @Test("A list names no file outside of its recording")
    func escape() throws {
        let scene = Self.writer.scene
        let png = try scene.depthPNG(scene.view(scene.pose(0)).meters, unitsPerMeter: 5000)
        try folder.write(png, to: "outside.png")
        try folder.write(png, to: "inner/depth/1.png")
        try folder.write(
            text:
                "1.0 depth/1.png\n2.0 ../outside.png\n3.0 depth/../../outside.png\n4.0 \(folder.file("outside.png"))\n",
            to: "inner/depth.txt")
        let recording = try Recording(contentsOf: folder.file("inner"))
        #expect(recording.frames.count == 1)
        #expect(recording.skippedCount == 3)
    }
}

extension PoseConvention {
    /// One with both properties changed.
    fileprivate var other: PoseConvention {
        switch self {
        case .cameraToWorldOpenCV: .worldToCameraOpenGL
        case .cameraToWorldOpenGL: .worldToCameraOpenCV
        case .worldToCameraOpenCV: .cameraToWorldOpenGL
        case .worldToCameraOpenGL, .rosBody: .cameraToWorldOpenCV
        }
    }
}
