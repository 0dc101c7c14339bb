import Foundation
import TestSupport
import Testing

/// Frames of a square 2 m away, before a wall at 4 m: see `SquareScene`.
@Suite("Frames as images, and as photos")
struct FrameOutputTests {
    private let folder = TemporaryFolder()

    init() throws { try SquareScene.write(into: folder) }

    /// The distances in an image that the tool wrote, as it reads them.
    private func meters(_ name: String) throws -> [Double] {
        try folder.run("extract \(name) --as depth -o values.tiff --force --quiet")
        return try RasterFile(folder.file("values.tiff")).samples
    }

    @Test(
        "Numbered images keep distances, with one range for the complete recording",
        arguments: ["f-%02d.png", "f-%02d.exr", "f-%02d.tiff"])
    func numbered(pattern: String) throws {
        let run = try Tool.run(
            ["extract", "rec", "--scale", "1000", "-o", pattern, "--every", "5"], folder: folder.path)
        let range = pattern.hasSuffix("png") ? ", normalized over the range in their records" : ""
        #expect(run.status == 0 && run.messages.contains("3 frames\(range) → \(pattern)"), "\(run.messages)")
        let first = pattern.replacing("%02d", with: "00")
        let values = try meters(first)
        let known = values.filter(\.isFinite)
        // 60 × 60 samples of the square; the first column is unknown.
        #expect(known.count == (SquareScene.width - 1) * SquareScene.height)
        #expect(known.count { abs($0 - 2) < 0.0001 } == 3600)
        #expect(known.allSatisfy { abs($0 - 2) < 0.0001 || abs($0 - 4) < 0.0001 })
        let third = try meters(pattern.replacing("%02d", with: "10"))
        #expect(third.count { abs($0 - 2) < 0.0001 } == 3600)
    }

    @Test("--near and --far set the range of images, and clip what is outside")
    func range() throws {
        try folder.run("extract rec --scale 1000 -o f-%d.png --near 1 --far 3")
        let known = try meters("f-0.png").filter(\.isFinite)
        #expect(known.allSatisfy { abs($0 - 2) < 0.0001 || abs($0 - 3) < 0.0001 })
    }

    @Test("A folder gets numbered images, named after the recording, with the indices of frames")
    func folderOfFrames() throws {
        let input = ["rec", "--scale", "1000", "--every", "5", "-o"]
        for (arguments, kind) in [
            (["extract"] + input + ["out/"], "depth"),
            (["convert", "--to", "rgbd"] + input + ["out/"], "rgbd"),
            (["blur"] + input + ["out"], "blur"),
            (["composite", "--background", "white"] + input + ["out/"], "composite"),
        ] {
            try folder.run("\(arguments)")
            let names = try folder.contents(of: "out")
            let expected = ["00000", "00005", "00010"].map { "rec-\(kind)-\($0).png" }
            #expect(names.filter { $0.contains(kind) } == expected)
        }
    }

    @Test("Frames are written as disparity in 1/meters", arguments: ["d-%d.exr", "d-%d.png"])
    func disparity(pattern: String) throws {
        let flags = ["--scale", "1000", "--as", "disparity", "--end", "0.1"]
        try folder.run("extract rec -o \(pattern) \(flags)")
        let known = try meters(pattern.replacing("%d", with: "0")).filter(\.isFinite)
        #expect(known.count { abs($0 - 2) < 0.001 } == 3600)
        #expect(known.allSatisfy { abs($0 - 2) < 0.001 || abs($0 - 4) < 0.001 })
        let stored = try folder.run("extract \(pattern.replacing("%d", with: "0")) -o s.pfm --json")
        let plane = try #require(try stored.objects().first?.objects("outputs").first)
        #expect(plane.text("kind") == "disparity", "\(stored.text)")
        for other in [["-o", "d.mp4"], ["-o", "m-%d.png", "--values", "millimeters"]] {
            let refused = try Tool.run(["extract", "rec"] + other + flags, folder: folder.path)
            #expect(refused.status != 0 && refused.messages.contains("--as"), "\(refused.messages)")
        }
    }

