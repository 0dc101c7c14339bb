import Foundation
import Isobath
import TestSupport
import Testing

@Suite(
    "Real Google photos", .needsSamples)
struct SampleGoogleTests {
    private let folder = TemporaryFolder()
    private static let files =
        SampleFolder.photos.files(in: "gdepth") + SampleFolder.photos.files(in: "dynamic-depth")

    /// A payload as other readers describe it.
    private struct Payload {
        var kind: String
        var source: String
        var decoded: [String: Any]
        /// Its offset, for payloads after the photo.
        var offset: Int?
    }

    private func truth(_ file: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: SampleFolder.photos.path("truth.json")))
        let all = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        return all.object(file)
    }

    private func payloads(_ truth: [String: Any]) -> [Payload] {
        let kinds = [
            "GDepth:Data": "disparity", "GImage:Data": "original", "android/depthmap": "disparity",
            "android/original_image": "original", "android/confidencemap": "confidence", "Depth": "disparity",
            "Original": "original", "Confidence": "confidence", "GainMap": "gain-map",
        ]
        let inside = truth.objects("embedded").map { (name: $0.text("property"), $0, "google-gdepth") }
        let behind = truth.objects("container_items").map {
            (name: $0.text("DataURI") ?? $0.text("Semantic"), $0, "google-dynamic-depth")
        }
        return (inside + behind).compactMap { name, fields, source in
            guard let kind = name.flatMap({ kinds[$0] }), !fields.object("decoded").isEmpty else {
                return nil
            }
            return Payload(
                kind: kind, source: kind == "gain-map" ? "google-container" : source,
                decoded: fields.object("decoded"), offset: fields.integer("offset_if_packed_at_eof"))
        }
    }

    private func statistics(_ payload: Payload) -> [String: Any] {
        payload.decoded.objects("channels").first ?? payload.decoded
    }

    @Test("Every plane is found with its size, source and range", arguments: files)
    func planes(file: String) throws {
        let truth = try truth(file)
        let run = try Tool.run(
            "info --json \(SampleFolder.photos.path(file))", status: (file.contains("stripped") ? 1 : 0))
        let record = try #require(try run.objects().first)
        let expected = payloads(truth)
        #expect(record.objects("planes").count == expected.count)
        for payload in expected {
            let plane = try #require(record.objects("planes").first { $0.text("kind") == payload.kind })
            #expect([plane.number("width"), plane.number("height")] == payload.decoded.numbers("size"))
            #expect(plane.text("source") == payload.source)
            #expect(plane.integer("orientation") == truth.integer("exif_orientation") ?? 1)
            guard payload.kind == "disparity" else { continue }
            let values = truth.object("xmp").object("values").merging(
                truth.object("extended_xmp_fields").object("values")
            ) {
                first, _ in first
            }
            let near = try #require(
                (values.text("GDepth:Near") ?? values.text("DepthMap:Near")).flatMap(Double.init))
            let far = try #require(
                (values.text("GDepth:Far") ?? values.text("DepthMap:Far")).flatMap(Double.init))
            let range = ["minimum", "maximum"].compactMap { plane.number($0) }
            #expect(agree(range, [Double(Float(1 / far)), Double(Float(1 / near))]))
            let isLensBlur = values["GFocus:FocalDistance"] != nil
            #expect(plane.text("unit") == (isLensBlur ? nil : "1/m"))
            #expect(plane.text("accuracy") == (isLensBlur ? "unknown" : "relative"))
        }
    }

    @Test("Samples equal those of other readers", arguments: files)
    func samples(file: String) throws {
        let photo = try DepthPhoto(contentsOf: SampleFolder.photos.path(file))
        for payload in payloads(try truth(file)) {
            let statistics = statistics(payload)
            guard let minimum = statistics.integer("min"), let mean = statistics.number("mean") else {
                continue
            }
            let kind = try #require(PlaneKind(rawValue: payload.kind))
            let codes = try photo.codes(of: try #require(photo.describe().storedPlane(kind)), frame: .stored)
            guard case .uint8(let samples) = codes.codes else {
                Issue.record("8 bits are expected")
                continue
            }
            let sum = samples.reduce(0) { $0 + Int($1) }
            // The luma of a gray JPEG with three channels is its gray; `truth.json` has four decimals.
            #expect(abs(Double(sum) / Double(samples.count) - mean) <= 0.0001)
            #expect(Int(samples.min() ?? 0) == minimum)
            #expect(Int(samples.max() ?? 0) == statistics.integer("max"))
        }
    }

    @Test("The original is written upright", arguments: files.filter { !$0.contains("stripped") })
    func original(file: String) throws {
        try folder.run("extract \(SampleFolder.photos.path(file)) --plane original -o o.png")
        let image = try RasterFile(folder.file("o.png"), headerOnly: true)
        let truth = try truth(file)
        let size = try #require(payloads(truth).first { $0.kind == "original" }).decoded.numbers("size")
        let isTurned = truth.integer("exif_orientation") ?? 1 >= 5
        #expect([Double(image.width), Double(image.height)] == (isTurned ? size.reversed() : size))
        #expect(image.channels == 3)
    }

    @Test("A stripped trailer is reported, and extracting depth is an error that explains it")
    func stripped() throws {
        let path = SampleFolder.photos.path("dynamic-depth/pixel3axl-portrait-trailers-stripped.jpg")
        let record = try #require(try Tool.run("info --json \(path)", status: 1).objects().first)
        #expect(record.texts("warnings").count == 1)
        try folder.run("extract \(path) -o d.png", status: 1, says: "android/depthmap", "stripped")
    }

    @Test("A Pixel's diopters are read as meters, and its calibration is in the plane's frame")
    func pixel() throws {
        let path = SampleFolder.photos.path("dynamic-depth/pixel3-portrait-200025.jpg")
        let record = try #require(try Tool.run("info --json \(path)").objects().first)
        #expect(record.texts("warnings").count { $0.contains("Units is Diopters but") } == 1)
        let plane = try #require(record.objects("planes").first { $0.text("kind") == "disparity" })
        let camera = plane.object("calibration").object("intrinsics")
        // As in the XMP, less half a pixel.
        #expect(
            agree(
                ["fx", "fy", "cx", "cy", "width", "height"].compactMap { camera.number($0) },
                [3194.8125, 3197.943115, 2022.542603, 1519.887695, 4032, 3024]))
    }

    @Test("Half of every limit suffices for Google photos", arguments: files)
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
}
