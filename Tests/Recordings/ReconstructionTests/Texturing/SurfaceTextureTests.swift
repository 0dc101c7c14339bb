import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Foundation
import Geometry
import RecordingWriting
import Recordings
import Scenes
import TestSupport
import Testing

@testable import Reconstruction

@Suite("Textures of fused surfaces")
struct SurfaceTextureTests {
    private let folder = TemporaryFolder()

    /// The room with a pattern on its walls that voxels of 5 cm cannot show: waves of 12 cm along each axis of the world.
    private struct PatternedRoom {
        /// How much brighter each frame is than the pattern.
        var exposures: [Double]
        private static let (depth, picture) = (scene(160, 120, 140), scene(640, 480, 560))

        private static func scene(_ width: Int, _ height: Int, _ focalLength: Double) -> RoomScene {
            var scene = RoomScene()
            (scene.width, scene.height, scene.focalLength) = (width, height, focalLength)
            return scene
        }

        /// Linear light of a point of the world, 0…1.
        static func light(_ point: SIMD3<Double>) -> Double {
            let wave =
                sin(2 * .pi * point.x / 0.12) + sin(2 * .pi * point.y / 0.12) + sin(2 * .pi * point.z / 0.12)
            return 0.35 + 0.08 * wave
        }

        /// sRGB's transfer function, IEC 61966-2-1.
        static func code(_ light: Double) -> Double {
            255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
        }

        func write(into folder: TemporaryFolder) throws {
            try folder.folder("images")
            try folder.folder("depths")
            var frames: [String] = []
            for (index, exposure) in exposures.enumerated() {
                let pose = Self.depth.pose(index)
                let name = "\(index).png"
                try folder.write(
                    try Self.depth.depthPNG(Self.depth.view(pose).meters, unitsPerMeter: 1000),
                    to: "depths/\(name)")
                try folder.write(try picture(pose, exposure), to: "images/\(name)")
                frames.append(
                    #"{"file_path": "images/\#(name)", "depth_file_path": "depths/\#(name)", "transform_matrix": \#(RoomScene.openGLRows(pose))}"#
                )
            }
            let (scene, center) = (Self.picture, Self.picture.center + 0.5)
            // The depth camera's center, scaled, is the picture camera's.
            try folder.write(
                text: """
                    {"fl_x": \(scene.focalLength), "fl_y": \(scene.focalLength), "cx": \(center.x), "cy": \(center.y), \
                    "w": \(scene.width), "h": \(scene.height), "frames": [\(frames.joined(separator: ", "))]}
                    """, to: "transforms.json")
        }

        private func picture(_ pose: CameraPose, _ exposure: Double) throws -> [UInt8] {
            let scene = Self.picture
            var pixels: [RGB<UInt8>] = []
            for row in 0..<scene.height {
                for column in 0..<scene.width {
                    let x = (Double(column) - scene.center.x) / scene.focalLength
                    let y = (Double(row) - scene.center.y) / scene.focalLength
                    let ray = pose.right * x + pose.down * y + pose.forward
                    let point = pose.position + ray * RoomScene.hit(from: pose.position, along: ray).distance
                    let code = UInt8(Self.code(Self.light(point) * exposure).rounded())
                    pixels.append(RGB(red: code, green: code, blue: code))
                }
            }
            return try scene.colorPNG(pixels)
        }
    }

    /// The errors of colors at the centers of triangles, in codes, sorted: of the texture, and of the colors of vertices.
    private func errors(_ exposures: [Double]) throws -> (texture: [Double], vertices: [Double]) {
        try PatternedRoom(exposures: exposures).write(into: folder)
        let recording = try Recording(contentsOf: folder.path)
        let fused = try FusedRecording(recording, FusionOptions(voxelSize: 0.05))
        let mesh = try fused.cloud.mesh(maximumError: nil, maximumTriangles: nil)
        let textured = try mesh.textured(by: recording, FrameSelection()).mesh
        try folder.write(textured.texture, to: "texture.jpg")
        let sheet = try DepthScene(contentsOf: folder.file("texture.jpg")).color()
        let pixels = FramePlane<RGB<UInt8>>(sheet)
        func mean(_ triangle: Triangle, _ value: (Int) -> SIMD3<Double>) -> SIMD3<Double> {
            (value(Int(triangle.first)) + value(Int(triangle.second)) + value(Int(triangle.third))) / 3
        }
        func errors(_ mesh: TriangleMesh, _ color: (Triangle) -> Double) -> [Double] {
            mesh.triangles.compactMap { triangle in
                let point = mean(triangle) { SIMD3<Double>(mesh.vertices.positions[$0]) }
                // Corners of the room are rounded.
                guard RoomScene.distance(point) < 0.004 else { return nil }
                return abs(color(triangle) - PatternedRoom.code(PatternedRoom.light(point)))
            }.sorted()
        }
        let size = SIMD3(Double(pixels.width), Double(pixels.height), 0)
        let ofTexture = errors(textured.mesh) { triangle in
            let texel = mean(triangle) {
                let place = textured.mesh.vertices.textureCoordinates[$0]
                return SIMD3(Double(place.x), Double(place.y), 0)
            }
            let position = texel * size
            return Double(pixels.samples[Int(position.y) * pixels.width + Int(position.x)].green)
        }
        let ofVertices = errors(mesh.mesh) { triangle in
            mean(triangle) { SIMD3(repeating: Double(mesh.mesh.vertices.colors[$0].green)) }.x
        }
        #expect(ofTexture.count > 1000 && ofVertices.count == ofTexture.count)
        return (ofTexture, ofVertices)
    }

