import Isobath
import PhotoFormats
import TestSupport
import Testing

@Suite("Values of the test images")
struct ExpectedValuesTests {
    private static let pictures = [
        "portrait.heic", "portrait-rotated.heic", "absolute-depth.heic", "portrait.jpg",
        "portrait-rotated.jpg",
        "absolute-depth.jpg",
    ]

    @Test("Every plane has the scene's samples, stored and upright", arguments: pictures)
    func codes(name: String) throws {
        let photo = try DepthPhoto(contentsOf: TestImages.path(name))
        for (plane, expected) in zipEqual(photo.planes, try TestImages.expected(name).objects("planes")) {
            for (frame, field) in [(PixelOrientation.stored, "stored"), (.upright, "upright")] {
                let codes = try photo.codes(of: plane, frame: frame)
                guard case .uint8(let samples) = codes.codes else {
                    Issue.record("8 bits are expected")
                    continue
                }
                for pixel in expected.objects("pixels") {
                    let place = pixel.numbers(field).map { Int($0) }
                    let difference = abs(
                        Int(samples[place[1] * codes.width + place[0]]) - (pixel.integer("code") ?? 999))
                    #expect(difference <= pixel.integer("tolerance") ?? 0, "\(plane.kind) \(place)")
                }
            }
        }
    }

    @Test("Depth maps hold meters, and disparity maps their reciprocals", arguments: pictures)
    func values(name: String) throws {
        let photo = try DepthPhoto(contentsOf: TestImages.path(name))
        let (depth, disparity) = (try DepthScene(photo).depth(), try DepthScene(photo).disparity())
        let plane = try #require(try TestImages.expected(name).objects("planes").first)
        #expect(depth.scale.accuracy.rawValue == plane.text("accuracy"))
        for pixel in plane.objects("pixels") where pixel.integer("tolerance") == 0 {
            let place = pixel.numbers("upright").map { Int($0) }
            let index = place[1] * depth.width + place[0]
            let meters = try #require(pixel.number("meters"))
            #expect(abs(Double(depth.meters[index]) / meters - 1) <= 1e-6)
            #expect(abs(Double(disparity.reciprocalMeters[index]) * meters - 1) <= 1e-6)
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
