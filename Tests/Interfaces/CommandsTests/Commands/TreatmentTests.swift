import Foundation
import TestSupport
import Testing

@Suite("Processing of maps")
struct TreatmentTests {
    /// The file that `extract` writes.
    private func extract(
        _ name: String, _ options: [String], to file: String = "d.tiff",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> RasterFile {
        let folder = try TemporaryFolder()
        let run = try Tool.run(["extract", TestImages.path(name), "-o", folder.file(file)] + options)
        #expect(run.status == 0, sourceLocation: sourceLocation)
        return try RasterFile(folder.file(file))
    }

    /// The step of the codes in `expected.json`.
    private func step(_ name: String) throws -> Double {
        let plane = try #require(try TestImages.expected(name).objects("planes").first)
        return ((plane.number("maximum") ?? 0) - (plane.number("minimum") ?? 0)) / 255
    }

    @Test(
        "Dequantized samples stay within half a step and take many more values",
        arguments: ["portrait.heic", "absolute-depth.heic"])
    func dequantize(name: String) throws {
        let before = try extract(name, [])
        let after = try extract(name, ["--dequantize"])
        let moves = zipEqual(before.samples, after.samples).map { abs($0 - $1) }
        // Float32 rounds both ends of the comparison.
        #expect((moves.max() ?? 1) <= 0.5 * (try step(name)) * 1.0001)
        #expect(Set(after.samples).count > 4 * Set(before.samples).count)
    }

    @Test("Upsampled planes have the photo's size and the plane's values")
    func upsample() throws {
        let small = try extract("portrait.heic", [])
        let large = try extract("portrait.heic", ["--upsample"])
        #expect(large.width == 960 && large.height == 720)
        let (low, high) = (small.samples.min() ?? 0, small.samples.max() ?? 0)
        #expect(large.samples.allSatisfy { ($0 >= low) && ($0 <= high) })
        // Inside a surface nothing changes: test the middle of the sphere and of the figure.
        for (x, y) in [(740, 560), (438, 600)] {
            #expect(abs(large[x, y] - small[x / 5, y / 5]) < 0.01)
        }
    }

    @Test("An upsampled plane follows the orientation")
    func upsampleTurned() throws {
        let upright = try extract("portrait.heic", ["--upsample"], to: "d.png")
        let turned = try extract("portrait-rotated.heic", ["--upsample"], to: "d.png")
        #expect(turned.width == upright.width && turned.height == upright.height)
        let stored = try extract(
            "portrait-rotated.heic", ["--upsample", "--stored-orientation"], to: "d.png")
        #expect(stored.width == 720 && stored.height == 960)
    }

    @Test("An upsampled matte is a matte at the photo's size")
    func upsampleMatte() throws {
        let matte = try extract("portrait.heic", ["--plane", "matte", "--upsample"], to: "m.png")
        #expect(matte.width == 960 && matte.height == 720)
        #expect(matte.bitDepth == 8 && matte.channels == 1)
        #expect(matte[438, 600] == 255)
        #expect(matte[20, 20] == 0)
    }

    @Test("The camera in the record fits the upsampled plane")
    func upsampledCamera() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "extract", TestImages.path("portrait.heic"), "--upsample", "--json", "-o",
            folder.file("d.png"),
        ])
        #expect(run.status == 0)
        let outputs = try #require(run.objects().first?["outputs"] as? [[String: Any]])
        let intrinsics = try #require(outputs.first).object("plane").object("calibration").object(
            "intrinsics")
        #expect(intrinsics.number("width") == 960)
        #expect(intrinsics.number("fx") == 1200)
    }

    /// The ends of matplotlib's tables: `matplotlib.colormaps[name]([0, 255])`, times 255, rounded.
    @Test(
        "Color maps begin and end as matplotlib's do",
        arguments: [
            ("turbo", [48, 18, 59], [122, 4, 3]), ("viridis", [68, 1, 84], [253, 231, 37]),
            ("magma", [0, 0, 4], [252, 253, 191]), ("inferno", [0, 0, 4], [252, 255, 164]),
            ("gray", [0, 0, 0], [255, 255, 255]),
        ])
    func colormap(name: String, far: [Double], near: [Double]) throws {
        let codes = try extract("portrait.heic", [], to: "d.png")
        let colors = try extract("portrait.heic", ["--colormap", name], to: "c.png")
        #expect(colors.channels == 3 && colors.bitDepth == 8)
        let farthest = try #require(codes.samples.firstIndex(of: codes.samples.min() ?? 0))
        let nearest = try #require(codes.samples.firstIndex(of: codes.samples.max() ?? 0))
        #expect(colors.pixel(farthest % codes.width, farthest / codes.width) == far)
        #expect(colors.pixel(nearest % codes.width, nearest / codes.width) == near)
    }

    @Test("--fill-holes changes only holes")
    func fillHoles() throws {
        let folder = try TemporaryFolder()
        // A PGM of 8 × 8 depths of 2000 with a hole of 0 in the middle; a plane is filled with the plane.
        var bytes = Array("P5 8 8 65535\n".utf8)
        for index in 0..<64 { bytes += index == 27 || index == 28 ? [0, 0] : [0x07, 0xD0] }
        let path = try folder.write(bytes, to: "holes.pgm")
        for (flags, expected) in [([], Double.nan), (["--fill-holes"], 2)] {
            let output = folder.file("d\(flags.count).tiff")
            let run = try Tool.run(["extract", path, "--scale", "1000", "-o", output] + flags)
            #expect(run.status == 0)
            let written = try RasterFile(output)
            #expect(written.samples[27].isNaN == expected.isNaN)
            #expect(expected.isNaN || abs(written.samples[27] - expected) < 1e-5)
            #expect(written.samples[0] == 2)
        }
    }

    @Test("--fill-holes says when nothing is known behind, and puts the border eight times as far")
    func unknownBackground() throws {
        let folder = try TemporaryFolder()
        let samples = (0..<64 * 64).map { index -> UInt8 in
            (22..<42).contains(index % 64) && (22..<42).contains(index / 64) ? 50 : 0
        }
        let path = try folder.write(Array("P5 64 64 255\n".utf8) + samples, to: "body.pgm")
        let run = try Tool.run([
            "extract", path, "--scale", "50", "--fill-holes", "-o", folder.file("d.tiff"),
        ])
        #expect(run.messages.contains("nothing is known behind what is near"), "\(run.messages)")
        let written = try RasterFile(folder.file("d.tiff")).samples
        #expect(abs(written[0] - 8) < 1e-4 && written[32 * 64 + 32] == 1)
    }

    @Test(
        "A missing confidence plane is an error that says so",
        arguments: [(["--min-confidence", "1"], "no confidence plane")])
    func missing(flags: [String], words: String) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            ["extract", TestImages.path("portrait.heic"), "-o", folder.file("d.png")] + flags)
        #expect(run.status == 1)
        #expect(run.messages.contains(words))
        #expect(folder.contents == [])
    }

    @Test(
        "Every subcommand treats depth before it uses it",
        arguments: [
            ["cloud"], ["blur", "--picture", "photo"], ["composite", "-b", "white", "--matte", "depth"],
        ])
    func everywhere(command: [String]) throws {
        let folder = try TemporaryFolder()
        let output = folder.file(command[0] == "cloud" ? "c.ply" : "c.png")
        func bytes(_ flags: [String]) throws -> [UInt8] {
            let run = try Tool.run(
                command + [TestImages.path("absolute-depth.heic"), "-o", output, "-f"] + flags)
            #expect(run.status == 0, "\(run.messages)")
            return try folder.bytes(of: String(output.split(separator: "/").last ?? ""))
        }
        let plain = try bytes([])
        #expect(try bytes(["--smooth"]) != plain)
        // There are no holes to fill, and nothing changes.
        #expect(try bytes(["--fill-holes"]) == plain)
        let missing = try Tool.run(
            command + [TestImages.path("absolute-depth.heic"), "-o", output, "-f", "--min-confidence", "1"])
        #expect(missing.status == 1)
        #expect(missing.messages.contains("there is no confidence plane"))
    }

    @Test(
        "Flags that exclude each other are wrong usage",
        arguments: [
            ["--colormap", "turbo", "--values", "millimeters"], ["--colormap", "turbo", "--format", "tiff"],
            ["--plane", "photo", "--upsample"], ["--plane", "matte", "--dequantize"],
            ["--plane", "gain-map", "--upsample"], ["--colormap", "rainbow"], ["--min-confidence", "-1"],
        ])
    func usage(flags: [String]) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            ["extract", TestImages.path("portrait.heic"), "-o", folder.path] + flags)
        #expect(run.status == 64)
        #expect(folder.contents == [])
    }
}
