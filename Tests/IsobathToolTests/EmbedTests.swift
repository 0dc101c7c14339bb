import Foundation
import TestSupport
import Testing

@Suite("The subcommand embed")
struct EmbedTests {
    private let photo = TestImages.path("plain.jpg")
    private let map = TestImages.path("portrait.heic")

    @Test("A map extracted to a PNG file and embedded again has the same codes")
    func throughPNG() throws {
        let folder = try TemporaryFolder()
        let (png, jpeg, again) = (folder.file("d.png"), folder.file("e.jpg"), folder.file("again.png"))
        #expect(try Tool.run(["extract", map, "-o", png]).status == 0)
        let run = try Tool.run(["embed", photo, "--depth", png, "-o", jpeg])
        #expect(run.status == 0)
        #expect(run.messages.contains("exact"))
        #expect(try Tool.run(["extract", jpeg, "-o", again]).status == 0)
        #expect(try RasterFile(again).samples == RasterFile(png).samples)
    }

    @Test("--in-place keeps permissions and time of change, and needs --force")
    func inPlace() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(TestImages.bytes("plain.jpg"), to: "p.jpg")
        let time = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes(
            [.modificationDate: time, .posixPermissions: 0o640], ofItemAtPath: file)
        #expect(try Tool.run(["embed", file, "--depth", map, "--in-place"]).status == 64)
        #expect(try Tool.run(["embed", file, "--depth", map, "--in-place", "--force"]).status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.modificationDate] as? Date == time)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(folder.contents == ["p.jpg"])
        let planes = try Tool.run(["info", file, "--json"]).objects()[0].objects("planes")
        #expect(planes.map { $0.text("kind") } == ["disparity"])
    }

    @Test("The photo is never written unless --in-place says so, and errors leave nothing")
    func refused() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(TestImages.bytes("portrait.jpg"), to: "p.jpg")
        #expect(try Tool.run(["embed", file, "--depth", map, "-o", file, "--force"]).status == 1)
        let clash = try Tool.run(["embed", file, "--depth", map, "-o", folder.file("o.jpg")])
        #expect(clash.status == 1)
        #expect(
            clash.messages.contains("has a disparity plane already; --replace puts the new one in its place"))
        let missing = try Tool.run([
            "embed", file, "--depth", folder.file("none"), "-o", folder.file("o.jpg"),
        ])
        #expect(missing.status == 1)
        #expect(missing.messages.contains("none: "))
        #expect(folder.contents == ["p.jpg"])
        #expect(try folder.bytes(of: "p.jpg") == TestImages.bytes("portrait.jpg"))
    }

    @Test("A line of JSON names format and output")
    func json() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            [
                "embed", photo, "--depth", map, "--format", "dynamic-depth", "-o", folder.file("o.jpg"),
                "--json",
            ])
        let object = try #require(try run.objects().first)
        #expect(object.text("schema") == "isobath.embed/1")
        #expect(object.text("format") == "dynamic-depth")
        #expect(object.objects("outputs").first?.text("path") == folder.file("o.jpg"))
    }

    @Test("It works in an isolated process")
    func isolated() throws {
        let folder = try TemporaryFolder()
        let arguments = ["embed", photo, "--depth", map]
        #expect(try Tool.run(arguments + ["-o", folder.file("a.jpg")]).status == 0)
        #expect(try Tool.run(arguments + ["-o", folder.file("b.jpg"), "--isolate"]).status == 0)
        #expect(try folder.bytes(of: "a.jpg") == folder.bytes(of: "b.jpg"))
    }
}
