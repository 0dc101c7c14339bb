import Foundation
import TestSupport
import Testing

@Suite("isobath view")
struct ViewTests {
    /// Makes a page, and returns its text.
    private func page(
        _ arguments: [String], in folder: borrowing TemporaryFolder,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let output = folder.file("page.html")
        try Tool.run("view -o \(output) --force \(arguments)", sourceLocation: sourceLocation)
        return try String(contentsOfFile: output, encoding: .utf8)
    }

    /// The content of the data element with this name.
    private func block(_ name: String, of page: String) -> String? {
        guard let start = page.range(of: "id=\"\(name)\">"),
            let end = page.range(of: "</script>", range: start.upperBound..<page.endIndex)
        else { return nil }
        return String(page[start.upperBound..<end.lowerBound])
    }

    private func scene(of page: String) throws -> [String: Any] {
        let text = try #require(block("scene", of: page))
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    /// Bytes 8…11 of an NPY file of version 1 are the length of its header; Float32 samples follow, row by row.
    private func floats(_ path: String) throws -> [Float] {
        let data = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let start = 10 + Int(data[8]) + Int(data[9]) << 8
        return stride(from: start, to: data.count - 3, by: 4).map { place in
            Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(data[place + $1]) << UInt32(8 * $1) })
        }
    }

    @Test(
        "The depth in a page is that which extract writes, to half a step",
        arguments: [
            "portrait.heic", "portrait-rotated.jpg", "absolute-depth.jpg", "gdepth-portrait.jpg",
            "depth.avif",
            "depth.dng", "gdepth-lens-blur.jpg", "samsung-dualshot.jpg", "huawei-edof.jpg",
        ])
    func values(name: String) throws {
        let folder = TemporaryFolder()
        let page = try page([TestImages.path(name)], in: folder)
        let depth = try scene(of: page).object("depth")
        let quantity = try #require(depth.text("quantity"))
        try folder.run("extract {\(name)} --as \(quantity) -o values.npy")
        let expected = try floats(folder.file("values.npy"))
        let coded = try #require(block("depth-0", of: page))
        let png = try #require(Data(base64Encoded: coded))
        try png.write(to: URL(filePath: folder.file("depth.png")))
        let raster = try RasterFile(folder.file("depth.png"))
        #expect(raster.width == depth.integer("width") && raster.height == depth.integer("height"))
        let (minimum, step) = (try #require(depth.number("minimum")), try #require(depth.number("step")))
        let first = try #require(depth.number("first"))
        try #require(raster.samples.count == expected.count)
        var worst = 0.0
        for (code, value) in zip(raster.samples, expected) {
            guard value.isFinite else {
                #expect(code < first)
                continue
            }
            worst = max(worst, abs(minimum + (code - first) * step - Double(value)))
        }
        // Float32 keeps seven digits.
        #expect(worst <= step / 2 + 1e-6 * abs(minimum + 65535 * step))
    }

    @Test("The photo is in a page before its data and its script, and no Exif is")
    func order() throws {
        let folder = TemporaryFolder()
        let page = try page([TestImages.path("portrait.jpg")], in: folder)
        let photo = try #require(page.range(of: "data:image/jpeg;base64,"))
        let data = try #require(page.range(of: "id=\"scene\""))
        #expect(photo.lowerBound < data.lowerBound)
        let end = try #require(page.range(of: "\"", range: photo.upperBound..<page.endIndex))
        let jpeg = try #require(Data(base64Encoded: String(page[photo.upperBound..<end.lowerBound])))
        try jpeg.write(to: URL(filePath: folder.file("photo.jpg")))
        let raster = try RasterFile(folder.file("photo.jpg"))
        #expect(raster.exif.isEmpty && raster.xmp.isEmpty && raster.profile.isEmpty)
        #expect(raster.width == 960 || raster.height == 960)
    }

    @Test("A page names no address outside of itself, and no folder")
    func closed() throws {
        let folder = TemporaryFolder()
        let page = try page([TestImages.path("portrait.heic")], in: folder)
        #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("TestImages"))
        #expect(page.contains("default-src 'none'") && page.contains("script-src 'sha256-"))
        #expect(page.utf8.count < 1_500_000)
    }

    @Test(
        "The policy names the script and the style by the digests that sha256sum computes",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "OpenSSL is not installed"))
    func policy() throws {
        let folder = TemporaryFolder()
        let page = try page([TestImages.path("portrait.heic")], in: folder)
        for (opening, closing) in [("<script>", "</script>"), ("<style>", "</style>")] {
            let start = try #require(page.range(of: opening, options: .backwards))
            let end = try #require(page.range(of: closing, range: start.upperBound..<page.endIndex))
            try String(page[start.upperBound..<end.lowerBound])
                .write(toFile: folder.file("part"), atomically: true, encoding: .utf8)
            let run = try Tool.shell(
                "openssl dgst -sha256 -binary part | openssl base64", [], folder: folder.path)
            let digest = run.text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(page.contains("'sha256-\(digest)'"))
        }
    }

    @Test("The name of a file is text in a page, whatever is in it")
    func hostileName() throws {
        let folder = TemporaryFolder()
        let path = folder.file("<script>alert(1)<\u{202E}'\"&{{script}}.jpg")
        try FileManager.default.copyItem(atPath: TestImages.path("portrait.jpg"), toPath: path)
        let page = try page([path], in: folder)
        #expect(!page.contains("<script>alert(1)"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;\\u{202e}&#39;&quot;&amp;{{script}}.jpg"))
        #expect(!page.unicodeScalars.contains("\u{202E}"))
    }

    @Test(
        "Photos without depth, and depth without a photo, have a page, too, with the tabs of what they have")
    func partial() throws {
        let folder = TemporaryFolder()
        /// The tabs whose scripts are in a page.
        func tabs(of page: String) -> [String] {
            page.matches(of: /tabs\.set\("(\w+)"/).map { String($0.1) }
        }
        let plain = try page([TestImages.path("plain.jpg")], in: folder)
        #expect(try scene(of: plain).isNull("depth") && plain.contains("alt=\"The photo, plain.jpg"))
        #expect(tabs(of: plain) == [])
        let depth = try page([TestImages.path("pair_depth.png")], in: folder)
        #expect(try !scene(of: depth).object("depth").isEmpty)
        #expect(depth.contains("alt=\"The depth in colors, pair_depth.png") && tabs(of: depth) == ["Depth"])
        let whole = try page([TestImages.path("portrait.heic")], in: folder)
        #expect(tabs(of: whole) == ["Depth", "Focus", "Background", "Move", "3D", "Measure"])
    }

    @Test("A page of a photo is a page of one frame")
    func oneFrame() throws {
        let folder = TemporaryFolder()
        let scene = try scene(of: try page([TestImages.path("portrait.heic")], in: folder))
        let frame = try #require(scene.objects("frames").first)
        #expect(scene.objects("frames").count == 1 && scene.isNull("total") && scene.isNull("cloud"))
        #expect(frame.isNull("pose") && frame["index"] == nil && frame["time"] == nil)
        for name in ["width", "height", "minimum", "step", "first"] {
            #expect(frame.object("depth").number(name) == scene.object("depth").number(name))
        }
    }

    @Test("A line of JSON says what is in the page; an existing file is refused")
    func json() throws {
        let folder = TemporaryFolder()
        let arguments = ["view", TestImages.path("portrait.heic"), "-o", folder.file("page.html"), "--json"]
        let record = try #require(try Tool.run("\(arguments)").objects().first)
        #expect(record.text("schema") == "isobath.page/1")
        #expect(
            record.integer("bytes") == (try Data(contentsOf: URL(filePath: folder.file("page.html")))).count)
        #expect(record.object("depth").text("unit") == "1/m")
        #expect(record.texts("mattes") == ["matte", "skin", "hair", "teeth", "glasses", "sky"])
        try Tool.run("\(arguments)", status: 1)
        try Tool.run("view {portrait.heic} -o page.jpg", status: 64)
    }

    @Test("An isolated process makes the same page")
    func isolated() throws {
        let folder = TemporaryFolder()
        let page = try page([TestImages.path("portrait.heic")], in: folder)
        #expect(try self.page([TestImages.path("portrait.heic"), "--isolate"], in: folder) == page)
    }
}
