import Isobath
import TestSupport
import Testing

@Suite(
    "The lens of real photos' blur", .needsSamples)
struct RenderedLensSampleTests {
    // The phone stores its radii by distance in FocalTable (Tools: base64, pairs of Float32). A line through those that are
    // neither zero nor the largest begins at this distance, and has this slope in pixels of the original's 2688.
    @Test(
        "A Pixel's lens is measured as its own table has it",
        arguments: [
            ("dynamic-depth/pixel3-portrait-200025.jpg", 0.1769, 51.6),
            ("dynamic-depth/pixel4a5g-portrait-ultrahdr-flowsensor.jpg", 0.2958, 39.6),
        ])
    func table(name: String, sharpTo: Double, slope: Double) throws {
        let run = try Tool.run("info --json \(SampleFolder.photos.path(name))")
        let record = try #require(run.objects().first)
        let lens = record.object("lens")
        #expect(lens.text("origin") == "measured")
        let measured = try #require(lens.number("sharpTo"))
        #expect(abs(measured / sharpTo - 1) < 0.03, "\(measured)")
        // r = slope · |1/Z − 1/Z_f| and N = f · (f · 43.2666 / diagonal / 1000) / 2 / slope, in pixels of 2688.
        let plane = try #require(record.objects("planes").first { $0.text("kind") == "disparity" })
        let intrinsics = plane.object("calibration").object("intrinsics")
        let focalLength = try #require(intrinsics.number("fx")) * 2688 / 4032
        let height = try #require(plane.number("height"))
        let diagonal = (2688 * 2688 + height * height).squareRoot()
        let fNumber = focalLength * (focalLength * 43.2666 / diagonal / 1000) / 2 / slope
        #expect(abs(try #require(lens.number("fNumber")) / fNumber - 1) < 0.15)
    }

    @Test(
        "Lens Blur is rendered as strongly as the phone did",
        arguments: ["lensblur-ball", "lensblur-table", "lensblur-veyron"])
    func lensBlur(name: String) throws {
        let scene = try DepthScene(contentsOf: SampleFolder.photos.path("gdepth/\(name).jpg"))
        let blurred = try scene.blurred().color
        #expect(abs(blurred.gradientEnergy / (try scene.color().gradientEnergy) - 1) < 0.15)
    }
}

extension ColorImage {
    /// The sum of squared differences of neighbors' green.
    fileprivate var gradientEnergy: Double {
        guard case .uint8(let pixels) = pixels else { return .nan }
        var sum = 0
        for row in 0..<height - 1 {
            for place in row * width..<(row + 1) * width - 1 {
                let value = Int(pixels[place].green)
                let (right, below) = (
                    Int(pixels[place + 1].green) - value, Int(pixels[place + width].green) - value
                )
                sum += right * right + below * below
            }
        }
        return Double(sum)
    }
}
