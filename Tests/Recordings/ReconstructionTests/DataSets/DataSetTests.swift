import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Foundation
import Reconstruction
import RecordingWriting
import Recordings
import Scenes
import TestFrames
import TestSupport
import Testing

@Suite("Data sets of recordings")
struct DataSetTests {
    private static let scene = RoomScene()

    /// The distance of a frame's samples from the walls of the room: the median, in meters. Depth, camera and pose are those
    /// that a reader finds in the data set.
    private static func misfit(_ frame: TestFrame) throws -> Double {
        let pose = try #require(frame.pose)
        let size = frame.depth.size
        let camera = try #require(frame.calibration).scaled(toWidth: size.width, height: size.height)
        var distances: [Double] = []
        for index in stride(from: 0, to: frame.depth.samples.count, by: 7) {
            let z = Double(frame.depth.samples[index])
            guard z > 0 else { continue }
            let x = (Double(index % size.width) - camera.principalPointX) / camera.focalLengthX
            let y = (Double(index / size.width) - camera.principalPointY) / camera.focalLengthY
            distances.append(RoomScene.distance(pose.world(SIMD3(x * z, y * z, z))))
        }
        return distances.sorted()[distances.count / 2]
    }

    @Test(
        "Read back, depth, cameras and poses fit the room, whatever the layout was",
        arguments: [DataSetForm.tum, .nerfstudio],
        [RecordingLayout.sevenScenes, .open3D, .polycam, .arkitScenes, .record3DFolder, .scanNet, .bop])
    func roundTrip(form: DataSetForm, layout: RecordingLayout) throws {
        let written = try WrittenSet(form, of: layout)
        #expect(written.set.frameCount == 6 && written.set.poseCount == 6 && written.set.pictureCount == 6)
        let recording = try Recording(contentsOf: written.path)
        #expect(recording.layout == (form == .tum ? .tum : .nerfstudio))
        #expect(recording.frames.count == 6 && recording.poseCount == 6 && recording.colorCount == 6)
        let decoder = RecordingReader(recording)
        var frame = TestFrame()
        for index in 0..<6 {
            try decoder.read(.measured, ofFrameAt: index, into: &frame)
            #expect(try Self.misfit(frame) < 0.001)
        }
    }

