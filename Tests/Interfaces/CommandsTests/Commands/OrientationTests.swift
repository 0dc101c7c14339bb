import Isobath
import TestSupport
import Testing

@Suite("Orientation of files")
struct OrientationTests {
    private let folder = TemporaryFolder()

    /// A chunk `eXIf` whose only tag is an orientation of 6, with its checksum. Python: `zlib.crc32(b"eXIf" + data)`.
    private static let exif: [UInt8] = [
        0x00, 0x00, 0x00, 0x1A, 0x65, 0x58, 0x49, 0x66, 0x49, 0x49, 0x2A, 0x00, 0x08, 0x00, 0x00, 0x00, 0x01,
        0x00, 0x12, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0xB7, 0x48, 0x11, 0x29,
    ]

    /// A PNG file of a plane of `portrait.heic` with that chunk behind its header.
    private func picture(_ plane: String, in folder: TemporaryFolder) throws -> String {
        try folder.run("extract {portrait.heic} --plane \(plane) -o plain.png")
        var bytes = try folder.bytes(of: "plain.png")
        bytes.insert(contentsOf: Self.exif, at: 33)
        return try folder.write(bytes, to: "turned.png")
    }

    @Test(
        "Exif in PNG turns photo and depth; info and the extracted picture agree",
        arguments: ["photo", "disparity"])
    func png(plane: String) throws {
        let path = try picture(plane, in: folder)
        let plain = try RasterFile(folder.file("plain.png"), headerOnly: true)
        let info = try Tool.run("info \(path)").text
        #expect(info.contains("PNG \(plain.height) × \(plain.width), orientation 6"))
        let kind = plane == "photo" ? ["--plane", "photo"] : []
        for (flags, size) in [
            ([String](), [plain.height, plain.width]),
            (["--orientation", "1"], [plain.width, plain.height]),
        ] {
            try folder.run("extract \(path) --force -o d.png \(kind) \(flags)")
            let written = try RasterFile(folder.file("d.png"), headerOnly: true)
            #expect([written.width, written.height] == size)
        }
    }

    @Test("A WebP picture is named, whatever its file is called", arguments: ["info", "extract"])
    func webp(verb: String) throws {
        let bytes =
            Array("RIFF".utf8) + [0x1A, 0, 0, 0] + Array("WEBPVP8L".utf8) + [UInt8](repeating: 0, count: 18)
        let path = try folder.write(bytes, to: "portrait.jpg")
        let run = try folder.run(
            "\(verb) \(path) \(verb == "info" ? [] : ["-o", folder.file("d.png")])", status: 1)
        #expect(
            run.messages.hasPrefix(
                "isobath: \(path): error: this is a WebP picture, whatever its name says, and not read; convert it first"
            ))
    }
}
