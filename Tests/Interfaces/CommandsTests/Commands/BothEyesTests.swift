import Foundation
import TestSupport
import Testing

@Suite("Pictures of both eyes")
struct BothEyesTests {
    private let folder = TemporaryFolder()
    @Test("Near objects are farther right for the left eye, by 3 % of the width", arguments: ["png", "tiff"])
    func parallax(format: String) throws {
        try StripedWall.write(into: folder)
        try folder.run(
            "convert \(StripedWall.input) --to side-by-side -o a.\(format)",
            says: "both eyes are rendered from the depth"
        )
        let picture = try RasterFile(folder.file("a.\(format)"))
        #expect(picture.width == 802 && picture.height == 200)
        let (left, right) = (0..<401, 401..<802)
        let square = StripedWall.center(0, left, picture) - StripedWall.center(0, right, picture)
        let stripe = StripedWall.center(2, left, picture) - StripedWall.center(2, right, picture)
        // 3 % of 401 pixels, enlarged by 4.5 % to hide the borders.
        #expect(abs(square - stripe - 0.03 * 401 * 1.045) < 0.3)
    }

    @Test("An anaglyph has the picture's size, and gray in both eyes stays gray")
    func anaglyph() throws {
        try StripedWall.write(into: folder)
        try folder.run("convert \(StripedWall.input) --to anaglyph -o a.png")
        let picture = try RasterFile(folder.file("a.png"))
        #expect(picture.width == 401 && picture.height == 200 && picture.channels == 3)
        #expect(picture.pixel(20, 20).allSatisfy { abs($0 - 100) <= 1 })
        // Red is the left eye's: the square's right edge is farther right there.
        #expect((230..<290).contains { picture.pixel($0, 100)[0] > picture.pixel($0, 100)[1] + 50 })
    }

    @Test("Recorded eyes are taken as they are")
    func recorded() throws {
        for (name, code) in [("left", 40), ("right", 200)] {
            try folder.write(
                Array("P6 32 24 255\n".utf8) + [UInt8](repeating: UInt8(code), count: 32 * 24 * 3),
                to: "\(name).ppm")
        }
        let run = try folder.run("convert left.ppm --right right.ppm --to side-by-side -o a.png")
        #expect(!run.messages.contains("rendered"), "\(run.messages)")
        let picture = try RasterFile(folder.file("a.png"))
        #expect(picture.width == 64 && picture.height == 24)
        #expect(picture.pixel(31, 12) == [40, 40, 40] && picture.pixel(32, 12) == [200, 200, 200])
    }

    @Test("Photos, stereo photos and frames have both eyes", arguments: ["side-by-side", "anaglyph"])
    func inputs(form: String) throws {
        try SquareScene.write(into: folder)
        for (arguments, width, height, isRendered) in [
            ([TestImages.path("portrait.heic")], 960, 720, true),
            ([TestImages.path("spatial.heic")], 480, 360, false),
            (["rec", "--frame", "3", "--scale", "1000"], 160, 120, true),
        ] {
            let run = try folder.run("convert \(arguments) --to \(form) -o a.png --force")
            #expect(
                run.messages.contains("both eyes are rendered from the depth") == isRendered,
                "\(run.messages)")
            let picture = try RasterFile(folder.file("a.png"))
            #expect(picture.width == (form == "anaglyph" ? width : 2 * width), "\(arguments)")
            #expect(picture.height == height, "\(arguments)")
        }
    }

    @Test("Rendered pictures of large photos have 2048 pixels on the longer side, and the remark says so")
    func large() throws {
        let (width, height) = (2560, 1280)
        try folder.write(
            Array("P6 2560 1280 255\n".utf8) + [UInt8](repeating: 90, count: width * height * 3),
            to: "color.ppm")
        let depths = (0..<width * height).flatMap { [UInt8($0 % width < 1280 ? 8 : 16), 0] as [UInt8] }
        try folder.write(Array("P5 2560 1280 65535\n".utf8) + depths, to: "depth.pgm")
        try folder.run(
            "convert \(StripedWall.input) --to side-by-side -o a.png", says: "from the depth, at 2048 × 1024")
        let picture = try RasterFile(folder.file("a.png"))
        #expect(picture.width == 4096 && picture.height == 1024)
    }

    @Test("Neither depth nor a second eye, no picture, and a movie of one picture are refused")
    func refused() throws {
        try StripedWall.write(into: folder)
        for (arguments, status, message) in [
            ([TestImages.path("plain.jpg"), "-o", "a.png"], 3, "no depth"),
            (["depth.pgm", "--scale", "1000", "-o", "a.png"], 3, "this raster has no photo"),
            (
                StripedWall.input + ["-o", "a.mp4"], 1,
                "this is one picture; --to anaglyph writes it as .png or .jpg"
            ),
            (StripedWall.input + ["--strength", "5%", "-o", "a.png"], 64, "--strength"),
        ] {
            let run = try Tool.run(["convert", "--to", "anaglyph"] + arguments, folder: folder.path)
            #expect(run.status == Int32(status) && run.messages.contains(message), "\(run.messages)")
            #expect(!folder.contents.contains { $0.hasPrefix("a.") })
        }
    }
}