    @Test("The library's function writes the same files, and the folder may not hold the recording")
    func library() throws {
        let written = try WrittenSet(.nerfstudio, of: .polycam)
        let recording = try Recording(contentsOf: written.source.path)
        let path = written.folder.file("other")
        let set = try recording.writeDataSet(.nerfstudio, to: path)
        #expect(set.frameCount == 6 && set.pictureCount == 6 && set.poseCount == 6)
        #expect(set.pointCount == written.set.pointCount && set.damagedFrames.isEmpty)
        for name in ["transforms.json", "images/000003.jpg", "depths/000003.png"] {
            #expect(try written.folder.bytes(of: "other/" + name) == written.bytes(name))
        }
        #expect(throws: OutputError.self) { try recording.writeDataSet(.tum, to: path) }
        #expect(throws: OutputError.self) {
            try recording.writeDataSet(.tum, to: written.source.path, replacingExisting: true)
        }
        // The folder of the recording is one of a data set, too.
        #expect(throws: OutputError(path, .input)) {
            try Recording(contentsOf: path).writeDataSet(.tum, to: path, replacingExisting: true)
        }
        let few = try recording.writeDataSet(
            .tum, to: path, replacingExisting: true, from: 0.04, every: 2, maximumFrames: 2)
        #expect(few.frameCount == 2 && few.pointCount == nil)
        #expect(!FileManager.default.fileExists(atPath: path + "/transforms.json"))
        #expect(throws: FusionError.notPositive(name: "step", 0)) {
            try recording.writeDataSet(.tum, to: written.folder.file("none"), every: 0)
        }
        #expect(throws: FusionError.notPositive(name: "maximumFrames", -1)) {
            try recording.writeDataSet(.tum, to: written.folder.file("none"), maximumFrames: -1)
        }
    }

    /// The room's y axis points down and Polycam's world has y up, so that frames are turned by half a turn.
    @Test("Frames are upright, and pictures show what depth shows")
    func upright() throws {
        let written = try WrittenSet(.nerfstudio, of: .polycam)
        let picture = try RasterFile(written.path + "/images/000000.jpg")
        let view = Self.scene.view(Self.scene.pose(0))
        for (column, row) in [(20, 30), (80, 60), (140, 100)] {
            let color = view.colors[(119 - row) * 160 + 159 - column]
            let sample = picture.samples[(row * 160 + column) * 3]
            #expect(abs(sample * 255 - Double(color.red)) < 12 || abs(sample - Double(color.red)) < 12)
        }
    }

    @Test("Pictures are copied byte for byte, and steps of depth are exact")
    func exact() throws {
        let written = try WrittenSet(.tum)
        #expect(try written.names("rgb").first == "000000.png")
        #expect(try written.bytes("rgb/000003.png") == written.source.bytes(of: "frame-000003.color.png"))
        let stored = try RasterFile(written.source.file("frame-000003.depth.png")).samples
        #expect(try RasterFile(written.path + "/depth/000003.png").samples == stored.map { $0 * 5 })
        #expect(!written.set.diagnostics.contains { $0.message.contains("JPEG") })
    }

    @Test("Depth of another size is brought to that of TUM's pictures, and stays in other forms")
    func sizes() throws {
        func enlarge(_ folder: borrowing TemporaryFolder) throws {
            var large = RoomScene()
            (large.width, large.height, large.focalLength) = (320, 240, 280)
            for index in 0..<6 {
                try folder.write(
                    try large.colorPNG(large.view(large.pose(index)).colors),
                    to: "frame-00000\(index).color.png")
            }
        }
        let tum = try WrittenSet(.tum, changing: enlarge)
        let depth = try RasterFile(tum.path + "/depth/000000.png")
        let stored = try RasterFile(tum.source.file("frame-000000.depth.png"))
        #expect(depth.width == 320 && depth.height == 240)
        for (column, row) in [(0, 0), (101, 77), (319, 239)] {
            #expect(
                depth.samples[row * 320 + column] == stored.samples[row / 2 * 160 + column / 2] * 5)
        }
        #expect(tum.set.diagnostics.contains { $0.message.contains("160 × 120") })
        let other = try WrittenSet(.nerfstudio, changing: enlarge)
        #expect(try RasterFile(other.path + "/depths/000000.png").samples == stored.samples)
    }

    @Test("Depth without a picture has the size of the pictures in TUM's form, and one camera is for all")
    func missingPictures() throws {
        let written = try WrittenSet(.tum, of: .scannerApp) { folder in
            var large = RoomScene()
            (large.width, large.height, large.focalLength) = (320, 240, 280)
            for index in [0, 3] {
                try folder.write(
                    try large.colorPNG(large.view(large.pose(index)).colors), to: "frame_0000\(index).png")
            }
        }
        #expect(try RasterFile(written.path + "/depth/000001.png").width == 320)
        #expect(written.set.frameCount == 6 && written.set.pictureCount == 2)
        #expect(!written.set.diagnostics.contains { $0.message.contains("calibration.txt") })
        #expect(try written.lines("associated.txt").filter { !$0.isEmpty }.count == 2)
    }

    @Test("Frames without a pose stay in TUM's lists, and are skipped and counted elsewhere")
    func lost() throws {
        func lose(_ folder: borrowing TemporaryFolder) throws {
            try folder.write(text: "nan nan nan nan\n", to: "frame-000002.pose.txt")
        }
        let tum = try WrittenSet(.tum, changing: lose)
        #expect(try tum.lines("depth.txt").count == 7 && tum.lines("groundtruth.txt").count == 6)
        for form in [DataSetForm.nerfstudio, .colmap] {
            let other = try WrittenSet(form, changing: lose)
            #expect(other.set.frameCount == 5)
            #expect(
                try other.names("images")
                    == [0, 1, 3, 4, 5].map { "00000\($0).png" })
            #expect(other.set.diagnostics.contains { $0.message == "1 frame without a pose skipped" })
        }
    }

    @Test("Frames are chosen evenly, and by steps")
    func choice() throws {
        var options = DataSetOptions()
        options.maximumFrames = 3
        #expect(
            try WrittenSet(.tum, options).names("rgb") == ["000001.png", "000003.png", "000005.png"])
        options.maximumFrames = 9
        options.selection.step = 4
        #expect(try WrittenSet(.tum, options).names("rgb") == ["000000.png", "000004.png"])
    }

    @Test("Of each group of frames the sharpest is used")
    func sharpest() throws {
        // Only these frames have edges.
        func blur(_ folder: borrowing TemporaryFolder) throws {
            for index in [0, 1, 3, 5] {
                try folder.write(
                    try Self.scene.colorPNG([RGB<UInt8>](repeating: .black, count: 160 * 120)),
                    to: "frame-00000\(index).color.png")
            }
        }
        var options = DataSetOptions()
        (options.takesSharpest, options.maximumFrames) = (true, 2)
        #expect(
            try WrittenSet(.tum, options, changing: blur).names("rgb") == ["000002.png", "000004.png"])
        (options.maximumFrames, options.selection.step) = (nil, 3)
        #expect(
            try WrittenSet(.nerfstudio, options, changing: blur).names("images")
                == ["000002.png", "000004.png"])
    }

    @Test("Distances that 16 bits cannot hold are unknown, and counted")
    func range() throws {
        func move(_ folder: borrowing TemporaryFolder) throws {
            var codes = [UInt16](repeating: 13107, count: 160 * 120)
            (codes[0], codes[1], codes[2]) = (13108, 0, 60000)
            try folder.write(try Self.scene.png(.gray16(codes)), to: "frame-000001.depth.png")
        }
        let written = try WrittenSet(.tum, changing: move)
        let samples = try RasterFile(written.path + "/depth/000001.png").samples
        #expect(samples.prefix(4) == [0, 0, 0, 65535])
        let text = "2 distances are unknown in the data set, whose depth ends at 13.107 m"
        #expect(written.set.diagnostics.contains { $0.message == text })
    }

    @Test(
        "A frame that cannot be decoded is skipped, and reported by its number in the recording",
        arguments: DataSetForm.allCases)
    func damaged(form: DataSetForm) throws {
        var options = DataSetOptions()
        options.selection.step = 2
        let written = try WrittenSet(form, options) { folder in
            let bytes = try folder.bytes(of: "frame-000004.color.png")
            try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "frame-000004.color.png")
        }
        #expect(written.set.damagedFrames.map(\.index) == [4])
        #expect(written.set.frameCount == 2)
    }
}