    @Test("Images of millimeters say what they hold: they are read in meters without a flag")
    func millimeters() throws {
        try folder.run("extract rec --scale 1000 --values millimeters -o m-%d.png")
        let known = try meters("m-0.png").filter(\.isFinite)
        #expect(known.count == (SquareScene.width - 1) * SquareScene.height)
        #expect(known.count { $0 == 2 } == 3600 && known.allSatisfy { $0 == 2 || $0 == 4 })
    }

    @Test("Holes of frames are filled, and steps removed, as those of photos")
    func treatment() throws {
        try folder.run("extract rec --scale 1000 --fill-holes -o f-%d.exr --end 0.1")
        let values = try meters("f-0.exr")
        // The first column is unknown, and the wall beside it is 4 m away.
        #expect(values.allSatisfy { $0.isFinite })
        #expect((0..<SquareScene.height).allSatisfy { abs(values[$0 * SquareScene.width] - 4) < 0.01 })
        try folder.run("extract rec --scale 1000 --upsample -o u-%d.exr --end 0.1")
        try folder.run("convert rec --to rgbd --smooth -o m.mp4", status: 64, says: "--smooth has no effect")
    }

    /// A picture in a color space of its own, and one that is damaged in its middle.
    @Test(
        "A background of frames is converted and reduced like that of a photo, and its damage is named",
        .needsCases)
    func background() throws {
        let folder = TemporaryFolder()
        func composite(_ background: String, far: String) throws -> (status: Int, messages: String) {
            let run = try Tool.run(
                [
                    "composite", SampleFolder.cases.path(background.folderOfCase + "/rec"), "--far", far,
                    "--softness",
                    "0", "--background", SampleFolder.cases.path(background), "--force", "-o",
                    folder.file("o-%d.png"),
                ])
            return (run.status, run.messages)
        }
        #expect(try composite("b03-frame-background/p3.jpg", far: "2").status == 0)
        let converted = try RasterFile(folder.file("o-0.png")).pixel(48, 32)
        // A red that P3 and sRGB encode differently; sRGB's is 200, 60, 30.
        #expect(zip(converted, [200, 60, 30]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(converted)")
        let damaged = try composite("b03-frame-background/dmg2.jpg", far: "2")
        #expect(damaged.status == 1 && damaged.messages.contains("dmg2.jpg: error: damaged image data"))
        // Black and white in equal parts have half the light of white: sRGB's code 188.
        #expect(try composite("b04-background-aliasing/check.png", far: "0.6").status == 0)
        let reduced = try RasterFile(folder.file("o-0.png")).pixel(5, 5)
        #expect(reduced.prefix(3).allSatisfy { abs(Int($0) - 188) <= 1 }, "\(reduced)")
    }

    @Test(
        "Depth and picture of a frame have the same number where another frame has no depth",
        .needsCases)
    func gaps() throws {
        let folder = TemporaryFolder()
        let movie = SampleFolder.cases.path("n3-frame-numbers-shift/gap.mkv")
        try folder.run(
            "extract \(movie) --scale 1000 --values millimeters -o d-%02d.png", status: 1, says: "frame 2")
        try folder.run("extract \(movie) --plane photo -o p-%02d.png")
        let expected = [0, 1, 3, 4, 5].map { "d-0\($0).png" } + (0..<6).map { "p-0\($0).png" }
        #expect(folder.contents == expected)
    }

    @Test("--frame makes a photo of one frame for every subcommand that makes pictures")
    func frame() throws {
        let frame = ["rec", "--scale", "1000", "--frame", "4"]
        for arguments in [
            ["extract", "-o", "a.exr"], ["extract", "--plane", "photo", "-o", "a.png"],
            ["blur", "-o", "b.png"],
            ["composite", "--far", "3", "-o", "c.png"], ["cloud", "-o", "d.ply"], ["view", "-o", "e.html"],
            ["animate", "--size", "64", "--seconds", "0.2", "-o", "f.gif"],
            ["convert", "--to", "gdepth", "--fill-holes", "-o", "g.jpg"], ["info"],
        ] {
            try folder.run("\(arguments) \(frame)")
        }
        // The square of frame 4 begins at column 38.
        let mask = try RasterFile(folder.file("c.png"))
        let opaque = (0..<SquareScene.width).filter { mask.pixel($0, 60)[3] > 200 }
        #expect(opaque.first == SquareScene.left(4) && opaque.count == 60)
        try folder.run(
            "extract rec --frame 12 -o x.png", status: 1, says: "no frame 12; the recording has 12 frames")
    }

