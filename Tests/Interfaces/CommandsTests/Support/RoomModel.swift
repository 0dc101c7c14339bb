import Codecs
import DepthMaps
import DepthTypes
import Foundation
import RecordingWriting
import Scenes
import TestSupport
import Testing

/// A model of COLMAP, as the test writes it in both forms.
struct SparseModelText {
    var cameras: [(id: Int, width: Int, height: Int, parameters: [Double])] = []
    var images: [Image] = []
    var points: [(id: Int, position: SIMD3<Double>, track: [(image: Int, index: Int)])] = []
    /// The pose of the second sensor of a rig, and of the rig: in the unit of the model.
    var rig = SIMD3(0.25, -0.5, 1)
    var frame = SIMD3(2, 3.5, -0.125)

    struct Image {
        var id: Int
        /// w, x, y, z.
        var quaternion: [Double]
        var translation: SIMD3<Double>
        var camera: Int
        var name: String
        /// Positions, and the number of a point or -1.
        var observations: [(x: Double, y: Double, point: Int)]
    }

    /// The model with all lengths multiplied.
    func scaled(by factor: Double) -> SparseModelText {
        var model = self
        for index in images.indices { model.images[index].translation *= factor }
        for index in points.indices { model.points[index].position *= factor }
        (model.rig, model.frame) = (rig * factor, frame * factor)
        return model
    }

    private func joined(_ numbers: [Double]) -> String { numbers.map { "\($0)" }.joined(separator: " ") }
    private func joined(_ v: SIMD3<Double>) -> String { joined([v.x, v.y, v.z]) }

    /// The text files, by name.
    var texts: [String: [UInt8]] {
        let cameraLines = cameras.map {
            "\($0.id) PINHOLE \($0.width) \($0.height) \(joined($0.parameters))"
        }
        let imageLines = images.map { image in
            "\(image.id) \(joined(image.quaternion)) \(joined(image.translation)) \(image.camera) \(image.name)\n"
                + image.observations.map { "\($0.x) \($0.y) \($0.point)" }.joined(separator: " ")
        }
        let pointLines = points.map { point in
            "\(point.id) \(joined(point.position)) 10 20 30 0.5 "
                + point.track.map { "\($0.image) \($0.index)" }.joined(separator: " ")
        }
        let lines = [
            "cameras": cameraLines, "images": imageLines, "points3D": pointLines,
            "rigs": ["1 2 CAMERA 1 CAMERA 2 1 1.0 0.0 0.0 0.0 \(joined(rig))"],
            "frames": ["1 1 1.0 0.0 0.0 0.0 \(joined(frame)) 1 CAMERA 1 1"],
        ]
        return Dictionary(
            uniqueKeysWithValues: lines.map {
                ("\($0).txt", Array("# A comment\n\($1.joined(separator: "\n"))\n".utf8))
            })
    }

    /// The binary files, by name.
    var binaries: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        func put(_ name: String, _ fill: (inout LittleEndian) -> Void) {
            var bytes = LittleEndian()
            fill(&bytes)
            files["\(name).bin"] = bytes.bytes
        }
        put("cameras") { out in
            out.put(UInt64(cameras.count))
            for camera in cameras {
                out.put(UInt32(camera.id), UInt32(1))
                out.put(UInt64(camera.width), UInt64(camera.height))
                out.put(camera.parameters)
            }
        }
        put("images") { out in
            out.put(UInt64(images.count))
            for image in images {
                out.put(UInt32(image.id))
                out.put(image.quaternion)
                out.put(image.translation)
                out.put(UInt32(image.camera))
                out.bytes += Array(image.name.utf8) + [0]
                out.put(UInt64(image.observations.count))
                for seen in image.observations {
                    out.put([seen.x, seen.y])
                    out.put(UInt64(bitPattern: Int64(seen.point)))
                }
            }
        }
        put("points3D") { out in
            out.put(UInt64(points.count))
            for point in points {
                out.put(UInt64(point.id))
                out.put(point.position)
                out.bytes += [10, 20, 30]
                out.put([0.5])
                out.put(UInt64(point.track.count))
                for seen in point.track { out.put(UInt32(seen.image), UInt32(seen.index)) }
            }
        }
        put("rigs") { out in
            out.put(UInt64(1))
            out.put(UInt32(1), 2, 0, 1, 0, 2)
            out.bytes.append(1)
            out.put([1, 0, 0, 0])
            out.put(rig)
        }
        put("frames") { out in
            out.put(UInt64(1))
            out.put(UInt32(1), 1)
            out.put([1, 0, 0, 0])
            out.put(frame)
            out.put(UInt32(1), 0, 1)
            out.put(UInt64(1))
        }
        return files
    }

    /// Numbers, least significant byte first.
    private struct LittleEndian {
        var bytes: [UInt8] = []

        mutating func put<Number: FixedWidthInteger>(_ numbers: Number...) {
            for number in numbers {
                for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
                    bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
                }
            }
        }

        mutating func put(_ numbers: [Double]) { for number in numbers { put(number.bitPattern) } }
        mutating func put(_ v: SIMD3<Double>) { put([v.x, v.y, v.z]) }
    }
}

