import DepthMaps
import DepthTypes
import Geometry
import TestSupport
import Testing

@Suite("PCD")
struct PCDEncoderTests {
    @Test("A PCD has the header of version 0.7 and packs colors into a float")
    func layout() {
        var cloud = twoPoints
        (cloud.normals, cloud.confidences, cloud.provenance) = ([], [], nil)
        let header = """
            # .PCD v0.7 - Point Cloud Data file format
            VERSION 0.7
            FIELDS x y z rgb
            SIZE 4 4 4 4
            TYPE F F F F
            COUNT 1 1 1 1
            WIDTH 2
            HEIGHT 1
            VIEWPOINT 0 0 0 1 0 0 0
            POINTS 2
            DATA binary

            """
        // IEEE 754: 1 is 3F800000, −2 C0000000, ½ 3F000000, ¼ 3E800000, 3 40400000; colors 00RRGGBB.
        let points: [UInt8] = [
            0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0, 0x3F, 3, 2, 1, 0,
            0, 0, 0, 0, 0, 0, 0x80, 0x3E, 0, 0, 0x40, 0x40, 128, 0, 255, 0,
        ]
        #expect(cloud.bytes(PCDEncoder(cloud.header)) == Array(header.utf8) + points)
    }

    @Test("PCD fields put normals before the color and confidence after it")
    func fields() {
        let bytes = twoPoints.bytes(PCDEncoder(twoPoints.header))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("\nFIELDS x y z normal_x normal_y normal_z rgb confidence\n"))
        let start = bytes.count - 2 * 32
        #expect(bytes.float(at: start + 20) == 1)
        #expect(bytes.littleEndian(at: start + 24) == 0x010203)
        #expect(bytes.float(at: start + 60) == 0.25)
    }

    @Test("PCD names stay in one line of printable ASCII")
    func names() {
        let opening = PCDEncoder(twoPoints.header).opening
        #expect(opening.isPrintable)
        #expect(String(decoding: opening, as: UTF8.self).contains("\n# \(escapedName)\n"))
    }

    @Test("An empty PCD is only a header")
    func empty() {
        let bytes = PointCloud().bytes(PCDEncoder(PointCloud().header))
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("POINTS 0\nDATA binary\n"))
    }
}
