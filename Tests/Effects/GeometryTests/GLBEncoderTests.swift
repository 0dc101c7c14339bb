import DepthMaps
import DepthTypes
import Foundation
import Geometry
import TestSupport
import Testing

@Suite("GLB")
struct GLBEncoderTests {
    /// The chunks of a file, read by the rules of glTF 2.0 §4.4.
    private struct Chunks {
        let json: [String: Any]
        let binary: [UInt8]

        init(_ bytes: [UInt8]) throws {
            try #require(bytes.text(at: 0, 4) == "glTF")
            #expect(bytes.littleEndian(at: 4) == 2)
            #expect(bytes.littleEndian(at: 8) == bytes.count)
            let length = bytes.littleEndian(at: 12)
            try #require(length % 4 == 0 && bytes.text(at: 16, 4) == "JSON")
            let text = Data(bytes[20..<20 + length])
            json = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
            guard bytes.count > 20 + length else {
                binary = []
                return
            }
            let size = bytes.littleEndian(at: 20 + length)
            try #require(size % 4 == 0 && bytes.text(at: 24 + length, 4) == "BIN")
            try #require(bytes.count == 28 + length + size)
            binary = Array(bytes[(28 + length)...])
            #expect(json.objects("buffers").first?.integer("byteLength") == size)
        }

        var primitive: [String: Any] { json.objects("meshes").first?.objects("primitives").first ?? [:] }

        func accessor(_ name: String) throws -> [String: Any] {
            let index = try #require(primitive.object("attributes").integer(name))
            return json.objects("accessors")[index]
        }
    }

    @Test("A GLB of points has exact bounds, linear colors and aligned data")
    func points() throws {
        let chunks = try Chunks(twoPoints.bytes(GLBEncoder(twoPoints.header)))
        #expect(chunks.primitive.integer("mode") == 0)
        let position = try chunks.accessor("POSITION")
        #expect(position.numbers("min") == [0, -2, 0.5])
        #expect(position.numbers("max") == [1, 0.25, 3])
        #expect(position.integer("count") == 2)
        let view = chunks.json.objects("bufferViews")[0]
        #expect(view.integer("byteStride") == 36)
        #expect(view.integer("byteLength") == 72)
        #expect(try chunks.accessor("NORMAL").integer("byteOffset") == 12)
        let color = try chunks.accessor("COLOR_0")
        #expect(color.integer("byteOffset") == 24)
        #expect(color.integer("componentType") == 5126)
        #expect(color.text("type") == "VEC3")
        #expect(chunks.binary.float(at: 36 + 8) == 3)
        // 255 is all light; 128 is ((128/255 + 0.055) / 1.055)^2.4 of it.
        #expect((0..<3).map { chunks.binary.float(at: 60 + 4 * $0) } == [1, 0, 0.2158605])
        #expect(chunks.json.texts("extensionsUsed") == ["KHR_materials_unlit"])
    }

    @Test("A GLB names its source in printable ASCII")
    func names() throws {
        let bytes = try GLBEncoder(twoPoints.header).opening
        #expect(Array(bytes[20..<20 + bytes.littleEndian(at: 12)]).isPrintable)
        let asset = try Chunks(twoPoints.bytes(GLBEncoder(twoPoints.header))).json.object("asset")
        #expect(asset.text("version") == "2.0")
        #expect(asset.text("generator") == "isobath 1.0")
        #expect(asset.object("extras").texts("comments").contains(escapedName))
    }

    @Test("A GLB mesh embeds a texture of any length", arguments: [1, 4, 7])
    func mesh(size: Int) throws {
        let mesh = TriangleMesh(
            vertices: PointCloud(
                positions: [SIMD3(0, 1, -1), SIMD3(0, 0, -1), SIMD3(1, 1, -1)],
                textureCoordinates: [SIMD2(0.25, 0.25), SIMD2(0.25, 0.75), SIMD2(0.75, 0.25)]),
            triangles: [Triangle(0, 1, 2)])
        let texture = (0..<size).map { UInt8($0 + 1) }
        let encoder = try GLBEncoder(mesh.vertices.header, triangleCount: 1, texture: texture)
        let chunks = try Chunks(mesh.bytes(encoder))
        #expect(chunks.primitive.integer("mode") == nil)
        #expect(chunks.primitive.object("attributes").keys.sorted() == ["POSITION", "TEXCOORD_0"])
        let indices = chunks.json.objects("accessors")[try #require(chunks.primitive.integer("indices"))]
        #expect(indices.integer("count") == 3)
        #expect(indices.integer("componentType") == 5125)
        let views = chunks.json.objects("bufferViews")
        let start = try #require(views[1].integer("byteOffset"))
        #expect((0..<3).map { chunks.binary.littleEndian(at: start + 4 * $0) } == [0, 1, 2])
        #expect((0..<2).map { chunks.binary.float(at: 32 + 4 * $0) } == [0.25, 0.75])
        let image = try #require(chunks.json.objects("images").first)
        #expect(image.text("mimeType") == "image/jpeg")
        let view = views[try #require(image.integer("bufferView"))]
        let place = try #require(view.integer("byteOffset"))
        #expect(view.integer("byteLength") == size)
        #expect(Array(chunks.binary[place..<place + size]) == texture)
    }

    @Test("An empty GLB is an empty scene, since glTF forbids empty accessors")
    func empty() throws {
        let points = try Chunks(PointCloud().bytes(GLBEncoder(PointCloud().header)))
        #expect(points.json["accessors"] == nil)
        #expect(points.binary.isEmpty)
        let mesh = TriangleMesh(vertices: PointCloud(positions: [.zero]))
        let chunks = try Chunks(mesh.bytes(GLBEncoder(mesh.vertices.header, triangleCount: 0)))
        #expect(chunks.json["meshes"] == nil)
    }

    @Test("A GLB of 4 GiB or more is refused")
    func size() {
        var header = twoPoints.header
        header.pointCount = 1 << 27
        #expect(throws: CloudError.self) { try GLBEncoder(header) }
    }
}
