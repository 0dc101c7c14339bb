import Bytes
import Isobath
import PhotoFormats
import TestSupport
import Testing

@Suite("Google photos")
struct GooglePhotosTests {
    private let folder = TemporaryFolder()

    @Test(
        "extract writes the values of a Google photo",
        arguments: ["gdepth-portrait.jpg", "dynamic-depth-ultrahdr.jpg", "xdm.jpg"],
        ["d.pfm", "d.png"])
    func extract(name: String, output: String) throws {
        try folder.run("extract {\(name)} --as depth -o \(output)")
        let depth = try DepthScene(storedIn: TestImages.path(name)).depth()
        let found = try DepthScene(storedIn: folder.file(output)).depth()
        #expect([found.width, found.height] == [192, 144])
        // 16 bits over 18.6 meters.
        for (value, truth) in zipEqual(found.meters, depth.meters) { #expect(abs(value - truth) <= 0.0002) }
    }

    @Test("An inverse range is written as disparity with near surfaces bright")
    func inverse() throws {
        try folder.run("extract {gdepth-lens-blur.jpg} -o d.png", says: "(no unit), accuracy unknown")
        let file = try RasterFile(folder.file("d.png"))
        #expect(file.record?.text("quantity") == "disparity")
        #expect(file.record?.isNull("unit") == true)
        #expect((file.record?.number("minimum") ?? 9) < (file.record?.number("maximum") ?? 0))
        let pixels = try TestImages.expected("gdepth-lens-blur.jpg").objects("planes")[0].objects("pixels")
        for pixel in pixels {
            let place = pixel.numbers("upright").map { Int($0) }
            #expect(file[place[0], place[1]] == Double(257 * (255 - (pixel.integer("code") ?? 0))))
        }
    }

    @Test(
        "The original is written in color, upright, with its profile",
        arguments: [
            "gdepth-lens-blur.jpg", "gdepth-portrait.jpg", "dynamic-depth.jpg", "dynamic-depth-ultrahdr.jpg",
            "xdm.jpg",
        ])
    func original(name: String) throws {
        let input = TestImages.path(name)
        for plane in ["original", "photo"] {
            try folder.run("extract \(input) --plane \(plane) -o \(plane).png")
        }
        let (original, photo) = (
            try RasterFile(folder.file("original.png")), try RasterFile(folder.file("photo.png"))
        )
        #expect([original.width, original.height, original.channels] == [480, 360, 3])
        #expect(original.profileSize == 540)
        let total = zipEqual(original.samples, photo.samples).reduce(0) { $0 + abs($1.0 - $1.1) }
        // The same picture at JPEG qualities 80 and 70.
        #expect(total / Double(original.samples.count) < 3)
    }

    @Test("info reports the focus of a photo")
    func focus() throws {
        let record = try Tool.run("info --json {gdepth-lens-blur.jpg}").objects().first
        let blur = try #require(record?.objects("planes").first?.object("blur"))
        #expect(blur.numbers("focalPoint") == [0.45, 0.375])
        #expect(blur.number("focalDistance") == 15)
        #expect(blur.number("blurAtInfinity") == 0.0125)
    }
}
