import Isobath
import TestSupport
import Testing

@Suite("Extracting from real photos", .needsSamples)
struct SampleExtractTests {
    private let folder = TemporaryFolder()
    private static let depthFiles = ["apple-heic", "apple-jpeg", "apple-spatial"].flatMap {
        SampleFolder.photos.files(in: $0)
    }
    .filter { (try? SampleTruth($0).planes.contains { $0.range != nil }) == true }

    @Test("A normalized PNG holds 257 times the stored 8-bit samples", arguments: depthFiles)
    func normalized(file: String) throws {
        try folder.run(
            "extract \(SampleFolder.photos.path(file)) --values normalized --stored-orientation -o d.png")
        let photo = try DepthPhoto(contentsOf: SampleFolder.photos.path(file))
        let codes = try photo.codes(of: photo.describe().requirePlane(nil), frame: .stored)
        guard case .uint8(let stored) = codes.codes else {
            Issue.record("8 bits are expected")
            return
        }
        let written = try RasterFile(folder.file("d.png"))
        #expect([written.width, written.height, written.bitDepth] == [codes.width, codes.height, 16])
        let differences = zipEqual(written.samples, stored).count { $0 != Double($1) * 257 }
        #expect(differences == 0)
        let range = try #require(try SampleTruth(file).planes.compactMap(\.range).first)
        #expect([written.record?.number("minimum"), written.record?.number("maximum")] == range)
    }

    @Test("A TIFF with --as depth holds meters in Float32")
    func meters() throws {
        try folder.run(
            "extract \(SampleFolder.photos.path("apple-jpeg/iphonex-depth-sampler.jpg")) --as depth -o d.tiff"
        )
        let written = try RasterFile(folder.file("d.tiff"))
        #expect([written.width, written.height, written.bitDepth] == [576, 768, 32])
        #expect(written.isFloat)
        // The range was binary16, which has 11 significant bits.
        let precision = 1.0 / 2048
        let (low, high) = (try #require(written.samples.min()), try #require(written.samples.max()))
        #expect(abs(low * 2.509766 - 1) <= precision)
        #expect(abs(high * 0.650879 - 1) <= precision)
        #expect(written.record?.text("unit") == "m")
        #expect(written.record?.text("accuracy") == "relative")
    }

    @Test("A file with two references of one plane is read, which libheif 1.15.1 refuses")
    func manyReferences() throws {
        let file = "apple-spatial/iphone15promax-spatial-depth-gainmap.heic"
        try Tool.run("extract \(SampleFolder.photos.path(file)) --plane all -o \(folder.path)")
        let stem = "iphone15promax-spatial-depth-gainmap"
        // A spatial photo is a stereo pair: both of its pictures are written beside the planes.
        let kinds = ["disparity", "gain-map", "left", "right"]
        #expect(folder.contents == kinds.map { "\(stem)-\($0).png" })
    }

    @Test("Plane and photo of a JPEG with Exif orientation 6 are written in portrait")
    func upright() throws {
        let file = SampleFolder.photos.path("apple-jpeg/iphone7plus-depth-tutorial-06.jpg")
        try folder.run("extract \(file) -o plane.png")
        try folder.run("extract \(file) --plane photo -o photo.png")
        let plane = try RasterFile(folder.file("plane.png"), headerOnly: true)
        let photo = try RasterFile(folder.file("photo.png"), headerOnly: true)
        #expect([plane.width, plane.height] == [576, 768])
        #expect([photo.width, photo.height] == [3024, 4032])
    }

    @Test(
        "A photo without depth ends with status 3",
        arguments: ["visionpro-spatial-photo", "nokia-stereo-1200x800"])
    func noDepth(name: String) throws {
        try folder.run(
            "extract \(SampleFolder.photos.path("apple-spatial/\(name).heic")) -o d.png", status: 3)
        #expect(folder.contents == [])
    }
}
