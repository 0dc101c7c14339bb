import Bytes
import DepthMaps
import DepthTypes
import PhotoEditing
import Scenes
import TestSupport
import Testing

@Suite("Editing photos from the library")
struct PhotoEditorTests {
    private let folder = TemporaryFolder()
    private let map = DepthMap(
        width: 96, height: 72, meters: (0..<96 * 72).map { 1 + Float($0 % 255) / 255 }, scale: .absolute)

    @Test(
        "A map and a matte replace those of a photo, whatever its format",
        arguments: ["portrait.jpg", "portrait.heic"])
    func replacing(name: String) throws {
        let coverage = [UInt8](repeating: 200, count: 96 * 72)
        let edited = try PhotoEditor(contentsOf: TestImages.path(name)).replacing(depth: map, bitDepth: 16)
            .replacing(matte: Matte(width: 96, height: 72, coverage: coverage))
        try edited.write(to: folder.file("p"))
        let scene = try DepthScene(contentsOf: folder.file("p"))
        #expect(try zip(scene.depth().meters, map.meters).allSatisfy { abs($0 - $1) < 1e-4 })
        #expect(try scene.matte()?.coverage == coverage)
        #expect(throws: (any Error).self) { try edited.write(to: folder.file("p")) }
        let without = try edited.removing(.matte)
        try without.write(to: folder.file("p"), replacingExisting: true)
        #expect(try DepthScene(contentsOf: folder.file("p")).matte() == nil)
    }

    @Test(
        "A plane of a kind that is not a matte is refused as one",
        arguments: [PlaneKind.depth, .gainMap, .confidence])
    func noMatte(kind: PlaneKind) throws {
        let editor = try PhotoEditor(contentsOf: TestImages.path("portrait.jpg"))
        #expect(throws: PhotoEditingError.noPlace(kind, .appleJPEG)) {
            try editor.replacing(matte: Matte(width: 1, height: 1, coverage: [0]), kind: kind)
        }
    }

    @Test("A map with unknown samples stays one", arguments: ["portrait.jpg", "portrait.heic"])
    func unknown(name: String) throws {
        var meters = map.meters
        for index in stride(from: 0, to: meters.count, by: 11) { meters[index] = .nan }
        let holes = DepthMap(width: 96, height: 72, meters: meters, scale: .absolute)
        let editor = try PhotoEditor(contentsOf: TestImages.path(name))
        let found = try DepthScene(storedIn: MemorySource(editor.replacing(depth: holes).bytes)).depth()
            .meters
        #expect(found.map(\.isNaN) == meters.map(\.isNaN))
        for (sample, value) in zip(found, meters) where !value.isNaN { #expect(abs(sample - value) < 1e-4) }
        guard name.hasSuffix("jpg") else { return }
        #expect(throws: (any Error).self) { try editor.replacing(depth: holes, as: .gDepth) }
    }

    @Test(
        "A scene becomes a photo with its depth and mattes",
        arguments: [DepthForm.appleJPEG, .gDepth, .dynamicDepth])
    func scene(form: DepthForm) throws {
        let scene = try DepthScene(contentsOf: TestImages.path("portrait-rotated.heic"))
        try scene.write(to: folder.file("p.jpg"), as: form)
        let again = try DepthScene(contentsOf: folder.file("p.jpg"))
        #expect(again.description.colorSize == scene.description.colorSize)
        let (old, new) = (try scene.disparity().reciprocalMeters, try again.disparity().reciprocalMeters)
        #expect(zip(old, new).allSatisfy { abs($0 - $1) < 1e-6 })
        if form == .appleJPEG { #expect(try again.matte(.hair) == scene.matte(.hair)) }
        #expect(throws: PhotoEditingError.notHEVC("jpeg")) {
            try scene.write(to: folder.file("p.heic"), as: .appleHEIC)
        }
    }
}