    @Test("A frame of a stream is a photo, too")
    func frameOfStream() throws {
        try folder.run("extract scene.raw --frame 7 -o a.exr \(SquareScene.flags.dropLast(2))")
        #expect(try meters("a.exr").count { abs($0 - 2) < 0.0001 } == 3600)
    }
}

@Suite("Where outputs go")
struct OutputPlaceTests {
    private let photo = TestImages.path("portrait.heic")

    @Test(
        "Without -o an output is named after its input, in the current folder",
        arguments: [
            (["extract"], "portrait-disparity.png"), (["extract", "--as", "depth"], "portrait-depth.png"),
            (["extract", "--plane", "matte", "--format", "tiff"], "portrait-matte.tiff"),
            (["composite"], "portrait-composite.png"),
            (["composite", "-b", "red"], "portrait-composite.jpg"),
            (["blur"], "portrait-blur.jpg"), (["cloud"], "portrait.ply"),
            (["cloud", "--mesh", "--format", "glb"], "portrait.glb"),
            (["convert", "--to", "exr"], "portrait.exr"), (["view"], "portrait.html"),
            (["animate", "--size", "64", "--seconds", "0.1", "--format", "gif"], "portrait-wiggle.gif"),
        ])
    func usual(arguments: [String], name: String) throws {
        let folder = TemporaryFolder()
        try folder.run("\(arguments) \(photo)", says: "→ \(name)")
        #expect(folder.contents == [name])
        try folder.run("\(arguments) \(photo)", status: 1)
    }

    @Test("-o names a folder by a slash, or by one that exists", arguments: ["new/", "old"])
    func folder(name: String) throws {
        let folder = TemporaryFolder()
        try folder.folder("old")
        try folder.run("extract \(photo) {absolute-depth.jpg} -o \(name)")
        #expect(try folder.contents(of: name) == ["absolute-depth-depth.png", "portrait-disparity.png"])
    }

    @Test("--recursive finds photos for every subcommand, and skips other files without a word")
    func recursive() throws {
        let folder = TemporaryFolder()
        for name in ["Photos/a/one.heic", "Photos/two.heic"] {
            try folder.write(TestImages.bytes("portrait.heic"), to: name)
        }
        try folder.write(text: "notes", to: "Photos/notes.txt")
        for verb in [["extract"], ["blur"], ["composite"], ["cloud"], ["convert", "--to", "pair"]] {
            let run = try folder.run(
                "\(verb) --recursive Photos -o out-\(verb[0])/", says: "3 inputs: 2 read")
            #expect(!run.messages.contains("notes"), "\(run.messages)")
        }
    }

    @Test("info --formats lists formats and libraries, in lines and in JSON")
    func formats() throws {
        let run = try Tool.run("info --formats")
        for word in ["Reads\n", "Writes\n", "HEIC", "usdz", "libde265", "FFmpeg"] {
            #expect(run.text.contains(word))
        }
        for flag in ["-r", "--frame=2", "--jobs=2", "-q", "--limit=pixels=5"] {
            try Tool.run("info --formats \(flag)", status: 64, says: " has no effect with --formats")
        }
        let record = try #require(try Tool.run("info --formats --json").objects().first)
        #expect(record.text("schema") == "isobath.formats/1")
        let libraries = record.objects("libraries")
        #expect(libraries.count == 10)
        // The codecs of images are there wherever tests run, and dpkg knows the version of their packages.
        for library in libraries.prefix(5) {
            // Of several, the one of this release is installed.
            let package = try #require(library.text("package")).replacing("|", with: " ")
            let query = try Tool.shell("dpkg-query -W -f '${Version}' \(package) 2> /dev/null", [])
            let version = try #require(library.text("version"))
            // OpenEXR 3.1.13 calls itself 3.1.11.
            let release = version.split(separator: ".").prefix(2).joined(separator: ".")
            #expect(query.text.hasPrefix(release), "\(package) \(version): \(query.text)")
            #expect(run.text.contains(version))
        }
    }
}

extension String {
    /// The folder of a file of a case.
    fileprivate var folderOfCase: String { String(split(separator: "/")[0]) }
}
