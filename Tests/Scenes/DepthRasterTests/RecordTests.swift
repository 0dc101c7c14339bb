import Bytes
import DepthMaps
import DepthTypes
import PhotoFormats
import Scenes
import TestSupport
import Testing

/// Isobath's rasters keep quantity, scale and camera, so that a cloud of a raster equals the photo's cloud.
@Suite struct RecordTests {
    private let folder = TemporaryFolder()

    private func extracted(_ photo: String, _ flags: [String], as name: String, in folder: TemporaryFolder)
        throws -> String
    {
        let output = folder.file(name)
        try Tool.run("extract \(TestImages.path(photo)) -o \(output) \(flags)")
        return output
    }

    @Test(
        "A raster has the scale and the camera of its photo",
        arguments: ["portrait.heic", "portrait.jpg", "gdepth-portrait.jpg", "absolute-depth.heic"],
        ["d.tiff", "d.png", "d.exr"])
    func cameras(photo: String, name: String) throws {
        let wanted = try DepthScene(contentsOf: TestImages.path(photo))
        let found = try DepthScene(contentsOf: extracted(photo, [], as: name, in: folder))
        #expect(try found.camera() == wanted.camera())
        #expect(try found.scale() == wanted.scale())
        #expect(found.description.depth?.quantity == wanted.description.depth?.quantity)
        let depths = zipEqual(try found.depth().meters, try wanted.depth().meters)
        // Unless a 16-bit PNG holds the original codes, it rounds by up to half of 1/65535 of its range.
        for (value, meters) in depths where meters.isFinite {
            #expect(abs(1 / value - 1 / meters) < 1e-4 / meters)
        }
    }

    @Test("The cloud of a raster is that of the photo, point for point", arguments: ["d.tiff", "d.png"])
    func clouds(name: String) throws {
        let raster = try extracted("portrait.heic", [], as: name, in: folder)
        func lines(_ input: String) throws -> [[Double]] {
            try folder.run("cloud \(input) -o c.obj -f")
            return try folder.text(of: "c.obj").split(separator: "\n")
                .filter { $0.hasPrefix("v ") }
                .map { $0.split(separator: " ").dropFirst().prefix(3).compactMap { Double($0) } }
        }
        let (wanted, found) = (try lines(TestImages.path("portrait.heic")), try lines(raster))
        #expect(wanted.count > 1000 && wanted.count == found.count)
        for (one, other) in zipEqual(wanted, found) {
            for (a, b) in zipEqual(one, other) { #expect(abs(a - b) <= 1e-4 * max(1, abs(a))) }
        }
    }

    @Test("A record gives PFM and NPY their quantity and scale", arguments: ["d.pfm", "d.npy"])
    func line(name: String) throws {
        var reading = ReadingOptions()
        let extract = ["extract", TestImages.path("portrait.heic"), "-o", folder.file(name)]
        let run = try Tool.run("\(extract) --json")
        reading.camera = .file(try folder.write(Array(run.text.utf8), to: "line.json"))
        let remark = try Tool.run("\(extract) --force").messages
        #expect(remark.contains("--json prints it, and --camera reads that line"), "\(remark)")
        let found = try DepthScene(storedIn: folder.file(name), reading: reading)
        let wanted = try DepthScene(storedIn: TestImages.path("portrait.heic")).disparity()
        let map = try found.disparity()
        #expect(map.reciprocalMeters == wanted.reciprocalMeters && map.scale == wanted.scale)
        #expect(found.description.storedPlanes.map(\.kind) == [.disparity])
        // The record does not describe a raster of another size, but its camera still applies.
        let other = try file(.npy, in: folder)
        let read = try DepthScene(storedIn: other, reading: reading)
        let planes = read.description.storedPlanes
        #expect(planes.map(\.kind) == [.depth] && planes.first?.calibration != nil)
    }

    @Test("PNG in millimeters reports the range that occurs, and not that of the codes")
    func millimeters() throws {
        let source = try file(.npy, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], in: folder)
        try folder.run("extract \(source) --values millimeters -o o.png", says: "1 to 12 m")
        #expect(try DepthScene(storedIn: folder.file("o.png")).depth().meters[11] == 12)
    }
}
