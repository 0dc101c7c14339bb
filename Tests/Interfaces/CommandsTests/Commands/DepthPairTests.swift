import TestSupport
import Testing

@Suite("Depth images beside photos")
struct DepthPairTests {
    @Test("name_depth.jpg is used as the depth of name.jpg, white near, and reported")
    func beside() throws {
        let folder = try TemporaryFolder()
        try folder.write(try TestImages.bytes("plain.jpg"), to: "room.jpg")
        try folder.write(try TestImages.bytes("plain.jpg"), to: "room_depth.jpg")
        let run = try Tool.run(["extract", folder.file("room.jpg"), "-o", folder.file("out.png")])
        #expect(run.status == 0)
        #expect(run.messages.contains("using room_depth.jpg beside it"))
        #expect(run.messages.contains("disparity 960 × 720, 0 to 1 (no unit), accuracy unknown"))
    }

    @Test("A photo with its own depth ignores the image beside it")
    func own() throws {
        let folder = try TemporaryFolder()
        try folder.write(try TestImages.bytes("portrait.jpg"), to: "room.jpg")
        try folder.write(try TestImages.bytes("plain.jpg"), to: "room_depth.jpg")
        let run = try Tool.run(["extract", folder.file("room.jpg"), "-o", folder.file("out.png")])
        #expect(run.messages.contains("disparity 192 × 144"))
    }

    @Test(
        "Halves of a picture can be photo and depth",
        arguments: [("right", 480, 720), ("left", 480, 720), ("below", 960, 360), ("above", 960, 360)])
    func sideBySide(layout: String, width: Int, height: Int) throws {
        let run = try Tool.run(["info", TestImages.path("plain.jpg"), "--layout", layout, "--json"])
        let record = try #require(try run.objects().first)
        #expect(record.number("width") == Double(width))
        let plane = try #require(record.objects("planes").first)
        #expect(plane.text("source") == "side-by-side" && plane.text("kind") == "disparity")
        #expect(plane.number("height") == Double(height) && plane["unit"] is String == false)
    }
}
