import Foundation
import TestSupport
import Testing

@Suite("isobath view")
struct ViewTests {
    private let folder = TemporaryFolder()

    /// Makes a page.
    private func page(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws
        -> WrittenPage
    {
        try folder.run("view -o page.html --force \(arguments)", sourceLocation: sourceLocation)
        return try WrittenPage("page.html", in: folder)
    }

    /// The truth is that of the rendered scene, in `expected.json`.
    @Test(
        "The depth in a page is that of the scene, to half a step and what the file's own coding takes",
        arguments: [
            "portrait.heic", "portrait-rotated.jpg", "absolute-depth.jpg", "gdepth-portrait.jpg",
            "depth.avif", "depth.dng", "gdepth-lens-blur.jpg", "samsung-dualshot.jpg", "huawei-edof.jpg",
        ])
    func values(name: String) throws {
        let page = try page([TestImages.path(name)])
        let depth = page.scene.object("depth")
        let plane = try #require(
            try TestImages.expected(name).objects("planes").first {
                $0.text("kind") == depth.text("quantity")
            })
        let raster = try page.raster("depth-0", in: folder)
        #expect(raster.width == depth.integer("width") && raster.height == depth.integer("height"))
        let (minimum, step) = (try #require(depth.number("minimum")), try #require(depth.number("step")))
        let first = try #require(depth.number("first"))
        let range = (plane.number("maximum") ?? 1) - (plane.number("minimum") ?? 0)
        let greatest = Double(1 << (plane.integer("bitDepth") ?? 8) - 1)
        let pixels = plane.objects("pixels")
        #expect(pixels.count > 3)
        for pixel in pixels {
            let place = pixel.numbers("upright").map { Int($0) }
            // Without a range, codes are 0 to 1; those of disparity are dark near the camera, and depth of 0 is unknown.
            let share = (pixel.number("code") ?? 0) / greatest
            let undeclared = plane.text("kind") == "disparity" ? 1 - share : share
            let value = pixel.number("value") ?? pixel.number("meters").map { 1 / $0 } ?? undeclared
            guard value > 0 else { continue }
            let found = minimum + (raster[place[0], place[1]] - first) * step
            let coding = (pixel.number("tolerance") ?? 0) * range / greatest
            // Float32 keeps seven digits.
            #expect(abs(found - value) <= step / 2 + coding + 1e-6 * value, "\(place)")
        }
    }

    @Test("The photo is in a page before its data and its script, and no Exif is")
    func order() throws {
        let page = try page([TestImages.path("portrait.jpg")])
        let photo = try #require(page.text.range(of: "data:image/jpeg;base64,"))
        let data = try #require(page.text.range(of: "id=\"scene\""))
        #expect(photo.lowerBound < data.lowerBound)
        let raster = try page.photo(in: folder)
        #expect(raster.exif.isEmpty && raster.xmp.isEmpty && raster.profile.isEmpty)
        #expect(raster.width == 960 || raster.height == 960)
    }

    @Test("A page names no address outside of itself, and no folder")
    func closed() throws {
        let page = try page([TestImages.path("portrait.heic")]).text
        #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("TestImages"))
        #expect(page.contains("default-src 'none'") && page.contains("script-src 'sha256-"))
        #expect(page.utf8.count < 1_500_000)
    }

    @Test(
        "The policy names the script and the style by the digests that sha256sum computes",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "OpenSSL is not installed"))
    func policy() throws {
        let page = try page([TestImages.path("portrait.heic")]).text
        for (opening, closing) in [("<script>", "</script>"), ("<style>", "</style>")] {
            let start = try #require(page.range(of: opening, options: .backwards))
            let end = try #require(page.range(of: closing, range: start.upperBound..<page.endIndex))
            try folder.write(text: String(page[start.upperBound..<end.lowerBound]), to: "part")
            let run = try Tool.shell(
                "openssl dgst -sha256 -binary part | openssl base64", [], folder: folder.path)
            let digest = run.text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(page.contains("'sha256-\(digest)'"))
        }
    }

    @Test("The name of a file is text in a page, whatever is in it")
    func hostileName() throws {
        let path = folder.file("<script>alert(1)<\u{202E}'\"&{{script}}.jpg")
        try FileManager.default.copyItem(atPath: TestImages.path("portrait.jpg"), toPath: path)
        let page = try page([path]).text
        #expect(!page.contains("<script>alert(1)"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;\\u{202e}&#39;&quot;&amp;{{script}}.jpg"))
        #expect(!page.unicodeScalars.contains("\u{202E}"))
    }

    @Test(
        "Photos without depth, and depth without a photo, have a page, too, with the tabs of what they have")
    func partial() throws {
        /// The tabs whose scripts are in a page.
        func tabs(of page: String) -> [String] {
            page.matches(of: /tabs\.set\("(\w+)"/).map { String($0.1) }
        }
        let plain = try page([TestImages.path("plain.jpg")])
        #expect(plain.scene.isNull("depth") && plain.text.contains("alt=\"The photo, plain.jpg"))
        #expect(tabs(of: plain.text) == [])
        let depth = try page([TestImages.path("pair_depth.png")])
        #expect(!depth.scene.object("depth").isEmpty && tabs(of: depth.text) == ["Depth"])
        #expect(depth.text.contains("alt=\"The depth in colors, pair_depth.png"))
        let whole = try page([TestImages.path("portrait.heic")])
        #expect(tabs(of: whole.text) == ["Depth", "Focus", "Background", "Move", "3D", "Measure"])
    }

    @Test("A page of a photo is a page of one frame")
    func oneFrame() throws {
        let scene = try page([TestImages.path("portrait.heic")]).scene
        let frame = try #require(scene.objects("frames").first)
        #expect(scene.objects("frames").count == 1 && scene.isNull("total") && scene.isNull("cloud"))
        #expect(frame.isNull("pose") && frame["index"] == nil && frame["time"] == nil)
        for name in ["width", "height", "minimum", "step", "first"] {
            #expect(frame.object("depth").number(name) == scene.object("depth").number(name))
        }
    }

    @Test("A line of JSON says what is in the page; an existing file is refused")
    func json() throws {
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
        let page = try page([TestImages.path("portrait.heic")])
        #expect(try self.page([TestImages.path("portrait.heic"), "--isolate"]).text == page.text)
    }
}
