import Bytes
import Foundation
import Isobath
import PhotoFormats
import TestSupport
import Testing

/// What every test image holds, compared with `expected.json`, which is computed without Swift code.
@Suite("Test images")
struct TestImageTests {
    static let apple = [
        "portrait.heic", "portrait-rotated.heic", "absolute-depth.heic", "portrait.jpg",
        "portrait-rotated.jpg",
        "absolute-depth.jpg",
    ]
    static let vendors = [
        "samsung-dualshot.jpg", "samsung-singleshot.jpg", "samsung.heic", "huawei-edof.jpg",
        "xiaomi-pmpd.jpg",
        "vivo.jpg", "oppo.jpg",
    ]
    static let pairs = [
        "stereo.mpo", "stereo-marked.jpg", "stereo-crosseyed.jps", "leia-lif.jpg", "spatial.heic",
        "spatial-uuid.heic",
    ]
    static let google = [
        "gdepth-lens-blur.jpg", "gdepth-portrait.jpg", "gdepth-linear-ray.jpg", "dynamic-depth.jpg",
        "dynamic-depth-ultrahdr.jpg", "xdm.jpg",
    ]
    static let others = ["depth.avif", "lossless-jpeg-depth.heic", "depth.dng", "depth.jxl"]
    static let all =
        apple + ["plain.heic", "plain.jpg"] + vendors + pairs + google + others + ["side-by-side.jpg"]

    /// Fields of `expected.json` that `info` gives in another form, or that are tested below.
    private static let otherFields: Set = ["calibration", "pixels", "type"]

    @Test("info equals expected.json", arguments: all)
    func info(name: String) throws {
        let expected = try TestImages.expected(name)
        let layout = expected.text("layout").map { ["--layout", $0] } ?? []
        let record = try #require(try Tool.run("info --json {\(name)} \(layout)").objects().first)
        #expect(record.text("path") == TestImages.path(name))
        for field in ["width", "height", "orientation"] {
            #expect(record.number(field) == expected.number(field))
        }
        #expect(record.text("container") == expected.text("container"))
        #expect(
            record.texts("warnings").count == expected.integer("warnings") ?? (name == "oppo.jpg" ? 1 : 0))
        #expect(record.objects("trailers").map { $0.text("type") ?? "" } == expected.texts("trailers"))
        let camera = (record.object("camera"), expected.object("camera"))
        for field in ["make", "model"] { #expect(camera.0.text(field) == camera.1.text(field)) }
        #expect(camera.0.integer("focalLength35mm") == camera.1.integer("focalLength35mm"))
        #expect(record.objects("planes").count == expected.objects("planes").count)
        for (found, plane) in zipEqual(record.objects("planes"), expected.objects("planes")) {
            for (field, value) in plane where !Self.otherFields.contains(field) {
                // Pairs are described before their pictures are read.
                if name == "side-by-side.jpg", field == "bitDepth" { continue }
                switch value {
                case is String: #expect(found.text(field) == plane.text(field), "\(field)")
                case is NSNull: #expect(found.isNull(field), "\(field)")
                default: #expect(found.number(field) == plane.number(field), "\(field)")
                }
            }
            // A JPEG's portrait matte has a type and a subtype; the subtype identifies it.
            let type = plane.text("type")
            let types = [type, type?.split(separator: "/").last.map(String.init)]
            #expect(types.contains { $0 == found.text("type") })
            guard Self.google.contains(name), ["depth", "disparity"].contains(plane.text("kind")) else {
                continue
            }
            let (camera, known) = (
                found.object("calibration").object("intrinsics"), expected.object("intrinsics")
            )
            #expect(camera.isEmpty == known.isEmpty)
            let names = ["fx", "fy", "width", "height"]
            #expect(agree(names.compactMap { camera.number($0) }, names.compactMap { known.number($0) }))
            // Files count from the corner of the first pixel.
            let center = ["ox", "oy"].compactMap { known.number($0) }.map { $0 - 0.5 }
            #expect(agree(["cx", "cy"].compactMap { camera.number($0) }, center))
        }
    }

