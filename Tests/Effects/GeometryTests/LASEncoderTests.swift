import DepthMaps
import DepthTypes
import Geometry
import TestSupport
import Testing

@Suite("LAS")
struct LASEncoderTests {
    @Test("A LAS file has the header of version 1.2, format 2, with bounds")
    func header() {
        let bytes = twoPoints.bytes(LASEncoder(twoPoints.header))
        #expect(bytes.text(at: 0, 4) == "LASF")
        #expect(bytes[24...25] == [1, 2])
        #expect(bytes.text(at: 26, 32) == "EXTRACTION")
        #expect(bytes.text(at: 58, 32) == "isobath 1.0")
        #expect(bytes.littleEndian(at: 94, 2) == 227)
        let start = bytes.littleEndian(at: 96)
        #expect(bytes.littleEndian(at: 100) == 1)
        #expect(bytes[104] == 2)
        #expect(bytes.littleEndian(at: 105, 2) == 26)
        // The number of points, and the number of first returns.
        #expect(bytes.littleEndian(at: 107) == 2)
        #expect(bytes.littleEndian(at: 111) == 2)
        #expect(bytes.littleEndian(at: 115) == 0)
        for axis in 0..<3 { #expect(bytes.double(at: 131 + 8 * axis) == 1e-6) }
        // Integers at or below the smallest coordinates 0, −2 and ½.
        #expect((0..<3).map { bytes.double(at: 155 + 8 * $0) } == [0, -2, 0])
        let bounds = (0..<6).map { bytes.double(at: 179 + 8 * $0) }
        #expect(zip(bounds, [1, 0, 0.25, -2, 3, 0.5]).allSatisfy { abs($0 - $1) < 1e-9 })
        #expect(bytes.count == start + 2 * 26)
    }

    @Test("LAS positions are integer steps, and colors have 16 bits")
    func points() {
        let bytes = twoPoints.bytes(LASEncoder(twoPoints.header))
        let start = bytes.littleEndian(at: 96) + 26
        #expect((0..<3).map { bytes.littleEndian(at: start + 4 * $0) } == [0, 2_250_000, 3_000_000])
        // Intensity; the first of one return; class, angle, user data and source.
        #expect(bytes[start + 12..<start + 20] == [0, 0, 9, 0, 0, 0, 0, 0])
        #expect((0..<3).map { bytes.littleEndian(at: start + 20 + 2 * $0, 2) } == [65535, 0, 128 * 257])
    }

    @Test("LAS comments are stored in a text area description")
    func comments() {
        let bytes = twoPoints.bytes(LASEncoder(twoPoints.header))
        #expect(bytes.littleEndian(at: 227, 2) == 0)
        #expect(bytes.text(at: 229, 16) == "LASF_Spec")
        #expect(bytes.littleEndian(at: 245, 2) == 3)
        let size = bytes.littleEndian(at: 247, 2)
        #expect(227 + 54 + size == bytes.littleEndian(at: 96))
        let text = Array(bytes[281..<281 + size - 1])
        #expect(text.isPrintable)
        #expect(String(decoding: text, as: UTF8.self).contains("\n\(escapedName)\n"))
        #expect(bytes[281 + size - 1] == 0)
    }

    @Test(
        "LAS steps fit the extent and never overflow",
        arguments: [(Float(10), 1e-6), (900, 1e-6), (5000, 1e-5), (1_000_000, 1e-3)])
    func steps(extent: Float, step: Double) {
        let cloud = PointCloud(positions: [SIMD3(-extent / 2, 0.3, 0.1), SIMD3(extent / 2, 0.7, 0.1)])
        let bytes = cloud.bytes(LASEncoder(cloud.header))
        #expect(abs(bytes.double(at: 131) / step - 1) < 1e-12)
        let start = bytes.littleEndian(at: 96)
        for (index, point) in cloud.positions.enumerated() {
            for axis in 0..<3 {
                let number = Int32(truncatingIfNeeded: bytes.littleEndian(at: start + 20 * index + 4 * axis))
                let value = Double(number) * step + bytes.double(at: 155 + 8 * axis)
                #expect(abs(value - Double(point[axis])) <= step * 0.501)
            }
        }
    }

    @Test("A LAS without colors has format 0, and one without points is only a header")
    func plain() {
        let cloud = PointCloud(positions: [SIMD3(1, 2, 3)])
        let bytes = cloud.bytes(LASEncoder(cloud.header))
        #expect(bytes[104] == 0)
        #expect(bytes.littleEndian(at: 105, 2) == 20)
        #expect(bytes.count == 227 + 20)
        #expect(PointCloud().bytes(LASEncoder(PointCloud().header)).count == 227)
    }
}
