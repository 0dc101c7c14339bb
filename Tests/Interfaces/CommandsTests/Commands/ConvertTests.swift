import Foundation
import TestSupport
import Testing

@Suite("The subcommand convert")
struct ConvertTests {
    private let folder = TemporaryFolder()

    @Test("Many photos go into a folder, one of them bad, and a summary says so")
    func batch() throws {
        let run = try folder.run(
            "convert {portrait.heic} {dynamic-depth.jpg} {plain.jpg} --to apple-jpeg -o out/ --json",
            status: 3)
        let objects = try run.objects()
        #expect(objects.map { $0.text("schema") } == Array(repeating: "isobath.convert/1", count: 3))
        #expect(objects.map { $0.objects("errors").count } == [0, 0, 1])
        #expect(
            try folder.contents(of: "out") == ["dynamic-depth-apple-jpeg.jpg", "portrait-apple-jpeg.jpg"])
    }

    @Test("A pair is found again as one")
    func pair() throws {
        try folder.run("convert {portrait.jpg} --to pair -o p.jpg")
        #expect(folder.contents == ["p.jpg", "p_depth.png"])
        let (first, second) = (folder.file("a.png"), folder.file("b.png"))
        try folder.run("extract p.jpg -o \(first)")
        try Tool.run("extract {portrait.jpg} -o \(second)")
        #expect(try RasterFile(folder.file("p_depth.png")).samples == RasterFile(second).samples)
        #expect(try RasterFile(first).samples == RasterFile(second).samples)
    }

    @Test(
        "Formats of several inputs are the same isolated, with jobs, and kept with --skip-existing",
        arguments: ["apple-jpeg", "exr"])
    func flags(form: String) throws {
        let inputs = ["portrait.heic", "portrait-rotated.heic", "absolute-depth.heic"].map(TestImages.path)
        for (name, flags) in [("a", []), ("b", ["--isolate"]), ("c", ["--jobs", "1"]), ("d", ["-j", "2"])] {
            try folder.run("convert \(inputs) --to \(form) -o \(folder.file(name + "/")) --quiet \(flags)")
        }
        let names = try folder.contents(of: "a")
        #expect(names.count == 3)
        for name in names {
            for other in ["b", "c", "d"] {
                #expect(try folder.bytes(of: "a/\(name)") == folder.bytes(of: "\(other)/\(name)"))
            }
        }
        let arguments = ["convert"] + inputs + ["--to", form, "-o", folder.file("a/")]
        try Tool.run("\(arguments)", status: 1)
        try Tool.run("\(arguments) --skip-existing")
        try Tool.run("\(arguments) --force")
    }

    @Test("A JPEG is not made HEIC, and the message says why")
    func refused() throws {
        try folder.run(
            "convert {portrait.jpg} --to apple-heic -o p.heic", status: 1,
            says: "would have to be coded as HEVC")
        #expect(folder.contents.isEmpty)
    }
}
