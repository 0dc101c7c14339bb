import DepthTypes
import Foundation
import RecordingWriting
import TestSupport
import Testing

@Suite("isobath view of a folder")
struct AlbumTests {
    private let folder = TemporaryFolder()

    /// A folder with photos, one in a folder below, and a file that is not a photo.
    private func photos(_ folder: borrowing TemporaryFolder) throws -> String {
        let photos = folder.file("photos")
        try FileManager.default.createDirectory(atPath: photos + "/sub", withIntermediateDirectories: true)
        for (name, copy) in [
            ("portrait.heic", "a.heic"), ("plain.jpg", "sub/p\"><b>&.jpg"), ("absolute-depth.jpg", "r.jpg"),
        ] {
            try FileManager.default.copyItem(atPath: TestImages.path(name), toPath: "\(photos)/\(copy)")
        }
        try "text".write(toFile: photos + "/notes.txt", atomically: true, encoding: .utf8)
        return photos
    }

    @Test("An album in the folder of its photos does not take its thumbnails for photos")
    func inPlace() throws {
        let photos = try photos(folder)
        for _ in 0..<3 {
            try Tool.run("view \(photos) -o \(photos) --force", says: "album of 3 photos")
        }
        #expect(!FileManager.default.fileExists(atPath: photos + "/thumbnails/thumbnails"))
    }

    @Test(
        "A folder becomes an index with thumbnails and a page of each photo", arguments: [[], ["--isolate"]])
    func album(options: [String]) throws {
        let (photos, album) = (try photos(folder), folder.file("album"))
        try Tool.run("view \(photos) -o \(album + "/") \(options)")
        let index = try String(contentsOfFile: album + "/index.html", encoding: .utf8)
        #expect(index.components(separatedBy: "<li ").count == 4)
        for file in [
            "a.heic.html", "r.jpg.html", "sub/p\"><b>&.jpg.html", "thumbnails/a.heic.jpg",
            "thumbnails/sub/p\"><b>&.jpg.jpg", "depths/a.heic.jpg",
        ] {
            #expect(FileManager.default.fileExists(atPath: "\(album)/\(file)"), "\(file)")
        }
        #expect(index.contains("href=\"sub/p%22%3E%3Cb%3E%26.jpg.html\"") && !index.contains("<b>"))
        #expect(index.contains("data-name=\"a.heic\" data-camera=\"Isobath Analytic Scene\""))
        let thumbnail = try RasterFile(album + "/thumbnails/a.heic.jpg")
        #expect(thumbnail.width == 480 && thumbnail.height == 360)
        // Only photos with depth have a small picture of it, which is not larger than the depth.
        #expect(index.contains("src=\"thumbnails/a.heic.jpg\""))
        #expect(index.contains("data-depth=\"depths/a.heic.jpg\""))
        let depth = try RasterFile(album + "/depths/a.heic.jpg")
        #expect(depth.width == 192 && depth.height == 144)
        let page = try String(contentsOfFile: album + "/sub/p\"><b>&.jpg.html", encoding: .utf8)
        #expect(page.contains("<a href=\"../index.html\">All photos</a>"))
    }

    @Test(
        "An index has the time of a photo, to sort by; a page that stands alone does not",
        .needsSamples)
    func times() throws {
        let photos = folder.file("photos")
        try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
        let photo = SampleFolder.photos.path("apple-jpeg/iphonex-matte-sampler.jpg")
        try FileManager.default.copyItem(atPath: photo, toPath: photos + "/a.jpg")
        try folder.run("view \(photos) -o album/")
        let index = try folder.text(of: "album/index.html")
        // exiftool -DateTimeOriginal
        #expect(index.contains("data-time=\"2018-08-30T14:26:13\""))
        try folder.run("view \(photo) -o a.html")
        let page = try folder.text(of: "a.html")
        #expect(!page.contains("data-time") && !page.contains("2018-08-30"))
    }

