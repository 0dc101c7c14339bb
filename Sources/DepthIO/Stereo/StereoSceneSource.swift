package import ByteParsing
package import DepthCore
package import DepthModel
package import EmbeddedFormats
package import ImageCodecs
package import ImageContainers
internal import Synchronization

/// The left picture of a stereo photo, with disparity that is computed from both pictures on first use.
package final class StereoSceneSource: PlaneSource {
    private let photo: DepthPhoto
    private let pair: StereoPair
    private let computed = Mutex<StereoDepth?>(nil)

    init(_ photo: DepthPhoto, _ pair: StereoPair) {
        (self.photo, self.pair) = (photo, pair)
    }

    private func match() throws -> StereoDepth {
        try computed.withLock { known in
            if let known { return known }
            let depth = try StereoDepth(photo, pair)
            known = depth
            return depth
        }
    }

    /// The depth has the size of the left picture, or less if that is too large to match.
    package func describe() -> SceneDescription {
        var scene = photo.describe()
        let upright = pair.left.orientation.size(width: pair.left.width, height: pair.left.height)
        let size = PixelSize(width: upright.width, height: upright.height)
        scene.colorSize = size
        scene.depth = SceneDescription.Depth(size: size, quantity: .disparity, scale: pair.computedScale)
        scene.planes.append(.confidence)
        scene.cameras.file = pair.camera?.oriented(by: pair.left.orientation)
        // Marks are points in the photo, which may differ from the left picture.
        if pair.left.location != photo.description.location || pair.left.crop != photo.description.crop {
            (scene.faces, scene.focusMarks, scene.subjectMark) = ([], [], nil)
        }
        return scene
    }

    package func color(atLeast size: PixelSize?) throws -> ColorImage? { try photo.image(of: pair.left) }

    package func original() throws -> ColorImage? { nil }

    package func depth() throws -> DepthMap { try DepthMap(disparity()) }

    package func disparity() throws -> DisparityMap { try match().disparityMap() }

    package func matte(_ kind: PlaneKind) throws -> Matte? {
        try photo.plane(kind).map { Matte(try photo.codes(of: $0)) }
    }

    package func samples(of kind: PlaneKind) throws -> SamplePlane? {
        kind == .confidence ? try match().confidence() : try photo.samples(of: kind)
    }

    /// Whether the left picture is the photo, and has a gain map.
    package var hasGainMap: Bool {
        pair.left.location == photo.description.location && pair.left.crop == photo.description.crop
            && photo.storedPlane(.gainMap) != nil
    }

    package func gainMap() throws -> GainMap? { hasGainMap ? try photo.ownGainMap() : nil }

    package func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { photo.metadata() }

    package var diagnostics: [Diagnostic] {
        photo.diagnostics + (computed.withLock { $0?.diagnostics } ?? [])
    }

    package func absence(of kind: PlaneKind?) -> any Error { photo.absence(of: kind) }

    package var planes: [PlaneDescription] { photo.planes }

    package var stereo: StereoPair? { pair }

    package func depthPlane() throws -> PlaneDescription { try match().plane }

    /// How far each sample of the disparity can be trusted, described as the file's planes are.
    package func confidencePlane() throws -> PlaneDescription { try match().confidencePlane }

    package func depthSource(of _: PlaneDescription, frame: PixelOrientation) throws -> DepthSource {
        try DepthSource(match().disparityMap(frame: frame))
    }

    package func codes(of _: PlaneDescription, frame: PixelOrientation) throws -> SamplePlane {
        try match().confidence(frame: frame)
    }

    package func guide(frame: PixelOrientation) throws -> ColorImage? {
        try photo.image(of: pair.left, frame: frame)
    }

    package func confidenceCodes(frame: PixelOrientation) throws -> SamplePlane? {
        try match().confidence(frame: frame)
    }

    package func check(_ plane: PlaneDescription, for export: PlaneExport) throws {
        if export.quantity == .depth || export.format == .png && export.pngStyle == .millimeters {
            try plane.scale.requireReciprocal()
        }
    }

    package func summary(name: String) -> [String] { photo.summary(name: name) }

    package func record(path: String, describing: (Diagnostic) -> String) -> JSONValue {
        photo.record(path: path, describing: describing)
    }
}
