import Foundation
import TestSupport
import Testing

@Suite("isobath composite")
struct CompositeTests {
    /// Runs `composite` on a picture, and reads the PNG or TIFF that it wrote.
    private func composite(
        _ options: [String], of name: String = "portrait.heic", to file: String = "out.png",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> RasterFile {
        let folder = try TemporaryFolder()
        let run = try Tool.run(["composite", TestImages.path(name), "-o", folder.file(file)] + options)
        #expect(run.status == 0, Comment(rawValue: run.messages), sourceLocation: sourceLocation)
        return try RasterFile(folder.file(file))
    }

    /// The photo as `extract` writes it.
    private func photo(_ name: String = "portrait.heic") throws -> RasterFile {
        let folder = try TemporaryFolder()
        let output = folder.file("photo.png")
        #expect(
            try Tool.run(["extract", TestImages.path(name), "--plane", "photo", "-o", output]).status == 0)
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
        let folder = try TemporaryFolder()
        let cut = folder.file("cut.png")
        #expect(
            try Tool.run(["composite", TestImages.path("portrait.heic"), "-b", "none", "-o", cut]).status == 0
        )
        let mask = folder.file("mask.png")
        #expect(
            try Tool.run(["extract", TestImages.path("portrait.heic"), "--plane", "matte", "-o", mask]).status
                == 0)
        for picture in [cut, TestImages.path("portrait.heic")] {
            let run = try Tool.run(
                ["composite", picture, "--matte", mask, "-b", "red", "-o", folder.file("out.png"), "--force"])
            #expect(run.status == 0)
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
        let folder = try TemporaryFolder()
        for verb in [["composite", "--background", "none"], ["blur"]] {
            let run = try Tool.run(
                verb + [
                    TestImages.path("portrait.jpg"), "--color", TestImages.path("plain.jpg"), "-o",
                    folder.file(verb[0] + ".png"),
                ])
            #expect(run.status == 64, "\(run.messages)")
            #expect(run.messages.contains("portrait.jpg: error: --color has no effect: this is a photo"))
            #expect(folder.contents.isEmpty)
            let batch = try Tool.run(
                verb + ["portrait.jpg", "absolute-depth.jpg"].map(TestImages.path) + [
                    "--color", TestImages.path("plain.jpg"), "-o", folder.file("\(verb[0])/"),
                ])
            #expect(batch.status == 0, "\(batch.messages)")
            #expect(batch.messages.contains("portrait.jpg: note: --color has no effect: this is a photo"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file(verb[0])).count == 2)
            try FileManager.default.removeItem(atPath: folder.file(verb[0]))
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

    @Test("A turned photo gives the same upright picture as the unturned one")
    func turned() throws {
        let upright = try composite(["--background", "white", "--no-refine"], of: "portrait.heic")
        let turned = try composite(
            ["--background", "white", "--no-refine"], of: "portrait-rotated.heic")
        #expect(upright.width == turned.width && upright.height == turned.height)
        // The two photos are lossy and coded separately, so they may differ slightly anywhere.
        let differences = zipEqual(upright.samples, turned.samples).map { abs($0 - $1) }
        #expect(differences.reduce(0, +) / Double(differences.count) < 3)
    }

    @Test(
        "A background picture is fitted to the photo's frame", arguments: ["cover", "contain", "stretch"])
    func picture(fit: String) throws {
        let folder = try TemporaryFolder()
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
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "composite", TestImages.path("absolute-depth.heic"), "--background", "white", "-o",
            folder.file("o.png"),
        ])
        #expect(run.status == 0)
        // Behind the figure at 1.5 m, before the floor beside it at 2.5 m.
        let cut = try #require(
            run.messages.firstMatch(of: /depth mask cut at ([0-9.]+) m, around the middle/))
        #expect((1.5...2.5).contains(try #require(Double(cut.1))))
    }

    /// The figure stands at 1.5 m, the sphere's nearest point at 2.7 m (TestImages/README.md).
    @Test("--far cuts the depth mask between figure and sphere")
    func far() throws {
        let picture = try composite(
            ["--background", "none", "--matte", "depth", "--far", "2"], of: "absolute-depth.heic")
        #expect(picture.pixel(inside.x, inside.y)[3] == 255)
        #expect(picture.pixel(740, 560)[3] == 0)
        let both = try composite(
            ["--background", "none", "--matte", "depth", "--far", "3.2"], of: "absolute-depth.heic")
        #expect(both.pixel(inside.x, inside.y)[3] == 255)
        #expect(both.pixel(740, 560)[3] == 255)
    }

    @Test("--focus keeps the surface at that point")
    func focus() throws {
        let picture = try composite(
            ["--background", "none", "--matte", "depth", "--focus", "0.456,0.83"], of: "absolute-depth.heic")
        #expect(picture.pixel(inside.x, inside.y)[3] == 255)
        #expect(picture.pixel(outside.x, outside.y)[3] == 0)
    }

    @Test("Semantic mattes can be joined")
    func joined() throws {
        let hair = try composite(["--background", "none", "--matte", "hair"])
        let both = try composite(["--background", "none", "--matte", "hair+skin"])
        func covered(_ picture: RasterFile) -> Double {
            stride(from: 3, to: picture.samples.count, by: 4).reduce(0) { $0 + picture.samples[$1] }
        }
        #expect(covered(both) > 1.2 * covered(hair))
    }

    @Test("A photo without matte and depth ends with status 3")
    func nothing() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "composite", TestImages.path("plain.jpg"), "--background", "white", "-o", folder.file("o.png"),
        ])
        #expect(run.status == 3)
        #expect(folder.contents == [])
    }

    @Test("composite is deterministic")
    func deterministic() throws {
        let folder = try TemporaryFolder()
        for name in ["a.jpg", "b.jpg"] {
            let run = try Tool.run([
                "composite", TestImages.path("portrait.heic"), "--background", "teal", "-o",
                folder.file(name),
            ])
            #expect(run.status == 0)
        }
        #expect(try folder.bytes(of: "a.jpg") == folder.bytes(of: "b.jpg"))
    }

    @Test("A folder of backgrounds gives a numbered sequence")
    func sequence() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("b"), withIntermediateDirectories: true)
        for (name, code) in [("f9.ppm", UInt8(90)), ("f10.ppm", 100)] {
            try folder.write(Array("P6 1 1 255\n".utf8) + [code, code, code], to: "b/\(name)")
        }
        let run = try Tool.run([
            "composite", TestImages.path("portrait.jpg"), "--background", folder.file("b"), "-o",
            folder.file("o-%02d.png"),
        ])
        #expect(run.status == 0)
        #expect(folder.contents == ["b", "o-00.png", "o-01.png"])
        // Gray is the same in both color spaces; 9 comes before 10.
        #expect(abs(try RasterFile(folder.file("o-00.png")).pixel(outside.x, outside.y)[1] - 90) <= 1)
        #expect(abs(try RasterFile(folder.file("o-01.png")).pixel(outside.x, outside.y)[1] - 100) <= 1)
    }

    @Test("An empty matte is a warning, and the subject is cut from the depth")
    func emptyMatte() throws {
        let folder = try TemporaryFolder()
        // At most 22 of 255, as phones store where they see nobody.
        try folder.write(Array("P5 48 36 255\n".utf8) + (0..<48 * 36).map { UInt8($0 % 23) }, to: "empty.pgm")
        let made = try Tool.run(
            ["embed", TestImages.path("portrait.jpg"), "--matte", "empty.pgm", "--replace", "-o", "e.jpg"],
            folder: folder.path)
        #expect(made.status == 0, "\(made.messages)")
        let run = try Tool.run(["composite", "e.jpg", "-o", "a.png"], folder: folder.path)
        #expect(
            run.status == 0 && run.messages.contains("warning: the matte is nearly empty"), "\(run.messages)")
        let depth = try Tool.run(
            ["composite", "e.jpg", "--matte", "depth", "-o", "b.png"], folder: folder.path)
        #expect(depth.status == 0 && !depth.messages.contains("nearly empty"), "\(depth.messages)")
        #expect(try folder.bytes(of: "a.png") == folder.bytes(of: "b.png"))
        let given = try Tool.run(
            ["composite", "e.jpg", "--matte", "portrait", "-o", "c.png"], folder: folder.path)
        #expect(given.status == 0 && given.messages.contains("nearly empty"), "\(given.messages)")
    }

    @Test(
        "A background that is neither a file nor a color is refused at once, and both meanings are named",
        arguments: ["biege", "transparent", "sea.jpg"])
    func unknownBackground(name: String) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            ["composite", "missing.heic", "--background", name, "-o", "a.png"], folder: folder.path)
        #expect(
            run.status == 64 && run.messages.contains("no such file, and no such color"), "\(run.messages)")
        #expect(run.messages.contains("'none' is transparent"))
    }

    @Test("A broken background affects only its own frame")
    func brokenFrame() throws {
        let folder = try TemporaryFolder()
        try folder.write("no picture".utf8, to: "b1.ppm")
        try folder.write(Array("P6 1 1 255\n".utf8) + [1, 2, 3], to: "b2.ppm")
        let run = try Tool.run([
            "composite", TestImages.path("portrait.jpg"), "--background", folder.file("b%d.ppm"), "-o",
            folder.file("o%d.png"),
        ])
        #expect(run.status == 1)
        #expect(run.messages.contains("b1.ppm"))
        #expect(folder.contents == ["b1.ppm", "b2.ppm", "o2.png"])
    }

    @Test("Exif is copied upright, and left out with --strip-metadata")
    func metadata() throws {
        for (flags, isKept) in [([], true), (["--strip-metadata"], false)] {
            let folder = try TemporaryFolder()
            let output = folder.file("o.jpg")
            let run = try Tool.run(
                ["composite", TestImages.path("portrait-rotated.jpg"), "--background", "gray", "-o", output]
                    + flags)
            #expect(run.status == 0)
            let info = try Tool.run(["info", "--json", output]).objects()[0]
            #expect(info.integer("orientation") == 1)
            #expect((info.object("camera").text("model") == "Analytic Scene") == isKept)
            #expect(info.integer("width") == 960)
            #expect(info.objects("planes").isEmpty)
        }
    }

    @Test(
        "Invalid composite options are wrong usage",
        arguments: [
            ["--background", "none", "-o", "o.jpg"], ["--background", "#12", "-o", "o.png"],
            ["--background", "white", "-o", "o.gif"],
            ["--background", "white", "-o", "o.png", "--quality", "0"],
            ["--background", "white", "-o", "o.png", "--focus", "2,0"],
            ["--background", "white", "-o", "o.png", "--near", "3", "--far", "2"],
            ["--background", "white", "-o", "o.png", "--matte", "hair", "--far", "2"],
            ["--background", "white", "-o", "o-%d-%d.png"], ["--softness", "0.1", "-o", "o.png"],
            ["--near", "10%", "--softness", "0.1", "-o", "o.png"], ["--upsample", "-o", "o.png"],
        ])
    func usage(options: [String]) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            ["composite", TestImages.path("portrait.jpg")] + options, folder: folder.path)
        #expect(run.status == 64, Comment(rawValue: run.messages))
        #expect(folder.contents == [])
    }

    /// The figure is some 1.4 m away; the wall behind it is replaced.
    @Test("A picture is inserted between subject and background, or before both", arguments: [1.0, 3.0])
    func insertedOverBackground(distance: Double) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("P6 2 2 255\n".utf8) + [UInt8](repeating: 200, count: 12), to: "gray.ppm")
        func picture(_ more: [String], _ name: String) throws -> RasterFile {
            let run = try Tool.run(
                ["composite", TestImages.path("portrait.heic"), "--background", "red", "-o", name] + more,
                folder: folder.path)
            #expect(run.status == 0, "\(run.messages)")
            return try RasterFile(folder.file(name))
        }
        let plain = try picture([], "plain.png")
        let layer = [
            "--layer", "gray.ppm", "--layer-distance", "\(distance)", "--layer-width", "\(distance / 2)",
        ]
        let both = try picture(layer, "both.png")
        var (changedRed, changedSubject) = (0, 0)
        for y in stride(from: 0, to: 720, by: 8) {
            for x in stride(from: 0, to: 960, by: 8) where both.pixel(x, y) != plain.pixel(x, y) {
                #expect(
                    (180...780).contains(x) && (60...660).contains(y), "outside of the picture: \(x), \(y)")
                if plain.pixel(x, y)[1] < 70, plain.pixel(x, y)[0] > 200 {
                    changedRed += 1
                } else {
                    changedSubject += 1
                }
            }
        }
        // f 1200 px: half of the distance wide is 600 px, so much of the background is covered in both cases.
        #expect(changedRed > 500)
        // Behind the subject only its soft edges change; before it, all that is inside the frame.
        #expect(distance < 1.4 ? changedSubject > 500 : changedSubject < 200, "\(changedSubject)")
    }

    @Test("A folder of backgrounds needs a numbered output")
    func sequenceUsage() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "composite", TestImages.path("portrait.jpg"), "--background", folder.path, "-o",
            folder.file("o.png"),
        ])
        #expect(run.status == 64)
        #expect(run.messages.contains("-o needs a number, as in 'out-%04d.jpg'"))
        #expect(folder.contents == [])
    }

    @Test("A matte of another aspect ratio is refused with both sizes")
    func shape() throws {
        let folder = try TemporaryFolder()
        let matte = try folder.write(
            Array("P5 40 40 255\n".utf8) + [UInt8](repeating: 9, count: 1600), to: "m.pgm")
        let run = try Tool.run([
            "composite", TestImages.path("portrait.jpg"), "--background", "white", "--matte", matte, "-o",
            folder.file("o.png"),
        ])
        #expect(run.status == 1)
        #expect(run.messages.contains("40 × 40") && run.messages.contains("960 × 720"))
        #expect(folder.contents == ["m.pgm"])
    }

    @Test("A depth mask that selects nothing is written with a warning that names the depths")
    func empty() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "composite", TestImages.path("absolute-depth.heic"), "--background", "white", "--matte", "depth",
            "--far", "0.5", "-o", folder.file("o.png"),
        ])
        #expect(run.status == 0)
        #expect(run.messages.contains("nothing"))
        #expect(run.messages.contains("1.4"))
    }

    @Test("composite never overwrites an input")
    func inputs() throws {
        let folder = try TemporaryFolder()
        let background = try folder.write(Array("P6 1 1 255\n".utf8) + [1, 2, 3], to: "b.png")
        let run = try Tool.run([
            "composite", TestImages.path("portrait.jpg"), "--background", background, "--force", "-o",
            background,
        ])
        #expect(run.status == 1)
        #expect(run.messages.contains("would replace an input"))
    }
}
