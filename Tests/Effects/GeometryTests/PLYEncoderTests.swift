import DepthMaps
import DepthTypes
import Geometry
import TestSupport
import Testing

@Suite("PLY")
struct PLYEncoderTests {
    private static let cloud = PointCloud(
        positions: [SIMD3(1, -2, 0.5), SIMD3(0, 0.1, 3)],
        colors: [RGB(red: 1, green: 2, blue: 3), RGB(red: 255, green: 0, blue: 128)],
        normals: [SIMD3(0, 0, 1), SIMD3(0, 1, 0)], confidences: [1, 0.25])

    private func bytes(_ cloud: PointCloud, isText: Bool = false) throws -> [UInt8] {
        var bytes: [UInt8] = []
        cloud.write(with: PLYEncoder(cloud.header, isText: isText)) { bytes += $0 }
        return bytes
    }

    @Test("A colored PLY point is fifteen little-endian bytes")
    func binary() throws {
        var cloud = Self.cloud
        (cloud.normals, cloud.confidences) = ([], [])
        let header = """
            ply
            format binary_little_endian 1.0
            element vertex 2
            property float x
            property float y
            property float z
            property uchar red
            property uchar green
            property uchar blue
            end_header

            """
        // IEEE 754: 1 is 3F800000, −2 C0000000, ½ 3F000000, 0.1 3DCCCCCD, 3 40400000.
        let points: [UInt8] = [
            0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0, 0x3F, 1, 2, 3,
            0, 0, 0, 0, 0xCD, 0xCC, 0xCC, 0x3D, 0, 0, 0x40, 0x40, 255, 0, 128,
        ]
        #expect(try bytes(cloud) == Array(header.utf8) + points)
    }

    @Test("The length of a PLY matches its properties in every combination", arguments: 0..<8)
    func properties(mask: Int) throws {
        var cloud = Self.cloud
        var size = 12
        if mask & 1 == 0 { cloud.normals = [] } else { size += 12 }
        if mask & 2 == 0 { cloud.colors = [] } else { size += 3 }
        if mask & 4 == 0 { cloud.confidences = [] } else { size += 4 }
        let encoder = PLYEncoder(cloud.header)
        let found = try bytes(cloud)
        #expect(found.count == encoder.opening.count + 2 * size)
        // The second point's z is 3, whatever follows the first point.
        let start = encoder.opening.count + size + 8
        #expect(Array(found[start..<start + 4]) == [0, 0, 0x40, 0x40])
    }

    @Test("A PLY as text has one line per point")
    func text() throws {
        let lines = String(decoding: try bytes(Self.cloud, isText: true), as: UTF8.self).split(
            separator: "\n")
        #expect(lines[1] == "format ascii 1.0")
        #expect(
            lines.suffix(2) == [
                "1.0 -2.0 0.5 0.0 0.0 1.0 1 2 3 1.0", "0.0 0.1 3.0 0.0 1.0 0.0 255 0 128 0.25",
            ])
    }

    @Test("A file name cannot add lines to the PLY header")
    func comments() throws {
        var cloud = Self.cloud
        cloud.provenance = CloudProvenance(
            tool: "isobath", source: "a\nelement face 1 é%.jpg", scale: .unitless, axes: .opengl,
            camera: .assumed)
        let header = PLYEncoder(cloud.header).opening
        #expect(header.allSatisfy { $0 == 10 || (0x20..<0x7F).contains($0) })
        let lines = String(decoding: header, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("comment source a%0Aelement face 1 %C3%A9%25.jpg"))
        #expect(lines.contains("comment unit unknown"))
        #expect(lines.contains("comment accuracy unknown: the scale is unknown"))
        #expect(lines.contains("comment axes opengl: x right, y up, z backward"))
    }

    @Test("PLY points are in order for any number of pieces")
    func order() throws {
        let count = 70_000
        let cloud = PointCloud(positions: (0..<count).map { SIMD3(Float($0), 0, 0) })
        let encoder = PLYEncoder(cloud.header)
        let found = try bytes(cloud)
        #expect(found.count == encoder.opening.count + 12 * count)
        for index in stride(from: 0, to: count, by: 4999) {
            let start = encoder.opening.count + 12 * index
            #expect(found.float(at: start) == Float(index))
        }
    }
}
