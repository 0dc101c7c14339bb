import Bytes
import DepthMaps
import DepthTypes
import Embedded
import Foundation
import Geometry
import RecordingWriting
import Scenes
import TestSupport
import Testing

@testable import Recordings

/// Layouts whose frames, depth and pictures have cameras of their own.
@Suite("Cameras of their own")
struct OwnCameraTests {
    private let folder = TemporaryFolder()

    @Test("Cameras that the app corrected are not mixed with others", arguments: [3, 2])
    func polycam(correctedCount: Int) throws {
        let path = try RecordingWriter().write(.polycam, into: folder)
        let names = try folder.contents(of: "keyframes/cameras")
            .sorted()
        for name in names.prefix(correctedCount) {
            let json = try JSONValue(
                parsing: folder.bytes(of: "keyframes/cameras/" + name), limits: DecodingLimits())
            guard case .object(var fields) = json else { continue }
            // The app moved the cameras by 30 cm.
            for index in fields.indices where fields[index].0 == "t_03" {
                fields[index].1 = .number((fields[index].1.double ?? 0) + 0.3)
            }
            try folder.write(
                text: JSONValue.object(fields).serialized, to: "keyframes/corrected_cameras/" + name)
        }
        let recording = try Recording(contentsOf: path)
        let shift = correctedCount == 3 ? 0.3 : 0
        for (index, frame) in recording.frames.enumerated() {
            guard shift == 0 || index < correctedCount else {
                #expect(frame.pose == nil && frame.depth != nil)
                continue
            }
            let x = try #require(frame.pose).position.x
            #expect(abs(x - RoomScene().pose(index).position.x - shift) < 1e-6)
        }
        let message = "\(6 - correctedCount) of 6 cameras are not corrected by the app"
        #expect(recording.diagnostics.count { $0.message.contains(message) } == 1)
        #expect(recording.diagnostics.count { $0.code == .lostTracking } == (shift > 0 ? 1 : 0))
    }

    @Test("Each frame of transforms.json has its own size, camera and lens")
    func frameSizes() throws {
        var frames: [String] = []
        for index in 0..<4 {
            var scene = RoomScene()
            if index % 2 == 1 { (scene.width, scene.height, scene.focalLength) = (80, 60, 70) }
            let pose = scene.pose(index)
            let view = scene.view(pose)
            try folder.write(
                try scene.depthPNG(view.meters, unitsPerMeter: 1000), to: "images/\(index)d.png")
            try folder.write(try scene.colorPNG(view.colors), to: "images/\(index).png")
            let rows = RoomScene.openGLRows(pose).map { row in
                "[" + row.map { "\($0)" }.joined(separator: ",") + "]"
            }
            frames.append(
                """
                {"file_path": "images/\(index).png", "depth_file_path": "images/\(index)d.png", "fl_x":
                \(scene.focalLength), "cx": \(scene.center.x + 0.5), "cy": \(scene.center.y + 0.5), "w":
                \(scene.width), "h": \(scene.height), "k1": \(index == 2 ? 0.5 : 0), "transform_matrix":
                [\(rows.joined(separator: ","))]}
                """)
        }
        try folder.write(
            text: "{\"frames\": [\(frames.joined(separator: ","))]}", to: "transforms.json")
        let recording = try Recording(contentsOf: folder.path)
        let sizes = recording.frames.map { recording.calibration(of: $0)?.width }
        #expect(sizes == [160, 80, 160, 80])
        for index in [0, 1, 3] {
            var export = CloudExport()
            export.axes = .opencv
            let points = try recording.scene(at: index).cloud(export).points().positions
            let pose = RoomScene().pose(index)
            let farthest = points.map { RoomScene.distance(pose.world(SIMD3<Double>($0))) }.max() ?? 1
            #expect(farthest < 0.002, "\(index): \(farthest)")
        }
        let lenses = recording.frames.map { recording.calibration(of: $0)?.lens?.numbers.first }
        #expect(lenses == [nil, nil, 0.5, nil])
    }

    /// Both cameras of 7-Scenes: 585 px for depth, and 525 px, 25 mm to the right, for pictures.
    @Test("Pictures of 7-Scenes have their own camera")
    func sevenScenes() throws {
        let size = PixelSize(width: 640, height: 480)
        var scene = RoomScene()
        (scene.width, scene.height) = (size.width, size.height)
        let pose = scene.pose(0)
        let offset = CameraPose(
            right: SIMD3(1, 0, 0), down: SIMD3(0, 1, 0), forward: SIMD3(0, 0, 1), position: SIMD3(0.025, 0, 0)
        )
        let picturing = pose.appending(offset)
        func hits(_ pose: CameraPose, _ focal: Double) -> [(distance: Double, surface: Int)] {
            (0..<640 * 480).map { index in
                let (x, y) = (Double(index % 640) - 320, Double(index / 640) - 240)
                return RoomScene.hit(
                    from: pose.position,
                    along: pose.right * (x / focal) + pose.down * (y / focal) + pose.forward)
            }
        }
        let depth = hits(pose, 585).map(\.distance)
        let truth = hits(picturing, 525)
        try folder.write(try scene.depthPNG(depth, unitsPerMeter: 1000), to: "frame-000000.depth.png")
        try folder.write(
            try scene.colorPNG(truth.map { RoomScene.colors[$0.surface] }), to: "frame-000000.color.png")
        let rows = RoomScene.rows(pose).flatMap(\.self).map { "\($0)" }.joined(separator: " ")
        try folder.write(text: rows, to: "frame-000000.pose.txt")
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.intrinsics?.fx == 525 && recording.depthSize == size)
        let position = try #require(recording.frames[0].pose).position - picturing.position
        #expect((position * position).sum() < 1e-18)
        let found = try recording.scene(at: 0).depth().meters
        let errors = zip(found, truth).filter { $0.0 > 0 }.map { abs(Double($0) - $1.distance) }.sorted()
        // The depth camera sees 574 × 431 pixels of the picture.
        #expect(errors.count > 235_000 && errors[errors.count * 9 / 10] < 0.01)
        var export = CloudExport()
        (export.axes, export.options.keepsEdges) = (.opencv, true)
        let cloud = try recording.scene(at: 0).cloud(export).points()
        #expect(cloud.positions.count == 640 * 480)
        #expect(
            cloud.positions.allSatisfy { RoomScene.distance(picturing.world(SIMD3<Double>($0))) < 0.002 })
        let colors = zip(cloud.positions, cloud.colors).filter { $0.1 != .unseen }
        let right = colors.count { point, color in
            let ray = picturing.world(SIMD3<Double>(point)) - picturing.position
            return RoomScene.colors[RoomScene.hit(from: picturing.position, along: ray).surface] == color
        }
        #expect(colors.count > 300_000 && Double(right) > 0.99 * Double(colors.count))
    }
}
