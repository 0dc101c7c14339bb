import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Effects
import Embedded
import Foundation
import Geometry
import MovieWriting
import Movies
import Pages
import PhotoEditing
import RecordingWriting
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

@Suite("Frames as scenes")
struct FrameSceneTests {
    private let folder = TemporaryFolder()
    private static let writer = RecordingWriter()

    /// TUM's lists name no camera, so that it is given.
    private func open(_ layout: RecordingLayout, _ folder: TemporaryFolder) throws -> Recording {
        var reading = ReadingOptions()
        if layout == .tum {
            let scene = Self.writer.scene
            reading.camera = .intrinsics(
                fx: scene.focalLength, fy: scene.focalLength, cx: scene.center.x, cy: scene.center.y)
        }
        return try Recording(contentsOf: Self.writer.write(layout, into: folder), reading: reading)
    }

    private func frame(_ index: Int, of recording: Recording) throws -> TestFrame {
        let source = RecordingReader(recording, isUpright: true)
        for _ in 0...index { _ = try source.advance() }
        var frame = TestFrame()
        try source.read(.everything, into: &frame)
        return frame
    }

    @Test("A scene has what its frame has", arguments: RecordingWriter.layouts)
    func planes(layout: RecordingLayout) throws {
        let recording = try open(layout, folder)
        #expect(recording.frameCount == Self.writer.count)
        for index in [3, 1] {
            let (scene, frame) = (try recording.scene(at: index), try frame(index, of: recording))
            let description = scene.description
            #expect(description.index == index && description.time == frame.time)
            #expect(description.pose == frame.pose && description.pose != nil)
            #expect(recording.times[index] == frame.time && recording.poses[index] == frame.pose)
            #expect(description.depth?.size == frame.depth.size && description.depth?.scale == frame.scale)
            let depth = try scene.depth()
            let isSameDepth = depth.meters == frame.depth.samples
            #expect(isSameDepth && depth.scale == frame.scale)
            let camera = try #require(frame.calibration)
            #expect(try scene.camera() == camera.scaled(toWidth: depth.width, height: depth.height))
            #expect(description.colorSize == (frame.color.isEmpty ? nil : frame.color.size))
            if !frame.color.isEmpty {
                let isSameColor = try scene.color().pixels == .uint8(frame.color.samples)
                #expect(isSameColor)
            }
            #expect(description.planes.contains(.confidence) == !frame.confidence.isEmpty)
            let codes = SamplePlane.Codes.uint8(frame.confidence.samples)
            #expect(try scene.confidence().map { $0.codes == codes } ?? frame.confidence.isEmpty)
            #expect(try scene.matte()?.coverage ?? [] == frame.matte.samples)
        }
    }

