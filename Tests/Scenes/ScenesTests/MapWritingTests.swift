import Bytes
import DepthMaps
import DepthTypes
import Scenes
import TestSupport
import Testing

@Suite("Writing maps")
struct MapWritingTests {
    private let folder = TemporaryFolder()
    private static let meters: [Float] = [0.5, 1, 2, 4, .nan, 8]
    private let map = DepthMap(width: 3, height: 2, meters: meters, scale: .relative)

    /// PFM and NPY hold nothing but values, which are assumed to be meters when read.
    @Test(
        "A written map is read back with the same values and scale",
        arguments: [("exr", .relative), ("tiff", .relative), ("pfm", .unknown), ("npy", .unknown)]
            as [(String, DepthScale)])
    func floats(format: String, scale: DepthScale) throws {
        try map.write(to: folder.file("d.\(format)"))
        let read = try DepthScene(storedIn: folder.file("d.\(format)")).depth()
        #expect((read.width, read.height, read.scale) == (3, 2, scale))
        #expect(zip(read.meters, Self.meters).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN })
    }

    /// 65,534 steps over 7.5 m: half a step is 57 micrometers.
    @Test("A PNG stores the map's range in 16 bits and unknown samples as 0")
    func png() throws {
        try map.write(to: folder.file("d.png"))
        let file = try RasterFile(folder.file("d.png"))
        #expect(
            file.bitDepth == 16 && file.samples[4] == 0 && file.samples[0] == 1 && file.samples[5] == 65535)
        let read = try DepthScene(storedIn: folder.file("d.png")).depth()
        #expect(zip(read.meters, Self.meters).allSatisfy { abs($0 - $1) <= 0.000058 || $0.isNaN && $1.isNaN })
        #expect(read.scale == .relative)
    }

    @Test("An existing file is replaced only on request, and an unknown extension is an error")
    func refused() throws {
        try map.write(to: folder.file("d.exr"))
        #expect(throws: OutputError.self) { try map.write(to: folder.file("d.exr")) }
        try map.write(to: folder.file("d.exr"), replacingExisting: true)
        #expect(throws: OutputError.self) { try map.write(to: folder.file("d.jpg")) }
        #expect(folder.contents == ["d.exr"])
    }

    @Test("An error of writing names the output")
    func named() throws {
        try map.write(to: folder.file("d.exr"))
        let error = try #require(throws: OutputError.self) { try map.write(to: folder.file("d.exr")) }
        #expect(error.description == "\(folder.file("d.exr")): the file exists")
        let inMemory = try #require(throws: OutputError.self) {
            try Picture(
                ColorImage(
                    width: 65_501, height: 1, pixels: .uint8(.init(repeating: .black, count: 65_501)),
                    colorProfile: [])
            ).encoded(as: .jpeg)
        }
        #expect(inMemory.path.isEmpty && inMemory.description.hasPrefix("JPEG holds 65,500 pixels"))
    }

    @Test("A scene's picture is written in the format of its extension")
    func picture() throws {
        let scene = try DepthScene(contentsOf: TestImages.path("portrait.heic"))
        try scene.composited(over: .none, refines: false).write(
            to: folder.file("cut.png"))
        let file = try RasterFile(folder.file("cut.png"), headerOnly: true)
        #expect((file.width, file.height, file.channels) == (960, 720, 4))
        try #require(try scene.matte()).write(to: folder.file("matte.png"))
        #expect(try RasterFile(folder.file("matte.png"), headerOnly: true).channels == 1)
    }
}