    @Test(
        "An album has recordings: folders, bags, and folders of bags",
        .needsSystemLibraries,
        arguments: [[], ["--isolate"]])
    func recordings(options: [String]) throws {
        let (folder, room, size) = (
            TemporaryFolder(), TemporaryFolder(), PixelSize(width: 64, height: 48)
        )
        let photos = folder.file("photos")
        let files = FileManager.default
        try files.createDirectory(atPath: photos + "/drive", withIntermediateDirectories: true)
        let bag = BagWriter(
            (0..<3).map { index in
                .image(
                    "/depth", "16UC1", size, (0..<64 * 48).flatMap { _ in littleEndian(2000, 2) },
                    time: Double(index + 1))
            })
        for (name, bytes) in [
            ("a.mcap", try bag.mcap()), ("b.bag", try bag.rosBag()), ("c.db3", try bag.database()),
            ("drive/drive_0.db3", try bag.database()), ("drive/metadata.yaml", Array("a: b\n".utf8)),
            ("notes.txt", Array("text".utf8)),
        ] {
            try folder.write(bytes, to: "photos/" + name)
        }
        try files.copyItem(atPath: TestImages.path("portrait.heic"), toPath: photos + "/d.heic")
        try RecordingTests.write(room)
        try files.copyItem(atPath: room.path, toPath: photos + "/walk")
        let album = folder.file("album")
        try Tool.run("view \(photos) -o \(album + "/") \(options)", says: "album of 1 photo and 5 recordings")
        let index = try String(contentsOfFile: album + "/index.html", encoding: .utf8)
        #expect(index.components(separatedBy: "<li ").count == 7)
        #expect(index.components(separatedBy: "<a ").count == 7)
        #expect(index.components(separatedBy: "recording of 3 frames").count == 5)
        #expect(index.contains("recording of 4 frames") && !index.contains("frame-000000"))
        for name in ["a.mcap", "b.bag", "c.db3", "drive", "walk"] {
            #expect(index.contains("data-name=\"\(name)\""))
            #expect(try RasterFile("\(album)/thumbnails/\(name).jpg").width == (name == "walk" ? 40 : 64))
        }
        for (name, count) in [("b.bag", 3), ("drive", 3), ("walk", 4)] {
            let page = try String(contentsOfFile: "\(album)/\(name).html", encoding: .utf8)
            #expect(
                page.contains("<a href=\"index.html\">All photos</a>") && page.contains("\"total\": \(count)")
            )
        }
    }

    @Test("An album is not replaced unasked, and is completed with --skip-existing")
    func resumed() throws {
        let (photos, album) = (try photos(folder), folder.file("album"))
        let arguments = ["view", photos, "-o", album + "/"]
        try Tool.run("\(arguments)")
        let page = try Data(contentsOf: URL(filePath: album + "/a.heic.html"))
        try Tool.run("\(arguments)", status: 1)
        try FileManager.default.removeItem(atPath: album + "/r.jpg.html")
        try Data("kept".utf8).write(to: URL(filePath: album + "/a.heic.html"))
        try Tool.run("\(arguments) --skip-existing")
        #expect(FileManager.default.fileExists(atPath: album + "/r.jpg.html"))
        #expect(try Data(contentsOf: URL(filePath: album + "/a.heic.html")) == Data("kept".utf8))
        try Tool.run("\(arguments) --force")
        #expect(try Data(contentsOf: URL(filePath: album + "/a.heic.html")) == page)
    }

    @Test("A folder needs a folder for its album, and stands alone")
    func usage() throws {
        let photos = try photos(folder)
        try Tool.run("view \(photos) -o a.html", status: 64)
        try Tool.run("view \(photos) \(photos) -o a/", status: 64)
    }

    @Test("An album inside of its folder does not become part of itself")
    func inside() throws {
        let photos = try photos(folder)
        let arguments = ["view", photos, "-o", photos + "/album/"]
        try Tool.run("\(arguments)")
        try Tool.run("\(arguments) --skip-existing")
        let index = try String(contentsOfFile: photos + "/album/index.html", encoding: .utf8)
        #expect(index.components(separatedBy: "<li ").count == 4)
    }
}