    /// Depth is a multiple of 1/5000 or 1/1000 m, or binary16, and a ray is up to 1.3 times as long as the depth.
    @Test("Points of a frame's cloud lie on the walls of the room", arguments: RecordingWriter.layouts)
    func cloud(layout: RecordingLayout) throws {
        let scene = try open(layout, folder).scene(at: 2)
        var export = CloudExport()
        export.axes = .opencv
        let cloud = try scene.cloud(export)
        let pose = try #require(scene.description.pose)
        let points = cloud.points()
        #expect(points.positions.count > 10_000)
        let worst = points.positions.map { RoomScene.distance(pose.world(SIMD3<Double>($0))) }.max()
        #expect(try #require(worst) < 0.002)
        #expect(points.colors.isEmpty == (scene.description.colorSize == nil))
        // Levels 0, 1 and 2 are 0, a half and 1.
        let levels = Set(points.confidences.map { ($0 * 1000).rounded() })
        #expect(levels.isSubset(of: [0, 500, 1000]))
        if layout == .strayScanner { #expect(levels.count == 3) }
    }

    @Test("Every still effect takes a frame")
    func effects() throws {
        let scene = try open(.open3D, folder).scene(at: 4)
        // So that circles of 160 pixels' width are wider than one.
        var lens = BlurOptions()
        lens.fNumber = 0.1
        let (blurred, original) = (try scene.blurred(lens), try scene.color())
        #expect(blurred.size == scene.description.colorSize)
        let isBlurred = blurred.color.pixels != original.pixels
        #expect(isBlurred)

        // The frame's matte covers the ball, so a pixel in its middle stays.
        let matte = try #require(try scene.matte())
        let composite = try scene.composited(over: .color(.white), refines: false)
        guard case .uint8(let pixels) = composite.color.pixels else { throw CocoaError(.featureUnsupported) }
        let ball = matte.coverage.indices.filter { matte.coverage[$0] == 255 }
        let inside = try #require(ball.dropFirst(ball.count / 2).first)
        #expect(abs(Int(pixels[inside].red) - 240) <= 1)
        #expect(pixels[0] == .white)

        let magenta = [RGB<UInt8>](repeating: RGB(red: 255, green: 0, blue: 255), count: 64)
        let layer = Picture(ColorImage(width: 8, height: 8, pixels: .uint8(magenta), colorProfile: []))
        let inserted = try scene.inserting(layer, at: 0.3, width: 0.2)
        let isInserted = inserted.color.pixels != original.pixels
        #expect(isInserted)

        var export = CloudExport()
        export.isMesh = true
        try scene.cloud(export).write(to: folder.file("frame.glb"))
        #expect(try folder.bytes(of: "frame.glb").starts(with: Array("glTF".utf8)))

        let page = try ScenePage(scene, title: "A frame", record: .object([]))
        #expect(String(decoding: page.bytes, as: UTF8.self).contains("A frame"))

        try scene.depth().write(to: folder.file("depth.exr"))
        let isSame =
            try DepthScene(contentsOf: folder.file("depth.exr")).depth().meters == scene.depth().meters
        #expect(isSame)
    }

    /// Depth becomes 255 steps of disparity, which JPEG changes by some near edges.
    @Test("A photo with the depth of a frame has its depth and its camera")
    func embedding() throws {
        let scene = try open(.open3D, folder).scene(at: 0)
        try scene.write(to: folder.file("frame.jpg"), as: .appleJPEG)
        let photo = try DepthScene(contentsOf: folder.file("frame.jpg"))
        let (found, wanted) = (try photo.disparity().reciprocalMeters, try scene.disparity().reciprocalMeters)
        let (low, high) = (try #require(wanted.min()), try #require(wanted.max()))
        let errors = zip(found, wanted).map { abs($0 - $1) }.sorted()
        #expect(errors[errors.count / 2] < (high - low) / 254)
        #expect(try #require(errors.last) < (high - low) / 25)
        #expect(try abs(photo.camera().focalLengthX - scene.camera().focalLengthX) < 0.01)
        #expect(try photo.matte() != nil)
    }

    @Test("Frames between two times come in order, and a scene that is kept stays as it was")
    func frames() throws {
        let recording = try open(.strayScanner, folder)
        let times = recording.frames(from: 0.04, to: 0.16).compactMap(\.description.time)
        #expect(times.map { ($0 * 100).rounded() } == [5, 10, 15])
        #expect(recording.frames().compactMap(\.description.index) == Array(0..<Self.writer.count))
        let kept = try recording.scene(at: 0)
        let (depth, expected) = (try kept.depth(), try frame(0, of: recording))
        for index in 1..<4 { _ = try recording.scene(at: index).depth() }
        #expect(depth.meters == expected.depth.samples)
        #expect(try kept.confidence()?.codes == .uint8(expected.confidence.samples))
    }

    @Test("The next frame is decoded into the memory of the last one")
    func memory() throws {
        var addresses: Set<Int> = []
        for frame in try open(.open3D, folder).frames() {
            let (depth, color) = (try frame.depth(), try frame.color())
            // SAFETY: the addresses are compared, and never read from.
            unsafe depth.meters.withUnsafeBufferPointer {
                _ = addresses.insert(Int(bitPattern: $0.baseAddress))
            }
            if case .uint8(let pixels) = color.pixels {
                unsafe pixels.withUnsafeBufferPointer {
                    _ = addresses.insert(Int(bitPattern: $0.baseAddress))
                }
            }
        }
        #expect(addresses.count == 2)
    }

    @Test("A damaged picture costs no depth, and a frame that is not there is an error")
    func damage() throws {
        let recording = try open(.sevenScenes, folder)
        try folder.write(text: "no picture", to: "frame-000002.color.png")
        let scene = try recording.scene(at: 2)
        #expect(throws: ContainerError.self) { try scene.color() }
        #expect(try scene.depth().meters.count == 160 * 120)
        #expect(throws: RecordingError.noFrame(6, count: 6)) { try recording.scene(at: 6) }
        #expect(throws: RecordingError.noFrame(-1, count: 6)) { try recording.scene(at: -1) }
    }

    @Test("Kinds that are not coverage make no matte, and no subject")
    func kinds() throws {
        let scene = try open(.open3D, folder).scene(at: 0)
        #expect(throws: SceneError.notCoverage(.depth)) { try scene.matte(.depth) }
        #expect(throws: SceneError.notCoverage(.depth)) { try scene.subject(.kinds([.depth])) }
        #expect(throws: SceneError.notCoverage(.original)) { try scene.subject(.kinds([.matte, .original])) }
    }

    /// The left eye is gray, and brighter in each frame; the right one is red.
    private func spatial(_ eyes: RecordedEyes?) throws -> DepthScene {
        var description = SceneDescription()
        description.colorSize = PixelSize(width: 2, height: 1)
        description.eyes = eyes
        let source = TestFrames(3, description: description) { index, frame in
            let gray = UInt8(10 * index)
            frame.color = FramePlane(
                width: 2, height: 1,
                samples: [RGB](repeating: RGB(red: gray, green: gray, blue: gray), count: 2))
            frame.right = FramePlane(
                width: 2, height: 1, samples: [RGB](repeating: RGB(red: 200, green: 0, blue: 0), count: 2))
        }
        return try source.scene(at: 2)
    }

    @Test("A frame of a spatial video has both eyes, if the movie has both")
    func eyes() throws {
        var eyes = RecordedEyes()
        eyes.areBothRead = true
        let both = try spatial(eyes)
        let (gray, red) = (RGB<UInt8>(red: 20, green: 20, blue: 20), RGB<UInt8>(red: 200, green: 0, blue: 0))
        #expect(try both.view(.left, frame: .upright).pixels == .uint8([gray, gray]))
        #expect(try both.view(.right, frame: .upright).pixels == .uint8([red, red]))
        #expect(try both.picture(ofBothEyes: .sideBySide).pixels == .uint8([gray, gray, red, red]))
    }

    @Test("An eye that is not read is missing", arguments: [false, true])
    func oneEye(firstIsRight: Bool) throws {
        var eyes = RecordedEyes()
        eyes.firstIsRight = firstIsRight
        let frame = try spatial(eyes)
        let gray = RGB<UInt8>(red: 20, green: 20, blue: 20)
        #expect(
            try frame.view(firstIsRight ? .right : .left, frame: .upright).pixels == .uint8([gray, gray]))
        #expect(throws: SceneError.self) { try frame.view(firstIsRight ? .left : .right, frame: .upright) }
        #expect(throws: SceneError.self) { try spatial(nil).view(.left, frame: .upright) }
    }

    @Test(
        "Frames of a movie are scenes, in any order",
        .needsFFmpeg)
    func movie() throws {
        func meters(_ index: Int) -> [Float] {
            (0..<64 * 48).map { $0 % 17 == 0 ? .nan : Float(($0 * 7 + index * 500) % 3000 + 400) / 1000 }
        }
        let frames = (0..<5).map { index in
            var frame = RenderedFrame()
            frame.depth = FramePlane(width: 64, height: 48, samples: meters(index))
            frame.time = Double(index) / 10
            return frame
        }
        let recording = try Recording(contentsOf: folder.writeMovie(frames, to: "depth.mkv"))
        #expect(recording.frameCount == 5)
        func check(_ scene: DepthScene, _ index: Int) throws {
            #expect(scene.description.index == index)
            #expect(abs((scene.description.time ?? -1) - Double(index) / 10) < 0.0011)
            let depth = try scene.depth()
            #expect(depth.scale == .absolute)
            // Integer millimeters, and the rounding of Float32.
            #expect(
                zip(depth.meters, meters(index)).allSatisfy { $0.isNaN ? $1.isNaN : abs($0 - $1) < 1e-6 })
        }
        for index in [3, 0, 0, 4, 1] { try check(recording.scene(at: index), index) }
        for (index, scene) in recording.frames().enumerated() { try check(scene, index) }
        #expect(recording.frames(from: 0.15, to: 0.31).compactMap(\.description.index) == [2, 3])
        #expect(throws: SceneError.self) { try recording.scene(at: 0).color() }
    }

    @Test(
        "A frame in Cinematic mode has the lens of its metadata",
        .needsMovies, .needsFFmpeg)
    func cinematic() throws {
        let movie = [UInt8](try Data(contentsOf: URL(filePath: SampleFolder.movies.path("dish.mov"))))
        let samples = (0..<30).map { LensTrack.sample(focus: 0.5, fNumber: Float(20 + $0) / 10) }
        let path = try folder.write(LensTrack.adding(samples, to: movie), to: "lens.mov")
        for index in [7, 2] {
            let scene = try Recording(contentsOf: path).scene(at: index)
            #expect(scene.description.simulatedAperture == Float(20 + index) / 10)
            #expect(scene.diagnostics.filter { $0.code == "cinematic-depth" }.count == 1)
            let lens = scene.record(path: "lens.mov")["recordedLens"]
            #expect(
                lens?["fNumber"]?.double == Double(20 + index) / 10 && lens?["focusDisparity"]?.double == 0.5)
        }
    }
}
