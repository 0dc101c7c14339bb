import DepthMaps
import DepthTypes
import Geometry
import Testing

@Suite("OBJ")
struct OBJEncoderTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("OBJ has one line of position and color per point")
    func points() {
        var cloud = twoPoints
        (cloud.normals, cloud.provenance) = ([], nil)
        // 1/255 = 0.0039216, 2/255 = 0.0078431, 3/255 = 0.0117647, 128/255 = 0.5019608, rounded up.
        #expect(
            text(cloud.bytes(OBJEncoder(cloud.header)))
                == "v 1.0 -2.0 0.5 0.00393 0.00785 0.01177\nv 0.0 0.25 3.0 1 0.00000 0.50197\n")
    }

    @Test("OBJ colors are restored whether a reader rounds or truncates", arguments: 0...255)
    func colors(code: Int) throws {
        let color = UInt8(code)
        let cloud = PointCloud(
            positions: [.zero], colors: [.init(red: color, green: color, blue: color)])
        let line = text(cloud.bytes(OBJEncoder(cloud.header))).split(whereSeparator: { " \n".contains($0) })
        let share = try #require(line.last.flatMap { Float($0) })
        #expect(UInt8((share * 255).rounded()) == color)
        #expect(UInt8(share * 255) == color)
    }

    @Test("OBJ names stay in one line of printable ASCII")
    func names() {
        let opening = OBJEncoder(twoPoints.header).opening
        #expect(opening.isPrintable)
        #expect(text(opening).contains("\n# \(escapedName)\n"))
    }

    @Test("OBJ vertex numbers have all their digits", arguments: [9, 10, 99, 100, 65_535, 1_000_000])
    func digits(count: Int) {
        let last = UInt32(count - 1)
        var bytes: [UInt8] = []
        OBJEncoder(PointCloud().header).append([Triangle(0, last, 1)], to: &bytes)
        #expect(text(bytes) == "f 1 \(count) 2\n")
    }

    @Test("OBJ faces count from 1, and texture coordinates from the lower edge")
    func mesh() {
        var mesh = TriangleMesh(
            vertices: PointCloud(
                positions: [SIMD3(0, 1, -1), SIMD3(0, 0, -1), SIMD3(1, 1, -1)],
                textureCoordinates: [SIMD2(0.25, 0.25), SIMD2(0.25, 0.75), SIMD2(0.75, 0.25)]),
            triangles: [Triangle(0, 1, 2)])
        #expect(
            text(mesh.bytes(OBJEncoder(mesh.vertices.header, materialLibrary: "m.mtl"))) == """
                mtllib m.mtl
                usemtl photo
                v 0.0 1.0 -1.0
                vt 0.250000 0.750000
                v 0.0 0.0 -1.0
                vt 0.250000 0.250000
                v 1.0 1.0 -1.0
                vt 0.750000 0.750000
                f 1/1 2/2 3/3

                """)
        mesh.vertices.normals = [SIMD3<Float>](repeating: SIMD3(0, 0, 1), count: 3)
        let all = text(mesh.bytes(OBJEncoder(mesh.vertices.header)))
        #expect(all.hasSuffix("vn 0.0 0.0 1.0\nf 1/1/1 2/2/2 3/3/3\n"))
        mesh.vertices.textureCoordinates = []
        #expect(text(mesh.bytes(OBJEncoder(mesh.vertices.header))).hasSuffix("f 1//1 2//2 3//3\n"))
    }
}
