import TestSupport
import Testing

@Suite("Depth images beside photos")
struct DepthPairTests {
    private let folder = TemporaryFolder()

    @Test("name_depth.jpg is used as the depth of name.jpg, white near, and reported")
    func beside() throws {
        try folder.write(TestImages.bytes("plain.jpg"), to: "room.jpg")
        try folder.write(TestImages.bytes("plain.jpg"), to: "room_depth.jpg")
        try folder.run(
            "extract room.jpg -o out.png", says: "using room_depth.jpg beside it",
            "disparity 960 × 720, 0 to 1 (no unit), accuracy unknown")
    }

    @Test("A photo with its own depth ignores the image beside it")
    func own() throws {
        try folder.write(TestImages.bytes("portrait.jpg"), to: "room.jpg")
        try folder.write(TestImages.bytes("plain.jpg"), to: "room_depth.jpg")
        try folder.run("extract room.jpg -o out.png", says: "disparity 192 × 144")
    }

    @Test(
        "Halves of a picture can be photo and depth",
        arguments: [("right", 480, 720), ("left", 480, 720), ("below", 960, 360), ("above", 960, 360)])
    func sideBySide(layout: String, width: Int, height: Int) throws {
        let run = try Tool.run("info {plain.jpg} --layout \(layout) --json")
        let record = try #require(try run.objects().first)
        #expect(record.number("width") == Double(width))
        let plane = try #require(record.objects("planes").first)
        #expect(plane.text("source") == "side-by-side" && plane.text("kind") == "disparity")
        #expect(plane.number("height") == Double(height) && plane["unit"] is String == false)
    }
}
