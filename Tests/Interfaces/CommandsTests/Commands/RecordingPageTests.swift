import Foundation
import TestSupport
import Testing

@Suite("isobath view of a recording")
struct RecordingPageTests {
    private let folder = TemporaryFolder()
    private let recording = TemporaryFolder()

    private func page(
        of recording: String, _ flags: [String] = []
    ) throws -> (page: WrittenPage, run: Tool.Run) {
        let run = try folder.run("view \(recording) -o page.html --json --force \(flags)")
        return (try WrittenPage("page.html", in: folder), run)
    }

    @Test("A folder that holds one recording stands for it, and is an album with -o DIR/")
    func inFolder() throws {
        let outer = TemporaryFolder()
        try RecordingTests.write(recording)
        for name in recording.contents {
            try outer.write(try recording.bytes(of: name), to: "room/\(name)")
        }
        #expect(try page(of: outer.path).page.scene.objects("frames").count == 4)
        try folder.run("view \(outer.path) -o album/")
        #expect(folder.contents.contains("album"))
    }

    @Test(
        "Frames have the depth and the poses of the recording, and the cloud is where the wall is",
        arguments: [[], ["--isolate"]])
    func wall(flags: [String]) throws {
        try RecordingTests.write(recording)
        let (page, run) = try page(of: recording.path, flags)
        let (text, scene) = (page.text, page.scene)
        let record = try #require(try run.objects().first)
        #expect(record.integer("frames") == 4 && (record.integer("points") ?? 0) > 100)
        #expect(record.integer("bytes") == text.utf8.count)
        let frames = scene.objects("frames")
        #expect(frames.count == 4 && scene.integer("total") == 4)
        #expect(
            scene.object("depth").text("unit") == "m" && scene.object("depth").text("quantity") == "depth")
        // 40 pixels of focal length in 40 × 30 samples, and the center between the middle samples.
        let camera = ["scaleX", "scaleY", "centerX", "centerY"].map { scene.object("camera").number($0) ?? 0 }
        #expect(agree(camera, [1, 4.0 / 3, 0.5, 0.5], within: 1e-6))
        for (index, frame) in frames.enumerated() {
            // A wall at 2 m, in integer millimeters.
            let depth = frame.object("depth")
            #expect(depth.number("minimum") == 2 && abs((depth.number("step") ?? 0) - 0.001) < 1e-9)
            #expect(depth.integer("width") == 40 && depth.integer("height") == 30)
            // The camera goes 5 cm to the right from frame to frame; it looks along z, y is down.
            let pose = frame.numbers("pose")
            #expect(agree(pose, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0.05 * Double(index), 0, 0], within: 1e-6))
            #expect(try page.raster("depth-\(index)", in: folder).samples.allSatisfy { $0 == 0 })
        }
        #expect(agree(scene.numbers("path"), (0..<4).flatMap { [0.05 * Double($0), 0, 0] }, within: 1e-6))
        // Points are rows of x, y, z over the extent, and triangles are rows of the indices of points.
        let cloud = scene.object("cloud")
        func rows(_ name: String) throws -> [[Int]] {
            let samples = try page.raster("cloud-\(name)", in: folder).samples.map { Int($0) }
            return stride(from: 0, to: samples.count, by: 3).map { Array(samples[$0..<$0 + 3]) }
        }
        let (low, extent) = (cloud.numbers("low"), cloud.numbers("extent"))
        let points = try rows("positions").map { codes in
            (0..<3).map { low[$0] + extent[$0] * Double(codes[$0]) / 65535 }
        }
        #expect(points.count == cloud.integer("count") && record.integer("points") == points.count)
        #expect(points.allSatisfy { abs($0[2] - 2) < 0.005 })
        #expect(try rows("colors").count == points.count)
        // Triangles are counter-clockwise seen from the camera, and cover most of the wall: samples are 5 cm apart, voxels 2 cm.
        let triangles = try rows("triangles")
        #expect(record.integer("triangles") == triangles.count)
        let areas = triangles.map { corners in
            let (a, b, c) = (points[corners[0]], points[corners[1]], points[corners[2]])
            return ((b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])) / 2
        }
        #expect(areas.allSatisfy { $0 >= 0 })
        let sides = (0..<2).map { axis in
            (points.map { $0[axis] }.max() ?? 0) - (points.map { $0[axis] }.min() ?? 0)
        }
        let covered = areas.reduce(0, +) / sides[0] / sides[1]
        #expect(covered > 0.5 && covered <= 1.001, "\(covered)")
        #expect(!text.contains("http://") && text.contains("default-src 'none'"))
    }

    @Test("Where samples are too sparse for a surface, there are only points")
    func sparse() throws {
        try RecordingTests.write(recording)
        // Every fifth sample of every fifth row, at 2 m: 6 cm apart.
        let codes = (0..<160 * 120).map { $0 % 5 == 0 && $0 / 160 % 5 == 0 ? 2000 : 0 }
        let file = try folder.write(pgm(codes, width: 160), to: "map.pgm")
        let flags = ["--scale", "1000", "--values", "millimeters"]
        try folder.run("extract \(file) -o map.png \(flags)")
        for index in 0..<4 {
            try recording.write(try folder.bytes(of: "map.png"), to: "frame-00000\(index).depth.png")
        }
        try recording.write(text: "160 0 79.5\n0 160 59.5\n0 0 1\n", to: "camera-intrinsics.txt")
        let (page, run) = try page(of: recording.path)
        let record = try #require(try run.objects().first)
        #expect((record.integer("points") ?? 0) > 1000 && record.integer("triangles") == 0)
        #expect(page.scene.object("cloud").numbers("triangles").isEmpty)
        #expect(page.block("cloud-triangles") == nil)
    }

    @Test("A recording whose files are missing is named as such", arguments: [[], ["--isolate"]])
    func withoutFrames(flags: [String]) throws {
        try recording.folder("depth")
        try recording.write(text: "1.0 depth/1.png\n", to: "depth.txt")
        try folder.run(
            "view \(recording.path) -o page.html \(flags)", status: 1,
            says: "1 of 1 listed frames has no file", "no frame of the recording has a picture or depth")
        #expect(folder.contents == [])
    }

    @Test("Frames that cannot be read are counted, and left out", arguments: [[], ["--isolate"]])
    func damaged(flags: [String]) throws {
        try RecordingTests.write(recording)
        for index in [0, 2] {
            try recording.write(text: "no picture", to: "frame-00000\(index).depth.png")
        }
        let run = try folder.run("view \(recording.path) -o page.html --json \(flags)", status: 1)
        for message in ["frame 0: ", "frame 2: ", "2 damaged (frames 0, 2)"] {
            #expect(run.messages.contains(message), "\(run.messages)")
        }
        let record = try #require(try run.objects().first)
        #expect(record.integer("frames") == 2 && record["damagedFrames"] as? [Int] == [0, 2])
        let page = try WrittenPage("page.html", in: folder)
        #expect(page.scene.objects("frames").map { $0.integer("index") } == [1, 3])
        #expect(page.block("depth-0") != nil && page.block("depth-1") != nil)
    }

    @Test(
        "A movie whose frames change their size has a page of all that can be read",
        .needsCases)
    func changedSize() throws {
        let movie = SampleFolder.cases.path("s05-movie-frame-size/size.mkv")
        let run = try Tool.run(["view", movie, "--scale", "1000", "-o", folder.file("page.html"), "--json"])
        let record = try #require(try run.objects().first)
        // Three frames of each size.
        let damaged = record["damagedFrames"] as? [Int] ?? []
        let frames = try #require(record.integer("frames"))
        #expect(frames >= 3 && frames + damaged.count == 6, "\(run.messages)")
        #expect(run.status == (damaged.isEmpty ? 0 : 1), "\(run.messages)")
        #expect(run.messages.contains("the page has no cloud: "))
    }

    @Test(
        "Frames are upright, like their cameras", .needsCases,
        arguments: [[], ["--isolate"]])
    func upright(flags: [String]) throws {
        let path = SampleFolder.cases.path("s02-view-sideways/port+")
        let page = try page(of: path, flags).page
        // The sensor is wider than high; the phone was held upright. Blue is at the top left.
        #expect(page.text.contains("width=\"480\" height=\"640\""))
        let picture = try page.photo(in: folder)
        #expect(picture.width == 480 && picture.height == 640)
        let corner = picture.pixel(10, 10)
        #expect(corner[2] > corner[0] + 50 && corner[2] > corner[1] + 50, "\(corner)")
        for frame in page.scene.objects("frames") {
            let depth = frame.object("depth")
            #expect((depth.integer("height") ?? 0) > (depth.integer("width") ?? 0))
            let pose = frame.numbers("pose")
            // Down in the picture is down in the world, whose y points up.
            #expect(pose.count == 12 && pose[4] < -0.7, "\(pose)")
        }
        let camera = page.scene.object("camera")
        #expect((camera.number("scaleX") ?? 0) > (camera.number("scaleY") ?? 0))
    }

    @Test("A page has so many frames as are wanted, the first and the last among them")
    func fewer() throws {
        try RecordingTests.write(recording)
        let (page, run) = try page(of: recording.path, ["--frames", "2"])
        #expect(page.scene.objects("frames").map { $0.integer("index") } == [0, 3])
        #expect(run.messages.contains("the page shows 2 of 4 frames, spread evenly"))
        try folder.run("view \(recording.path) -o a.html --frames 0", status: 64)
    }

    @Test("A recording without poses has a page without a cloud, which says why")
    func withoutPoses() throws {
        try RecordingTests.write(recording)
        for index in 0..<4 {
            try recording.remove("frame-00000\(index).pose.txt")
        }
        try folder.run(
            "view \(recording.file("frame-%06d.depth.png")) -o page.html", says: "the page has no cloud: ")
    }

    @Test("Real recordings have pages of a few megabytes", .needsRecordings)
    func real() throws {
        for name in ["3dscannerapp/chair_scan", "7scenes/data"] {
            let page = try page(of: SampleFolder.recordings.path(name)).page
            #expect(page.text.utf8.count < 6_000_000 && !page.scene.isNull("cloud"), "\(name)")
            #expect(page.scene.objects("frames").contains { !$0.isNull("depth") })
        }
    }
}
