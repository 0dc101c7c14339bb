import Foundation
import TestSupport
import Testing

@Suite("Recordings on the command line")
struct RecordingTests {
    /// Four frames of a wall 2 m away, seen by a camera that slides 5 cm a frame, in the layout of 7-Scenes: depth of 40 × 30
    /// samples as portable gray maps cannot be in it, so PNG files are made of them by the tool.
    static func write(_ folder: borrowing TemporaryFolder, frames: Int = 4) throws {
        let map = try folder.write(pgm([Int](repeating: 2000, count: 40 * 30), width: 40), to: "map.pgm")
        try folder.run("extract \(map) --scale 1000 --values millimeters -o map.png")
        let png = try folder.bytes(of: "map.png")
        for name in ["map.pgm", "map.png"] { try folder.remove(name) }
        for index in 0..<frames {
            let name = "frame-00000\(index)"
            try folder.write(png, to: name + ".depth.png")
            let x = 0.05 * Double(index)
            try folder.write(
                Array("1 0 0 \(x)\n0 1 0 0\n0 0 1 0\n0 0 0 1\n".utf8), to: name + ".pose.txt")
        }
        try folder.write(text: "40 0 19.5\n0 40 14.5\n0 0 1\n", to: "camera-intrinsics.txt")
    }

    private let folder = TemporaryFolder()
    private let output = TemporaryFolder()

    init() throws { try Self.write(folder) }

    @Test("A recording is one line of JSON, named, found by --recursive, and in an isolated process")
    func info() throws {
        var lines: [[String: Any]] = []
        for more in [[], ["--recursive"], ["--isolate"]] {
            let run = try Tool.run("info --json \(folder.path) \(more)")
            let objects = try run.objects()
            #expect(objects.count == 1)
            lines += objects
        }
        for line in lines {
            #expect(line.text("schema") == "isobath.recording/1")
            #expect(line.text("layout") == "7-scenes")
            #expect(line.integer("frames") == 4)
            #expect(line.isNull("seconds") && line.isNull("color") && line.isNull("confidence"))
            #expect(line.object("depth").integer("width") == 40)
            #expect(line.object("depth").integer("height") == 30)
            #expect(line.object("depth").text("unit") == "m")
            #expect(line.object("depth").number("scale") == 1000)
            #expect(line.object("poses").integer("count") == 4)
            #expect(line.object("poses").text("convention") == "camera-to-world-opencv")
            #expect(line.object("camera").number("fx") == 40)
            #expect(line.object("camera").number("cx") == 19.5)
        }
        let text = try Tool.run("info \(folder.path)").text
        #expect(text.contains("7-Scenes, 4 frames"))
    }

    @Test("The camera path may not take the place of the cloud, however it is spelled")
    func samePlace() throws {
        for path in ["c.ply", "./c.ply", "../\(output.path.split(separator: "/").last ?? "")/c.ply"] {
            try output.run(
                "cloud \(folder.path) --voxel 0.04 -o c.ply --trajectory \(path) --force", status: 1,
                says: "a name of its own")
            #expect(output.contents == [])
        }
    }

    @Test("A recording becomes a cloud on the surface that was recorded, and a camera path")
    func cloud() throws {
        let run = try output.run(
            "cloud \(folder.path) --voxel 0.04 -o room.obj --json --trajectory path.json")
        let rows = try output.text(of: "room.obj")
            .split(separator: "\n").filter { $0.hasPrefix("v ") }
            .map { $0.split(separator: " ").compactMap { Double($0) } }
        // 38 samples within the border, 5 cm apart at 2 m, and 3 more as the camera slid; 28 rows: 2.05 m by 1.4 m.
        #expect((1_600...2_000).contains(rows.count))
        #expect(rows.allSatisfy { abs($0[2] - 2) < 1e-4 })
        let record = try #require(try run.objects().first)
        #expect(record.text("schema") == "isobath.cloud/1")
        #expect(record.integer("frames") == 4)
        #expect(record.integer("points") == rows.count)
        #expect(record.text("axes") == "world")
        let path = try output.object(in: "path.json").objects("frames")
        #expect(path.count == 4)
        // The second row of a pose in OpenGL's axes: y points up.
        let matrix = (path[3]["transform_matrix"] as? [Any] ?? []).map { row in
            (row as? [Any] ?? []).compactMap { ($0 as? NSNumber)?.doubleValue }
        }
        try #require(matrix.count == 4 && matrix.allSatisfy { $0.count == 4 })
        #expect(abs(matrix[0][3] - 0.15) < 1e-12)
        #expect(matrix[1][1] == -1)
    }

    /// The recording shows a single wall, so there is no floor.
    @Test(
        "Flags about the world of a recording are refused where they have no effect, or nothing shows what is up"
    )
    func world() throws {
        func run(_ more: [String]) throws -> Tool.Run {
            try output.run("cloud \(folder.path) --voxel 0.04 -o c.ply --json --force \(more)", status: nil)
        }
        let axes = try run(["--axes", "opencv"])
        #expect(axes.status == 64 && axes.messages.contains("--axes has no effect: a recording has the axes"))
        let level = try run(["--level"])
        #expect(level.status == 1 && level.messages.contains("the world cannot be turned upright"))
        let input = try run(["--poses", "-"])
        #expect(input.status == 64 && input.messages.contains("poses are not read from standard input"))
        let record = try #require(try run([]).objects().first)
        #expect(record.isNull("level") && record.object("poses").isNull("estimate"))
    }