    /// The pattern has an amplitude of about 30 codes.
    @Test("A texture shows a pattern that voxels are too coarse for")
    func pattern() throws {
        let (texture, vertices) = try errors([1, 1, 1, 1, 1, 1])
        #expect(texture[texture.count / 2] < 3)
        #expect(texture[texture.count * 9 / 10] < 10)
        #expect(vertices[vertices.count / 2] > 10)
    }

    /// Frames differ by up to 60 %, which is 40 codes; the mean of all is that of the pattern.
    @Test("Pictures of different exposure are made equally bright")
    func exposure() throws {
        let (texture, _) = try errors([0.8, 1.25, 0.9, 1.1, 0.85, 1.1])
        #expect(texture[texture.count / 2] < 9)
    }

    @Test("Charts lie beside each other in a texture, with texels that become larger where it is full")
    func layout() throws {
        var random = SystemRandomNumberGenerator()
        let sizes = (0..<300).map { _ in
            SIMD2(Float.random(in: 0.01...1, using: &random), Float.random(in: 0.01...0.5, using: &random))
        }
        for longest in [4096, 256] {
            let layout = try #require(TextureLayout(sizes, texelSize: 0.004, longestSide: longest))
            #expect(layout.width <= longest && layout.height <= longest)
            #expect((layout.texelSize == 0.004) == (longest == 4096))
            var isUsed = [Bool](repeating: false, count: layout.width * layout.height)
            var overlaps = 0
            for (index, corner) in layout.corners.enumerated() {
                let size = layout.sizes[index]
                #expect(Float(size.x - 2 * TextureLayout.margin) * layout.texelSize >= sizes[index].x)
                for row in corner.y..<corner.y + size.y {
                    for column in corner.x..<corner.x + size.x {
                        if isUsed[row * layout.width + column] { overlaps += 1 }
                        isUsed[row * layout.width + column] = true
                    }
                }
            }
            #expect(overlaps == 0)
        }
        #expect(TextureLayout(sizes, texelSize: 0.004, longestSide: 64) == nil)
    }

    /// A ball, open at its poles, cannot be laid flat as one.
    @Test("Each triangle of a ball is in one chart, which does not fold")
    func charts() {
        var vertices = PointCloud()
        var triangles: [Triangle] = []
        let (rings, sides) = (40, 80)
        for ring in 0...rings {
            let polar = 0.1 + 0.94 * Float.pi * Float(ring) / Float(rings)
            for side in 0..<sides {
                let around = 2 * Float.pi * Float(side) / Float(sides)
                vertices.positions.append(
                    SIMD3(sin(polar) * cos(around), cos(polar), sin(polar) * sin(around)))
            }
        }
        for ring in 0..<rings {
            for side in 0..<sides {
                let next = (side + 1) % sides
                let corners = [(ring, side), (ring, next), (ring + 1, side), (ring + 1, next)].map {
                    UInt32($0.0 * sides + $0.1)
                }
                triangles.append(Triangle(corners[0], corners[1], corners[2]))
                triangles.append(Triangle(corners[1], corners[3], corners[2]))
            }
        }
        let mesh = TriangleMesh(vertices: vertices, triangles: triangles)
        let charts = SurfaceCharts(mesh, voxelSize: 0.05).charts
        let found = charts.flatMap(\.triangles)
        #expect(found.count == triangles.count && Set(found).count == found.count)
        #expect((4...40).contains(charts.count))
        for chart in charts {
            let areas = chart.triangles.map { index -> Float in
                let triangle = triangles[Int(index)]
                let corners = [triangle.first, triangle.second, triangle.third].map {
                    chart.flat(vertices.positions[Int($0)])
                }
                let (a, b) = (corners[1] - corners[0], corners[2] - corners[0])
                return a.x * b.y - a.y * b.x
            }
            #expect(areas.allSatisfy { $0 > 0 } || areas.allSatisfy { $0 < 0 })
        }
    }
}
