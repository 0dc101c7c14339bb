import Bytes
import Codecs
import DepthTypes
import Foundation
import Reconstruction
import RecordingWriting
import Recordings
import TestSupport
import Testing

/// What trainers and COLMAP's dense steps read of a data set.
@Suite("Data sets that train")
struct TrainingSetTests {
    private static let scene = RoomScene()

    @Test("Points of a model are where images show them, in both folders that programs read")
    func tracks() throws {
        let written = try WrittenSet(.colmap)
        var (pointFile, imageFile) = (try written.sparse("points3D"), try written.sparse("images"))
        let (points, images) = (pointFile.points(), imageFile.images())
        #expect(points.count > 5000)
        var observationCount = 0
        for point in points {
            let position = point[1...3].compactMap(Double.init)
            let track = point[8...].compactMap { Int($0) }
            #expect(Set(stride(from: 0, to: track.count, by: 2).map { track[$0] }).count == track.count / 2)
            for element in stride(from: 0, to: track.count, by: 2) {
                observationCount += 1
                let (image, index) = (track[element] - 1, track[element + 1])
                let seen = images[2 * image + 1][3 * index..<3 * index + 3].compactMap(Double.init)
                #expect(Int(seen[2]) == Int(point[0]))
                let rows = RoomScene.inverseRows(Self.scene.pose(image))
                let inCamera = rows.prefix(3).map { row in
                    zip(row, position).reduce(row[3]) { $0 + $1.0 * $1.1 }
                }
                let column = inCamera[0] / inCamera[2] * 140 + Self.scene.center.x + 0.5
                let row = inCamera[1] / inCamera[2] * 140 + Self.scene.center.y + 0.5
                #expect(abs(column - seen[0]) < 1e-3 && abs(row - seen[1]) < 1e-3)
            }
        }
        #expect(
            observationCount == images.enumerated().reduce(0) { $0 + ($1.0 % 2 == 1 ? $1.1.count / 3 : 0) })
        for name in ["cameras.bin", "images.bin", "points3D.bin"] {
            #expect(try written.bytes("sparse/0/" + name) == written.bytes("sparse/" + name))
        }
    }

    @Test(
        "Points that no second picture shows are not in the model, and counted; a single picture keeps its points"
    )
    func seenOnce() throws {
        var options = DataSetOptions()
        options.maximumFrames = 2
        let written = try WrittenSet(.colmap, options)
        #expect(written.set.diagnostics.contains { $0.message.contains("fewer than two pictures") })
        #expect(written.set.pointCount ?? 0 > 1000)
        options.maximumFrames = 1
        let single = try WrittenSet(.colmap, options)
        #expect(single.set.pointCount ?? 0 > 1000)
        #expect(!single.set.diagnostics.contains { $0.message.contains("fewer than two pictures") })
    }

    @Test("Normals of the walls are along the axes, toward the camera, one axis after another")
    func normals() throws {
        let written = try WrittenSet(.colmap)
        for index in [0, 3] {
            let bytes = try written.bytes("stereo/normal_maps/00000\(index).png.geometric.bin")
            let opening = Array("160&120&3&".utf8)
            #expect(bytes.prefix(opening.count) == opening[...])
            let values = stride(from: opening.count, to: bytes.count, by: 4).map { start in
                Float(
                    bitPattern: (0..<4).reduce(UInt32(0)) {
                        $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1))
                    })
            }
            let count = 160 * 120
            try #require(values.count == 3 * count)
            let pose = Self.scene.pose(index)
            let view = Self.scene.view(pose)
            var (near, known) = (0, 0)
            for sample in 0..<count {
                let normal = SIMD3(
                    Double(values[sample]), Double(values[count + sample]), Double(values[2 * count + sample])
                )
                guard normal != .zero else { continue }
                let x = (Double(sample % 160) - Self.scene.center.x) / 140
                let y = (Double(sample / 160) - Self.scene.center.y) / 140
                #expect(normal.x * x + normal.y * y + normal.z < 0)
                // The ball is not a plane.
                guard let wall = (0..<6).first(where: { RoomScene.colors[$0] == view.colors[sample] }) else {
                    continue
                }
                var outward = SIMD3<Double>.zero
                outward[wall / 2] = wall % 2 == 0 ? -1 : 1
                let inWorld = pose.right * normal.x + pose.down * normal.y + pose.forward * normal.z
                known += 1
                if (inWorld * outward).sum() < -0.996 { near += 1 }
            }
            // 5°, in depth of whole millimeters. Samples at corners see two walls.
            #expect(known > 15000 && Double(near) > 0.85 * Double(known), "\(near) of \(known)")
        }
    }

    @Test("Inverse depth has one scale for all pictures, and no holes")
    func inverseDepth() throws {
        let written = try WrittenSet(.colmap) { folder in
            var codes = [UInt16](repeating: 2000, count: 160 * 120)
            for row in 40..<60 { for column in 40..<60 { codes[row * 160 + column] = 0 } }
            try folder.write(try Self.scene.png(.gray16(codes)), to: "frame-000000.depth.png")
        }
        let object = try JSONSerialization.jsonObject(
            with: Data(try written.bytes("sparse/0/depth_params.json")))
        let parameters = try #require(object as? [String: [String: Double]])
        #expect(parameters.keys.sorted() == (0..<6).map { "00000\($0)" })
        #expect(parameters.values.allSatisfy { $0 == ["scale": 10, "offset": 0] })
        let samples = try RasterFile(written.path + "/inverse_depths/000000.png").samples
        // 0.5 1/m of 10, in 65,536 steps.
        #expect(samples.count == 160 * 120 && samples.allSatisfy { abs($0 - 3277) <= 1 })
        // It is no depth, so the set is no recording because of it.
        #expect(throws: ContainerError.self) { try Recording(contentsOf: written.path) }
    }

    @Test("Every eighth picture is for testing, and dense steps find all")
    func split() throws {
        let names = (0..<6).map { "00000\($0).png" }
        let model = try WrittenSet(.colmap)
        #expect(try model.lines("sparse/0/test.txt").filter { !$0.isEmpty } == [[names[0]]])
        #expect(try model.lines("sparse/0/train.txt").filter { !$0.isEmpty } == names[1...].map { [$0] })
        #expect(try model.lines("stereo/fusion.cfg").filter { !$0.isEmpty } == names.map { [$0] })
        let pairs = try model.lines("stereo/patch-match.cfg").filter { !$0.isEmpty }
        #expect(pairs == names.flatMap { [[$0], ["__auto__,", "20"]] })
        let json = try WrittenSet(.nerfstudio).json()
        #expect(json["train_filenames"] as? [String] == names[1...].map { "images/" + $0 })
        for name in ["val_filenames", "test_filenames"] {
            #expect(json[name] as? [String] == ["images/" + names[0]])
        }
    }

    @Test("Mattes become masks at the size of the pictures, which isobath reads again")
    func masks() throws {
        let written = try WrittenSet(.nerfstudio, of: .nerfstudio)
        let frames = try #require(try written.json()["frames"] as? [[String: Any]])
        for (index, frame) in frames.enumerated() {
            let path = try #require(frame["mask_path"] as? String)
            #expect(path == "masks/00000\(index).png.png")
            let mask = try RasterFile(written.path + "/" + path)
            let picture = try RasterFile(written.path + "/images/00000\(index).png")
            #expect(mask.width == picture.width && mask.height == picture.height)
            #expect(Set(mask.samples) == [0, 255])
        }
        #expect(try Recording(contentsOf: written.path).matteCount == 6)
        let model = try WrittenSet(.colmap, of: .nerfstudio)
        #expect(try model.names("masks") == (0..<6).map { "00000\($0).png.png" })
        #expect(
            try !FileManager.default.fileExists(atPath: WrittenSet(.tum, of: .nerfstudio).path + "/masks"))
    }
}
