import Isobath
import PhotoFormats
import TestSupport
import Testing

@Suite("Info of real photos", .needsSamples)
struct SampleInfoTests {
    /// The planes in the record. Those of tone-mapped images are not in the truth, which older programs wrote.
    private func planes(in file: String) throws -> [[String: Any]] {
        try record(file).objects("planes").filter { $0.text("source") != "heif-tone-map" }
    }

    private func record(_ file: String) throws -> [String: Any] {
        let run = try Tool.run(["info", "--json", SampleFolder.photos.path(file)])
        let isLossy = try SampleTruth(file).missingImages > 0
        #expect(run.status == (isLossy ? 1 : 0))
        #expect(run.messages.isEmpty != isLossy)
        return try #require(try run.objects().first)
    }

    @Test("info names container, stored size, orientation and camera", arguments: SampleTruth.files)
    func photo(file: String) throws {
        let (record, truth) = (try record(file), try SampleTruth(file))
        #expect(record.text("schema") == "isobath.info/1")
        let container = file.hasSuffix("avif") ? "avif" : file.hasSuffix("heic") ? "heif" : "jpeg"
        #expect(record.text("container") == container)
        #expect([record.number("width"), record.number("height")] == truth.size)
        #expect(record.integer("orientation") == truth.orientation)
        #expect(record.object("camera").text("make") == truth.make)
        #expect(record.object("camera").text("model") == truth.model)
        // The iPhone 14's file has two focal lengths.
        let warnings = record.texts("warnings").filter { !$0.contains("focal lengths differ") }
        #expect(warnings.count == truth.missingImages)
    }

    @Test(
        "info lists exactly the planes, by kind, size, bit depth and raw type", arguments: SampleTruth.files
    )
    func planes(file: String) throws {
        let (found, expected) = (try planes(in: file), try SampleTruth(file).planes)
        #expect(found.map { $0.text("kind") } == expected.map(\.kind))
        #expect(found.map { $0.text("type") } == expected.map(\.type))
        #expect(
            found.map { plane in ["width", "height"].compactMap { plane.number($0) } } == expected.map(\.size)
        )
        #expect(found.map { $0.integer("bitDepth") } == expected.map(\.bitDepth))
    }

    @Test("info gives the declared ranges, exact where they were binary16", arguments: SampleTruth.files)
    func ranges(file: String) throws {
        for (plane, truth) in zipEqual(try planes(in: file), try SampleTruth(file).planes) {
            let range = [plane.number("minimum"), plane.number("maximum")]
            #expect(range == truth.range ?? [nil, nil])
            #expect(plane.text("unit") == (truth.range == nil ? nil : truth.kind == "depth" ? "m" : "1/m"))
            #expect(plane.text("accuracy") == truth.accuracy)
            #expect(plane.text("quality") == truth.quality)
            #expect(plane["filtered"] as? Bool == truth.isFiltered)
        }
    }

    @Test(
        "info gives the calibration from pixel centers, in row order and meters", arguments: SampleTruth.files
    )
    func calibration(file: String) throws {
        for (plane, truth) in zipEqual(try planes(in: file), try SampleTruth(file).planes) {
            let calibration = plane.object("calibration")
            let intrinsics = calibration.object("intrinsics")
            let names = ["fx", "fy", "cx", "cy", "width", "height"]
            #expect(agree(names.compactMap { intrinsics.number($0) }, truth.intrinsics))
            let lens = calibration.object("distortion")
            #expect(agree(lens.numbers("coefficients"), truth.distortion))
            #expect(agree(lens.numbers("inverseCoefficients"), truth.inverseDistortion))
            #expect(agree(["centerX", "centerY"].compactMap { lens.number($0) }, truth.distortionCenter))
            let extrinsics = calibration.object("extrinsics")
            #expect(agree(extrinsics.numbers("rotation"), truth.rotation))
            #expect(agree(extrinsics.numbers("translation"), truth.translation))
            #expect(calibration.number("pixelSize") == truth.pixelSize)
            #expect(plane.object("blur").number("simulatedAperture") == truth.simulatedAperture)
        }
    }

    @Test("info names both eyes of a stereo pair", arguments: SampleTruth.files)
    func stereo(file: String) throws {
        let pair = try record(file).object("stereo")
        let items = ["left", "right"].compactMap { pair.object($0).number("item") }
        #expect(items == (try SampleTruth(file).stereo ?? []))
    }

    @Test("Half of every limit suffices for info", arguments: SampleTruth.files)
    func limits(file: String) throws {
        let halves = DecodingLimits.Name.allCases.flatMap {
            ["--limit", "\($0.rawValue)=\($0.defaultValue / 2)"]
        }
        let path = SampleFolder.photos.path(file)
        let (whole, half) = try (
            Tool.run("info --json \(path)", status: nil),
            Tool.run("info --json \(path) \(halves)", status: nil)
        )
        #expect(whole.text == half.text && whole.status == half.status)
    }

    @Test("Half of every limit suffices to decode every plane", arguments: SampleFolder.allPhotos)
    func decodingLimits(file: String) throws {
        var halves = DecodingLimits()
        for name in DecodingLimits.Name.allCases { halves[name] /= 2 }
        let refused = { (error: any Error) -> Bool in
            if case .limitExceeded = (error as? ContainerError)?.reason { true } else { false }
        }
        do {
            let input = try DepthScene(storedIn: SampleFolder.photos.path(file), limits: halves)
            if let photo = input.source as? DepthPhoto {
                for plane in photo.planes {
                    do { _ = try photo.codes(of: plane) } catch { #expect(!refused(error), "\(error)") }
                }
                // Decoding HEIC colors takes seconds in a debug build, so only one grid is decoded.
                guard photo.format != .heif || file.hasSuffix("pug-depth-gainmap.heic") else { return }
                do {
                    _ = try photo.opaqueImage(atLeast: PixelSize(width: 1, height: 1))
                } catch { #expect(!refused(error), "\(error)") }
            } else {
                _ = try input.depth()
            }
        } catch {
            // Files that are not pictures, or have no depth, are refused for other reasons.
            #expect(!refused(error), "\(file): \(error)")
        }
    }

    @Test("A gain map is never listed as depth", arguments: SampleFolder.photos.files(in: "gainmap"))
    func gainMaps(file: String) throws {
        let kinds = try record(file).objects("planes").map { $0.text("kind") }
        #expect(kinds.allSatisfy { $0 == "gain-map" })
        let folder = TemporaryFolder()
        let run = try Tool.run(["extract", SampleFolder.photos.path(file), "-o", folder.file("depth.png")])
        // A plane may be missing because the index names an image that does not exist.
        #expect(run.status == (kinds.isEmpty && file.hasSuffix("jpg") ? 1 : 3))
        #expect(folder.contents == [])
    }
}
