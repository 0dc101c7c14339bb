import DepthMaps
import Scenes
import TestSupport
import Testing

@testable import Networks

/// Real networks on real photos, against the mattes that Apple stored in them.
@Suite("Mattes of networks", .needsModels, .needsSamples)
struct MatteSampleTests {
    /// The intersection over the union with Apple's matte, at its size, where both are above one half.
    private func overlap(_ photo: String, _ model: String) throws -> Double {
        let scene = try DepthScene(contentsOf: SampleFolder.photos.path(photo))
        let stored = try #require(try scene.matte())
        let network = try Network(contentsOf: SampleFolder.models.path(model))
        let found = try #require(try network.scene(for: scene).matte())
        let resized = found.resampled(toWidth: stored.width, height: stored.height, by: .bilinear)
        var (common, either) = (0, 0)
        for (one, other) in zip(stored.coverage, resized.coverage) {
            common += one >= 128 && other >= 128 ? 1 : 0
            either += one >= 128 || other >= 128 ? 1 : 0
        }
        return Double(common) / Double(either)
    }

    @Test(
        "MediaPipe's selfie segmentation overlaps with Apple's matte by 96 % and more",
        arguments: ["apple-jpeg/iphonex-matte-sampler.jpg", "apple-heic/iphone14-portrait-all-mattes.heic"])
    func selfie(photo: String) throws {
        #expect(try overlap(photo, "selfie_segmentation.onnx") >= 0.96)
    }

    /// Expected values: onnxruntime 1.28.0 in Python, on the tensor that Pillow and NumPy make of the photo as rembg does.
    @Test(
        "u2netp overlaps as it does in Python",
        arguments: [
            ("apple-jpeg/iphonex-matte-sampler.jpg", 0.8924),
            ("apple-heic/iphone14-portrait-all-mattes.heic", 0.462),
        ])
    func u2netp(photo: String, expected: Double) throws {
        let overlap = try overlap(photo, "u2netp.onnx")
        #expect(abs(overlap - expected) < 0.01)
        if expected > 0.8 { #expect(overlap >= 0.89) }
    }
}
