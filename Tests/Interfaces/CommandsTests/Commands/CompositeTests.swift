import Foundation
import TestSupport
import Testing

@Suite("isobath composite")
struct CompositeTests {
    private let folder = TemporaryFolder()

    /// Runs `composite` on a picture, and reads the PNG or TIFF that it wrote.
    private func composite(
        _ options: [String], of name: String = "portrait.heic", to file: String = "out.png",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> RasterFile {
        let folder = TemporaryFolder()
        try folder.run(
            "composite {\(name)} -o \(file) \(options)", sourceLocation: sourceLocation)
        return try RasterFile(folder.file(file))
    }

    /// The photo as `extract` writes it.
    private func photo(_ name: String = "portrait.heic") throws -> RasterFile {
        let folder = TemporaryFolder()
        let output = folder.file("photo.png")
        try Tool.run("extract {\(name)} --plane photo -o \(output)")
        return try RasterFile(output)
    }

    /// Upright pixels of every portrait, one well inside the figure and one far from it.
    private let inside = (x: 438, y: 600)
    private let outside = (x: 20, y: 20)

    /// sRGB red in Display P3: the middle matrix of formats for the two spaces, D65, gives linear light 0.8224620,
    /// 0.0331942, 0.0170826, and the curve of sRGB 234, 51, 35.
    @Test(
        "A background color is sRGB and converted to the photo's color space",
        arguments: ["portrait.heic", "portrait.jpg"])
    func color(name: String) throws {
        let picture = try composite(["--background", "#ff0000"], of: name)
        let before = try photo(name)
        #expect(picture.width == before.width && picture.height == before.height)
        #expect(picture.profileSize == before.profileSize && picture.profileSize > 0)
        let red = picture.pixel(outside.x, outside.y)
        for (found, expected) in zipEqual(red, [234.0, 51, 35]) { #expect(abs(found - expected) <= 1) }
        #expect(picture.pixel(inside.x, inside.y) == before.pixel(inside.x, inside.y))
    }

    @Test("Transparent parts of the picture stay out of the subject, and nothing becomes white")
    func transparent() throws {
        let cut = folder.file("cut.png")
        try Tool.run("composite {portrait.heic} -b none -o \(cut)")
        let mask = folder.file("mask.png")
        try Tool.run("extract {portrait.heic} --plane matte -o \(mask)")
        for picture in [cut, TestImages.path("portrait.heic")] {
            let run = try folder.run("composite \(picture) --matte \(mask) -b red -o out.png --force")
            #expect(!run.messages.contains("becomes white"), "\(run.messages)")
        }
    }

    @Test("A background color may have a name", arguments: [("white", 255.0), ("BLACK", 0), ("#fff", 255)])
    func named(color: String, code: Double) throws {
        let picture = try composite(["--background", color], of: "portrait.jpg")
        #expect(picture.pixel(outside.x, outside.y).allSatisfy { abs($0 - code) <= 1 })
    }

    @Test("A flag for rasters is refused for a photo, and is a remark in a batch")
    func flagsForRasters() throws {
        for verb in [["composite", "--background", "none"], ["blur"]] {
            try folder.run(
                "\(verb) {portrait.jpg} --color {plain.jpg} -o \(folder.file(verb[0] + ".png"))", status: 64,
                says: "portrait.jpg: error: --color has no effect: this is a photo")
            #expect(folder.contents.isEmpty)
            try folder.run(
                """
                \(verb) \(["portrait.jpg", "absolute-depth.jpg"].map(TestImages.path)) --color {plain.jpg}
                -o \(verb[0])/
                """, says: "portrait.jpg: note: --color has no effect: this is a photo")
            #expect(try folder.contents(of: verb[0]).count == 2)
            try folder.remove(verb[0])
        }
    }

    @Test("Without a background the cutout has straight alpha and the photo's colors")
    func none() throws {
        for file in ["out.png", "out.tiff"] {
            let picture = try composite(["--background", "none"], to: file)
            #expect(picture.channels == 4)
            let before = try photo()
            #expect(picture.pixel(inside.x, inside.y) == before.pixel(inside.x, inside.y) + [255])
            #expect(picture.pixel(outside.x, outside.y)[3] == 0)
        }
    }

    @Test(
        "A background picture is fitted to the photo's frame", arguments: ["cover", "contain", "stretch"])
    func picture(fit: String) throws {
        // A PPM twice as wide as high: the left half is red, the right half blue.
        var bytes = Array("P6 40 20 255\n".utf8)
        for _ in 0..<20 {
            for x in 0..<40 { bytes += x < 20 ? [255, 0, 0] : [0, 0, 255] }
        }
        let background = try folder.write(bytes, to: "halves.ppm")
        let picture = try composite(
            ["--background", background, "--fit", fit, "--matte", try allBackground(folder)], of: "plain.jpg")
        let (width, height) = (picture.width, picture.height)
        #expect(picture.pixel(width / 4, height / 2)[0] > 200)
        #expect(picture.pixel(3 * width / 4, height / 2)[2] > 200)
        // In 960 × 720 the picture covers 960 × 480, with black above and below.
        #expect((picture.pixel(width / 4, 10)[0] < 5) == (fit == "contain"))
    }

    /// A matte without a subject.
    private func allBackground(_ folder: TemporaryFolder) throws -> String {
        try folder.write(Array("P5 4 3 255\n".utf8) + [UInt8](repeating: 0, count: 12), to: "none.pgm")
    }

    @Test("Without a portrait matte the mask comes from depth, and its bound is reported")
    func depthMask() throws {
        let run = try folder.run("composite {absolute-depth.heic} --background white -o o.png")
        // Behind the figure at 1.5 m, before the floor beside it at 2.5 m.
        let cut = try #require(
            run.messages.firstMatch(of: /depth mask cut at ([0-9.]+) m, around the middle/))
        #expect((1.5...2.5).contains(try #require(Double(cut.1))))
    }

    @Test("A folder of backgrounds gives a numbered sequence")
    func sequence() throws {
        for (name, code) in [("f9.ppm", UInt8(90)), ("f10.ppm", 100)] {
            try folder.write(Array("P6 1 1 255\n".utf8) + [code, code, code], to: "b/\(name)")
        }
        try folder.run("composite {portrait.jpg} --background b -o o-%02d.png")
        #expect(folder.contents == ["b", "o-00.png", "o-01.png"])
        // Gray is the same in both color spaces; 9 comes before 10.
        #expect(abs(try RasterFile(folder.file("o-00.png")).pixel(outside.x, outside.y)[1] - 90) <= 1)
        #expect(abs(try RasterFile(folder.file("o-01.png")).pixel(outside.x, outside.y)[1] - 100) <= 1)
    }

    @Test("An empty matte is a warning, and the subject is cut from the depth")
    func emptyMatte() throws {
        // At most 22 of 255, as phones store where they see nobody.
        try folder.write(Array("P5 48 36 255\n".utf8) + (0..<48 * 36).map { UInt8($0 % 23) }, to: "empty.pgm")
        try folder.run("embed {portrait.jpg} --matte empty.pgm --replace -o e.jpg")
        try folder.run("composite e.jpg -o a.png", says: "warning: the matte is nearly empty")
        let depth = try folder.run("composite e.jpg --matte depth -o b.png")
        #expect(!depth.messages.contains("nearly empty"), "\(depth.messages)")
        #expect(try folder.bytes(of: "a.png") == folder.bytes(of: "b.png"))
        try folder.run("composite e.jpg --matte portrait -o c.png", says: "nearly empty")
    }

    @Test("A broken background affects only its own frame")
    func brokenFrame() throws {
        try folder.write(text: "no picture", to: "b1.ppm")
        try folder.write(Array("P6 1 1 255\n".utf8) + [1, 2, 3], to: "b2.ppm")
        try folder.run("composite {portrait.jpg} --background b%d.ppm -o o%d.png", status: 1, says: "b1.ppm")
        #expect(folder.contents == ["b1.ppm", "b2.ppm", "o2.png"])
    }

    @Test("Exif is copied upright, and left out with --strip-metadata")
    func metadata() throws {
        for (flags, isKept) in [([], true), (["--strip-metadata"], false)] {
            let folder = TemporaryFolder()
            let output = folder.file("o.jpg")
            try Tool.run("composite {portrait-rotated.jpg} --background gray -o \(output) \(flags)")
            let info = try Tool.run("info --json \(output)").objects()[0]
            #expect(info.integer("orientation") == 1)
            #expect((info.object("camera").text("model") == "Analytic Scene") == isKept)
            #expect(info.integer("width") == 960)
            #expect(info.objects("planes").isEmpty)
        }
    }

    @Test("A matte of another aspect ratio is refused with both sizes")
    func shape() throws {
        let matte = try folder.write(
            Array("P5 40 40 255\n".utf8) + [UInt8](repeating: 9, count: 1600), to: "m.pgm")
        try folder.run(
            "composite {portrait.jpg} --background white --matte \(matte) -o o.png", status: 1,
            says: "40 × 40", "960 × 720")
        #expect(folder.contents == ["m.pgm"])
    }

    @Test("composite never overwrites an input")
    func inputs() throws {
        let background = try folder.write(Array("P6 1 1 255\n".utf8) + [1, 2, 3], to: "b.png")
        try Tool.run(
            "composite {portrait.jpg} --background \(background) --force -o \(background)", status: 1,
            says: "would replace an input")
    }
}