/// Photos of the room, and a model of it in a unit of 1/0.137 m.
struct RoomModel {
    static let scene = RoomScene()
    /// Units in a meter.
    static let unitsPerMeter = 0.137
    let model: SparseModelText

    /// The model of these images: points on the walls with noise of 0.5 %, of which 5 % are elsewhere.
    init(_ names: [String]) {
        var random = SplitMix(seed: 66)
        func uniform(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        let scene = Self.scene
        var model = SparseModelText()
        model.cameras = [
            (
                1, scene.width, scene.height,
                [scene.focalLength, scene.focalLength, scene.center.x + 0.5, scene.center.y + 0.5]
            )
        ]
        for (index, name) in names.enumerated() {
            let pose = scene.pose(index)
            let rows = RoomScene.inverseRows(pose)
            let q = RoomScene.quaternion(rows.map { Array($0.prefix(3)) })
            var image = SparseModelText.Image(
                id: index + 1, quaternion: [q[3], q[0], q[1], q[2]],
                translation: SIMD3(rows[0][3], rows[1][3], rows[2][3]) * Self.unitsPerMeter, camera: 1,
                name: name, observations: [(3.5, 4.5, -1)])
            // A photo has three times as many points as the one before the last, so that a mean would be its.
            for _ in 0..<(index == 1 ? 300 : 100) {
                let (x, y) = (uniform(1...158), uniform(1...118))
                let ray =
                    pose.right * ((x - 0.5 - scene.center.x) / scene.focalLength)
                    + pose.down * ((y - 0.5 - scene.center.y) / scene.focalLength) + pose.forward
                var distance = RoomScene.hit(from: pose.position, along: ray).distance
                distance *= uniform(0...1) < 0.05 ? uniform(0.2...4) : uniform(0.995...1.005)
                let id = model.points.count + 1
                model.points.append(
                    (
                        id, (pose.position + ray * distance) * Self.unitsPerMeter,
                        [(index + 1, image.observations.count)]
                    ))
                image.observations.append((x, y, id))
            }
            model.images.append(image)
        }
        self.model = model
    }

    /// Writes a photo of the room with depth in meters, from the pose of an image. `orientation` is that of the stored pixels, which COLMAP
    /// sees.
    static func writePhoto(
        _ index: Int, to name: String, orientation: Orientation = .up, factor: Double = 1,
        in folder: borrowing TemporaryFolder
    ) throws {
        let view = scene.view(scene.pose(index))
        let image = ColorImage(
            width: scene.width, height: scene.height, pixels: .uint8(view.colors), colorProfile: [])
        let picture = try Picture(image).encoded(as: .jpeg, quality: 90)
        let exif: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM\0*".utf8)
            + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0, 0, 0, 0, 0]
        try folder.write(picture[..<2] + exif + picture[2...], to: "picture.jpg")
        // Depth is given upright.
        var upright = scene
        (upright.width, upright.height) = orientation.size(width: scene.width, height: scene.height)
        var meters = [Double](repeating: 0, count: view.meters.count)
        for row in 0..<scene.height {
            for column in 0..<scene.width {
                let place = orientation.point(
                    Double(column) + 0.5, Double(row) + 0.5, width: Double(scene.width),
                    height: Double(scene.height))
                meters[Int(place.y) * upright.width + Int(place.x)] =
                    view.meters[row * scene.width + column] * factor
            }
        }
        try folder.write(upright.depthPNG(meters, unitsPerMeter: 4000), to: "depth.png")
        try folder.run("embed picture.jpg --depth depth.png --scale 4000 -o \(name) --quiet")
        for name in ["picture.jpg", "depth.png"] {
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
    }
}