    @Test("A recording becomes a mesh in each format that holds one, with normals if wanted")
    func mesh() throws {
        for format in ["ply", "obj", "glb", "usdz"] {
            let run = try output.run(
                "cloud \(folder.path) --voxel 0.04 --mesh --normals -o room.\(format) --json")
            let record = try #require(try run.objects().first)
            // A wall of 2.05 m by 1.4 m in squares of 4 cm, halved.
            #expect((3_000...4_000).contains(record.integer("triangles") ?? 0))
            #expect(record.number("meshError") == 0 && record.text("meshErrorUnit") == "m")
        }
        let header = String(decoding: try output.bytes(of: "room.ply").prefix(900), as: UTF8.self)
        #expect(header.contains("element face") && header.contains("property float nz"))
        #expect(header.contains("comment axes world"))
        let text = try output.text(of: "room.obj")
        // Normals face the camera, which looks along z.
        let normals = text.split(separator: "\n").filter { $0.hasPrefix("vn ") }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
        #expect(normals.count > 1_500 && normals.allSatisfy { $0 < -0.99 })
        let few = try output.run(
            "cloud \(folder.path) --voxel 0.04 --mesh --max-triangles 40 -o few.ply --json")
        #expect((2...40).contains(try few.objects().first?.integer("triangles") ?? 0), "\(few.messages)")
        try output.run(
            "cloud {portrait.heic} --mesh --voxel 0.1 -o b.ply", status: 64,
            says: "--voxel has no effect: a mesh joins neighbors")
    }

    @Test(
        "What does not go with a recording, or needs one, is said",
        arguments: [
            (["--voxel", "0.05", "--start", "100"], "no frame of the recording is within the given times"),
            (["--voxel", "0.05", "--far", "1"], "nothing is written"),
        ])
    func refusals(flags: [String], message: String) throws {
        try output.run("cloud \(folder.path) -o a.ply \(flags)", status: 1, says: message)
        #expect(output.contents.isEmpty)
        try output.run(
            "cloud {portrait.heic} --every 2 -o b.ply", status: 64,
            says: "--every has no effect: this is a photo")
    }

    @Test("A ROS bag without images is named as such")
    func bag() throws {
        let path = try output.write(
            Array("#ROSBAG V2.0\n".utf8) + [UInt8](repeating: 0, count: 64), to: "a.bag")
        try Tool.run("info \(path)", status: 1, says: "no depth and no pictures that can be read")
    }

    @Test("Files of a recording are never replaced, not even with --force", arguments: [[], ["--isolate"]])
    func inputs(flags: [String]) throws {
        let names = folder.contents
        let files = try names.map { try folder.bytes(of: $0) }
        let pattern = TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: pattern.file("link"), withDestinationPath: folder.path)
        for command in [
            ["extract", folder.path, "-o", folder.file("frame-%06d.depth.png")],
            ["extract", folder.path, "-o", pattern.file("link/frame-%06d.depth.png")],
            [
                "cloud", folder.path, "--voxel", "0.05", "--format", "ply", "-o",
                folder.file("camera-intrinsics.txt"),
            ],
            ["follow", folder.path, "--box", "0.2,0.2,0.5,0.5", "-o", folder.file("frame-000000.pose.txt")],
        ] {
            let run = try Tool.run(command + ["--force"] + flags)
            #expect(run.status != 0, "\(command): \(run.messages)")
            for (name, bytes) in zip(names, files) { #expect(try folder.bytes(of: name) == bytes, "\(name)") }
        }
    }

    @Test(
        "A folder with one movie of depth stands for that movie",
        .needsRecordings,
        arguments: ["azure-kinect", "record3d-mp4"])
    func movieFolder(name: String) throws {
        let run = try Tool.run("info \(SampleFolder.recordings.path(name)) --json")
        let record = try #require(try run.objects().first)
        #expect(record.text("schema") == "isobath.recording/1")
        #expect(record.object("depth").text("unit") == "m")
        try output.run("extract \(SampleFolder.recordings.path(name)) --end 0.1 -o f-%02d.png")
        #expect(output.contents.first?.hasPrefix("f-0") == true)
        try output.run(
            "cloud \(SampleFolder.recordings.path(name)) --voxel 0.02 --end 0.5 -o room.ply",
            says: "the recording has no poses; odometry followed")
    }

    @Test("A wall without texture and poses is refused, since its frames fit any motion")
    func unfollowable() throws {
        let frames = (0..<4).map { #"{"depth_file_path": "frame-00000\#($0).depth.png"}"# }
        for name in (0..<4).map({ "frame-00000\($0).pose.txt" }) + ["camera-intrinsics.txt"] {
            try folder.remove(name)
        }
        let head = #"{"fl_x": 40, "fl_y": 40, "cx": 20, "cy": 15, "w": 40, "h": 30, "frames": ["#
        try folder.write(Array((head + frames.joined(separator: ", ") + "]}").utf8), to: "transforms.json")
        let output = folder.file("cloud.ply")
        try Tool.run(
            "cloud \(folder.path) --voxel 0.05 -o \(output)", status: 1,
            says: "odometry could follow only 1 of 4 frames")
        #expect(!FileManager.default.fileExists(atPath: output))
        let convention = try Tool.run([
            "cloud", folder.path, "--voxel", "0.05", "--pose-convention", "camera-to-world-opencv", "-o",
            output,
        ])
        #expect(convention.status != 0)
        #expect(convention.messages.contains("--pose-convention has no effect"), "\(convention.messages)")
    }
}