    private func photo(_ name: String) throws -> DepthPhoto {
        var reading = ReadingOptions()
        reading.layout = try TestImages.expected(name).text("layout").flatMap(PairLayout.init)
        let scene = try DepthScene(storedIn: TestImages.path(name), reading: reading)
        return try #require(scene.source as? DepthPhoto)
    }

    @Test(
        "Every plane has the scene's samples, stored and upright",
        arguments: apple + vendors + ["leia-lif.jpg"] + google + others + ["side-by-side.jpg"])
    func codes(name: String) throws {
        let photo = try photo(name)
        for (plane, expected) in zipEqual(photo.planes, try TestImages.expected(name).objects("planes")) {
            for (frame, field) in [(PixelOrientation.stored, "stored"), (.upright, "upright")] {
                let codes = try photo.codes(of: plane, frame: frame)
                #expect(codes.bitDepth == expected.integer("bitDepth"))
                for pixel in expected.objects("pixels") {
                    let place = pixel.numbers(field).map { Int($0) }
                    let index = place[1] * codes.width + place[0]
                    let found =
                        switch codes.codes {
                        case .uint8(let samples): Int(samples[index])
                        case .uint16(let samples): Int(samples[index])
                        }
                    let difference = abs(found - (pixel.integer("code") ?? -99999))
                    #expect(difference <= pixel.integer("tolerance") ?? 0, "\(plane.kind) \(place)")
                }
            }
        }
    }

    @Test(
        "Depth maps hold meters, along the axis where the camera is known, and disparity maps their reciprocals",
        arguments: apple + google + ["lossless-jpeg-depth.heic", "depth.dng"])
    func values(name: String) throws {
        let photo = try photo(name)
        let (depth, disparity) = (try DepthScene(photo).depth(), try DepthScene(photo).disparity())
        let plane = try #require(
            try TestImages.expected(name).objects("planes").first { $0.number("minimum") != nil })
        #expect(depth.scale.accuracy.rawValue == plane.text("accuracy"))
        let isDepth = plane.text("kind") == "depth"
        let range = try #require(photo.storedPlane(isDepth ? .depth : .disparity)?.description.mapping)
        // One step for a JPEG, and Float32 of a range that ends at 20 m.
        let step = Double(abs(range.high - range.low)) / 255
        for pixel in plane.objects("pixels") {
            let place = pixel.numbers("upright").map { Int($0) }
            let index = place[1] * depth.width + place[0]
            let (found, meters) = (Double(depth.meters[index]), try #require(pixel.number("meters")))
            #expect(abs(found * Double(disparity.reciprocalMeters[index]) - 1) <= 1e-6)
            let off = (pixel.number("tolerance") ?? 0) * step * 1.2
            let allowed = isDepth ? off / meters : off * meters
            #expect(abs(isDepth ? found / meters - 1 : meters / found - 1) <= allowed + 2e-6, "\(place)")
        }
    }

    @Test("Depth is close to the scene's true distance")
    func scene() throws {
        let depth = try DepthScene(storedIn: TestImages.path("absolute-depth.heic")).depth()
        let plane = try #require(try TestImages.expected("absolute-depth.heic").objects("planes").first)
        for pixel in plane.objects("pixels") {
            let place = pixel.numbers("upright").map { Int($0) }
            let meters = try #require(pixel.number("sceneMeters"))
            // Half a code of 20 m / 255.
            #expect(abs(Double(depth.meters[place[1] * depth.width + place[0]]) - meters) <= 0.0365)
        }
    }

    @Test("A missing matte is nil, and missing depth is an error")
    func absent() throws {
        let plain = try DepthPhoto(contentsOf: TestImages.path("plain.heic"))
        #expect(try DepthScene(plain).matte(.matte) == nil)
        let error = #expect(throws: SceneError.self) { try DepthScene(plain).depth() }
        #expect(error == .noPlane(nil, available: []))
        let portrait = try DepthPhoto(contentsOf: TestImages.path("portrait.jpg"))
        #expect(try DepthScene(portrait).matte(.matte)?.width == 480)
        #expect(try DepthScene(portrait).matte(.sky) == nil)
    }
}
