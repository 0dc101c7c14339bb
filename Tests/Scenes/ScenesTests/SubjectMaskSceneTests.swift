import Bytes
import DepthMaps
import DepthTypes
import Effects
import Scenes
import TestSupport
import Testing

/// Masks of the figure of `absolute-depth.heic`, which stands at the left of the middle.
@Suite("The subject of a scene's depth")
struct SubjectMaskSceneTests {
    private static let face = NormalizedPoint(x: 0.45, y: 0.4)
    private static let sky = NormalizedPoint(x: 0.1, y: 0.1)

    /// The mask of the scene with marks of a camera.
    private func mask(faces: [NormalizedPoint] = [], focus: [NormalizedPoint] = []) throws -> SceneMatte {
        let scene = try DepthScene(contentsOf: TestImages.path("absolute-depth.heic"))
        var description = scene.description
        (description.faces, description.focusMarks) = (faces, focus)
        return try DepthScene(ComputedSource(description, over: scene) { _, _, _ in false })
            .subjectMatte(.depth(.automatic))
    }

    private func covers(_ point: NormalizedPoint, in matte: Matte) -> Bool {
        matte.coverage[
            Int(point.y * Double(matte.height)) * matte.width + Int(point.x * Double(matte.width))] >= 128
    }

    @Test("The subject is the object at the face, otherwise at the focus, otherwise in the middle")
    func seeds() throws {
        for found in [
            try mask(faces: [Self.face], focus: [Self.sky]), try mask(focus: [Self.face]), try mask(),
        ] {
            #expect(covers(Self.face, in: found.matte) && !covers(Self.sky, in: found.matte))
            #expect(found.diagnostics.isEmpty)
        }
        // A focus on the background is no subject.
        let other = try mask(focus: [Self.sky])
        #expect(covers(Self.face, in: other.matte) && !covers(Self.sky, in: other.matte))
        #expect(other.diagnostics.map(\.code) == [.focusOutsideSubject])
    }

    @Test("A face outside the subject is a warning")
    func faces() throws {
        let found = try mask(faces: [Self.face, Self.sky]).diagnostics
        #expect(
            found == [.warning(.focusOutsideSubject, "1 of the 2 faces are outside the depth mask")])
    }

    @Test(
        "An arm that reaches from the camera to a cup is not cut off",
        .needsSamples)
    func arm() throws {
        let scene = try DepthScene(
            contentsOf: SampleFolder.photos.path("apple-jpeg/iphone12mini-depth-gainmap.jpeg"))
        let matte = try scene.subjectMatte(.depth(.automatic)).matte
        for (x, y) in [(0.06, 0.75), (0.14, 0.67), (0.55, 0.55)] {
            #expect(covers(NormalizedPoint(x: x, y: y), in: matte))
        }
    }

    @Test(
        "The subject overlaps with the matte that the phone stored by 97 %",
        .needsSamples,
        arguments: ["apple-jpeg/iphonex-matte-sampler.jpg", "apple-heic/iphone14-portrait-all-mattes.heic"])
    func portraits(name: String) throws {
        let scene = try DepthScene(contentsOf: SampleFolder.photos.path(name))
        let stored = try #require(try scene.matte())
        let found = try scene.subjectMatte(.depth(.automatic)).matte
            .resampled(toWidth: stored.width, height: stored.height, by: .bilinear)
        var (common, either) = (0, 0)
        for (one, other) in zip(stored.coverage, found.coverage) {
            common += one >= 128 && other >= 128 ? 1 : 0
            either += one >= 128 || other >= 128 ? 1 : 0
        }
        #expect(Double(common) >= 0.97 * Double(either))
    }
}
