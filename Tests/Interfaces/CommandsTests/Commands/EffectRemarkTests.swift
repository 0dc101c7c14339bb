import TestSupport
import Testing

/// Remarks on pictures that may differ from the user's expectation.
@Suite("Remarks on effects")
struct EffectRemarkTests {
    private let folder = TemporaryFolder()
    private static let hidden = "nothing of the inserted picture is visible"

    /// The scene of the test images begins at 1.41 m and ends at 20 m.
    @Test(
        "A layer that is hidden by everything is mentioned, also in JSON",
        arguments: [("1000", true), ("1.2", false)])
    func hiddenLayer(distance: String, isHidden: Bool) throws {
        let run = try folder.run(
            """
            composite {absolute-depth.heic} --layer {plain.jpg} --layer-distance \(distance) --json -o o.png
            """)
        #expect(run.messages.contains(Self.hidden) == isHidden, "\(run.messages)")
        let remarks = try run.objects().first?["remarks"] as? [String] ?? []
        #expect(remarks.contains { $0.contains(Self.hidden) } == isHidden)
    }

    @Test(
        "A second blur of a photo that the camera blurred is mentioned",
        arguments: [("photo", true), ("original", false)])
    func secondBlur(origin: String, isSecond: Bool) throws {
        let run = try folder.run("blur {gdepth-lens-blur.jpg} --picture \(origin) -o o.png")
        let text = "blurred this photo already, and it is blurred once more; --picture original"
        #expect(run.messages.contains(text) == isSecond, "\(run.messages)")
    }

    @Test("So is that of an iPhone's portrait, which has no original", .needsSamples)
    func secondBlurWithoutOriginal() throws {
        let photo = SampleFolder.photos.path("apple-jpeg/iphonex-depth-sampler.jpg")
        try folder.run("blur \(photo) -o o.jpg", says: "and it is blurred once more\n")
    }
}
