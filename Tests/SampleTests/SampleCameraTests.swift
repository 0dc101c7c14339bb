import Isobath
import TestSupport
import Testing

@Suite(
    "Cameras of real photos", .needsSamples)
struct SampleCameraTests {
    private func record(_ path: String) throws -> (
        camera: [String: Any], plane: [String: Any], warnings: [String]
    ) {
        let run = try Tool.run("info --json \(path)")
        let record = try #require(try run.objects().first)
        let plane = try #require(record.objects("planes").first { $0.text("kind") == "disparity" })
        return (plane.object("calibration").object("intrinsics"), plane, record.texts("warnings"))
    }

    /// The file declares 730.113037 of 2268; its frame of 4:3 has 3024 rows, and 378 of them were cut off at the top.
    @Test("The principal point of a Pixel photo of 16:9 is moved by 378 pixels")
    func wide() throws {
        let found = try record(
            SampleFolder.photos.path("dynamic-depth/pixel4a5g-portrait-ultrahdr-flowsensor.jpg"))
        let y = try #require(found.camera.number("cy"))
        #expect(abs(y - (730.113037 + 378 - 0.5)) < 1e-6)
        #expect(found.warnings.contains { $0.contains("4:3 frame") })
    }

    /// Exif: 30 mm, which are 2676 pixels of the diagonal of 3860; the file has 2085.5 and 2718.4.
    @Test("An iPhone 14 with two focal lengths has the one that agrees with Exif")
    func oblong() throws {
        let found = try record(SampleFolder.photos.path("apple-heic/iphone14-portrait-all-mattes.heic"))
        let lengths = ["fx", "fy"].compactMap { found.camera.number($0) }
        #expect(lengths.count == 2 && lengths.allSatisfy { abs($0 - 2718.4) < 0.1 })
        #expect(found.plane.text("accuracy") == "relative")
        #expect(found.warnings.contains { $0.contains("focal lengths differ") })
    }
}

@Suite("Real files that were misread", .needsWildFiles)
struct WildPhotoTests {
    /// The file declares 687.9104 of 2268.
    @Test("The principal point of a Pixel photo of 16:9 is moved by 378 pixels")
    func wide() throws {
        let run = try Tool.run("info --json \(SampleFolder.wild.path("PXL_20260504_153200200.PORTRAIT.jpg"))")
        let planes = try #require(try run.objects().first).objects("planes")
        let plane = try #require(planes.first { $0.text("kind") == "disparity" })
        let y = try #require(plane.object("calibration").object("intrinsics").number("cy"))
        #expect(abs(y - (687.9104 + 378 - 0.5)) < 1e-6)
    }

    @Test("A HEIC file without 'irot' is turned by --orientation alone")
    func sideways() throws {
        let folder = TemporaryFolder()
        let path = SampleFolder.wild.path("libvips-Example1.heic")
        let info = try Tool.run("info \(path)")
        #expect(info.text.contains("HEIF 4032 × 3024"))
        #expect(info.text.contains("--orientation 6 turns it"))
        try folder.run("extract \(path) --plane photo -o p.png", says: "--orientation 6 turns it")
        let turned = try Tool.run("info \(path) --orientation 6")
        #expect(turned.text.contains("HEIF 3024 × 4032, orientation 6"))
        try folder.run("extract \(path) --orientation 6 -o d.png")
        let written = try RasterFile(folder.file("d.png"), headerOnly: true)
        #expect([written.width, written.height] == [576, 768])
    }
}
