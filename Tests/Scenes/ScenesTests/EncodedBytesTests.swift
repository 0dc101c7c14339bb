import DepthMaps
import DepthTypes
import Foundation
import Geometry
import Scenes
import TestSupport
import Testing

/// Files in memory. Their first and last bytes and their sizes are from the formats' specifications.
@Suite("Encoding to memory")
struct EncodedBytesTests {
    private let folder: TemporaryFolder
    private let map = DepthMap(width: 3, height: 2, meters: [0.5, 1, 2, 4, .nan, 8], scale: .relative)
    private let picture = Picture(
        ColorImage(
            width: 2, height: 1,
            pixels: .uint8([
                RGB(red: 200, green: 30, blue: 10), RGB(red: 10, green: 30, blue: 200),
            ]), colorProfile: []))

    init() throws { folder = TemporaryFolder() }

    private func bytes(_ name: String, _ write: (String) throws -> Void) throws -> [UInt8] {
        try write(folder.file(name))
        return try folder.bytes(of: name)
    }

    /// NPY: a header that ends at a multiple of 64, here 128, and 6 × 4 bytes. PFM: three lines of 3, 4 and 5 bytes, and 24.
    @Test(
        "A map in memory is the file that is written",
        arguments: [
            (.npy, [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59, 1, 0], 152),
            (.pfm, Array("Pf\n3 2\n-1.0\n".utf8), 36),
            (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], nil),
            (.exr, [0x76, 0x2F, 0x31, 1], nil),
            (.tiff, [0x49, 0x49, 0x2A, 0], nil),
        ] as [(RasterFormat, [UInt8], Int?)])
    func map(format: RasterFormat, signature: [UInt8], count: Int?) throws {
        let encoded = try map.encoded(as: format)
        #expect(encoded.starts(with: signature))
        #expect(count == nil || encoded.count == count)
        #expect(try encoded == bytes("map.\(format.rawValue)") { try map.write(to: $0) })
        let disparity = try DisparityMap(map)
        #expect(
            try disparity.encoded(as: format)
                == bytes("disparity.\(format.rawValue)") { try disparity.write(to: $0) })
        let matte = Matte(width: 3, height: 2, coverage: [0, 50, 100, 150, 200, 255])
        #expect(
            try matte.encoded(as: format) == bytes("matte.\(format.rawValue)") { try matte.write(to: $0) })
    }

    @Test("A map as PNG has its size and 16 bits of gray in its header, and ends with IEND")
    func png() throws {
        let encoded = try map.encoded(as: .png)
        #expect(encoded.bigEndian(at: 16, 4) == 3 && encoded.bigEndian(at: 20, 4) == 2)
        #expect(encoded[24] == 16 && encoded[25] == 0)
        #expect(encoded.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
    }

    @Test("A picture in memory is the file that is written, at the same quality")
    func pictures() throws {
        let jpeg = try picture.encoded(as: .jpeg, quality: 40)
        #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]) && jpeg.suffix(2) == [0xFF, 0xD9])
        #expect(try jpeg == bytes("a.jpg") { try picture.write(to: $0, quality: 40) })
        #expect(try jpeg != picture.encoded(as: .jpeg, quality: 100))
        #expect(try picture.encoded(as: .png) == bytes("a.png") { try picture.write(to: $0) })
        #expect(try picture.encoded(as: .tiff) == bytes("a.tif") { try picture.write(to: $0) })
    }

    private var cloud: PointCloud {
        var cloud = PointCloud()
        cloud.positions = [SIMD3(0, 0, -1), SIMD3(1, 0, -1), SIMD3(0, 1, -2)]
        cloud.colors = [
            RGB(red: 1, green: 2, blue: 3), RGB(red: 4, green: 5, blue: 6), RGB(red: 7, green: 8, blue: 9),
        ]
        return cloud
    }

    @Test(
        "A cloud in memory is the file that is written",
        arguments: CloudFormat.allCases.filter(\.holdsPoints))
    func clouds(format: CloudFormat) throws {
        #expect(
            try cloud.encoded(as: format) == bytes("cloud.\(format.rawValue)") { try cloud.write(to: $0) })
    }

    /// PLY: 3 × 4 bytes of position and 3 of color behind the header. LAS 1.2: 227 bytes of header, records of format 2 have 26.
    /// glTF: the length of the file is its third number.
    @Test("Clouds in memory have the sizes of their formats")
    func cloudSizes() throws {
        let ply = try cloud.encoded(as: .ply)
        let end = try #require(ply.firstRange(of: Array("end_header\n".utf8))?.upperBound)
        #expect(ply.starts(with: Array("ply\n".utf8)) && ply.count - end == 3 * 15)
        let las = try cloud.encoded(as: .las)
        #expect(las.starts(with: Array("LASF".utf8)) && las.littleEndian(at: 107, 4) == 3)
        #expect(las.count == las.littleEndian(at: 96, 4) + 3 * 26)
        let glb = try cloud.encoded(as: .glb)
        #expect(glb.starts(with: Array("glTF".utf8)) && glb.littleEndian(at: 8, 4) == glb.count)
        let text = try cloud.encoded(as: .ply, asText: true)
        #expect(text.firstRange(of: Array("format ascii 1.0".utf8)) != nil && text.allSatisfy { $0 < 128 })
        #expect(throws: CloudError.self) { try cloud.encoded(as: .usdz) }
    }

    @Test(
        "A scene's mesh in memory is the file that is written",
        arguments: CloudFormat.allCases.filter(\.holdsMeshes))
    func meshes(format: CloudFormat) throws {
        var export = CloudExport()
        (export.isMesh, export.options.stride) = (true, 8)
        let made = try DepthScene(contentsOf: TestImages.path("portrait.heic")).cloud(export)
        let mesh = try #require(made.mesh())
        #expect(
            try mesh.encoded(as: format) == bytes("mesh.\(format.rawValue)") { try mesh.write(to: $0) })
        #expect(
            try made.encoded(as: format) == bytes("made.\(format.rawValue)") { try made.write(to: $0) })
        #expect(throws: CloudError.self) { try mesh.encoded(as: .las) }
    }
}
