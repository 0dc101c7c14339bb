import Foundation
import TestSupport
import Testing

@Suite("The subcommand convert")
struct ConvertTests {
    @Test("Many photos go into a folder, one of them bad, and a summary says so")
    func batch() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "convert", TestImages.path("portrait.heic"), TestImages.path("dynamic-depth.jpg"),
            TestImages.path("plain.jpg"), "--to", "apple-jpeg", "-o", folder.file("out/"),
            "--json",
        ])
        #expect(run.status == 3)
        let objects = try run.objects()
        #expect(objects.map { $0.text("schema") } == Array(repeating: "isobath.convert/1", count: 3))
        #expect(objects.map { $0.objects("errors").count } == [0, 0, 1])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("out")).sorted()
        #expect(names == ["dynamic-depth-apple-jpeg.jpg", "portrait-apple-jpeg.jpg"])
    }

    @Test("A pair is found again as one")
    func pair() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "convert", TestImages.path("portrait.jpg"), "--to", "pair", "-o", folder.file("p.jpg"),
        ])
        #expect(run.status == 0)
        #expect(folder.contents == ["p.jpg", "p_depth.png"])
        let (first, second) = (folder.file("a.png"), folder.file("b.png"))
        #expect(try Tool.run(["extract", folder.file("p.jpg"), "-o", first]).status == 0)
        #expect(try Tool.run(["extract", TestImages.path("portrait.jpg"), "-o", second]).status == 0)
        #expect(try RasterFile(folder.file("p_depth.png")).samples == RasterFile(second).samples)
        #expect(try RasterFile(first).samples == RasterFile(second).samples)
    }

    @Test("Layers of OpenEXR have depth in meters, which is read again")
    func layers() throws {
        let folder = try TemporaryFolder()
        let (exr, tiff) = (folder.file("p.exr"), folder.file("p.tiff"))
        let run = try Tool.run(["convert", TestImages.path("absolute-depth.heic"), "--to", "exr", "-o", exr])
        #expect(run.status == 0)
        #expect(run.messages.contains("R, G, B, Z"))
        #expect(try Tool.run(["extract", exr, "-o", tiff]).status == 0)
        let raster = try RasterFile(tiff)
        #expect((raster.width, raster.height) == (480, 360) || raster.width > 192)
        let known = raster.samples.filter(\.isFinite)
        #expect((known.min() ?? 0) > 1.3 && (known.max() ?? 99) < 21)
    }

    @Test(
        "Formats of several inputs are the same isolated, with jobs, and kept with --skip-existing",
        arguments: ["apple-jpeg", "exr"])
    func flags(form: String) throws {
        let folder = try TemporaryFolder()
        let inputs = ["portrait.heic", "portrait-rotated.heic", "absolute-depth.heic"].map(TestImages.path)
        for (name, flags) in [("a", []), ("b", ["--isolate"]), ("c", ["--jobs", "1"]), ("d", ["-j", "2"])] {
            let run = try Tool.run(
                ["convert"] + inputs + ["--to", form, "-o", folder.file(name + "/"), "--quiet"]
                    + flags)
            #expect(run.status == 0, "\(run.messages)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("a")).sorted()
        #expect(names.count == 3)
        for name in names {
            for other in ["b", "c", "d"] {
                #expect(try folder.bytes(of: "a/\(name)") == folder.bytes(of: "\(other)/\(name)"))
            }
        }
        let arguments = ["convert"] + inputs + ["--to", form, "-o", folder.file("a/")]
        #expect(try Tool.run(arguments).status == 1)
        #expect(try Tool.run(arguments + ["--skip-existing"]).status == 0)
        #expect(try Tool.run(arguments + ["--force"]).status == 0)
    }

    @Test("A JPEG is not made HEIC, and the message says why")
    func refused() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            ["convert", TestImages.path("portrait.jpg"), "--to", "apple-heic", "-o", folder.file("p.heic")])
        #expect(run.status == 1)
        #expect(run.messages.contains("would have to be coded as HEVC"))
        #expect(folder.contents.isEmpty)
    }

    @Test("Wrong names and flags are usage errors")
    func usage() throws {
        let photo = TestImages.path("portrait.jpg")
        for arguments in [
            ["--to", "gdepth", "-o", "a.png"], ["--to", "pair", "-o", "-"],
            ["--to", "gif", "-o", "a.gif"], [],
        ] {
            #expect(try Tool.run(["convert", photo] + arguments).status == 64, "\(arguments)")
        }
    }
}
