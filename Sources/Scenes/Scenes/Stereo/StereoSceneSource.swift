package import Bytes
package import Codecs
package import DepthMaps
package import DepthTypes
package import Embedded
package import PhotoFormats
internal import Synchronization

/// The left picture of a stereo photo, with disparity that is computed from both pictures on first use.
package final class StereoSceneSource: PlaneSource {
    /// The file or files of both pictures.
    private let pictures: any PlaneSource
    private let pair: StereoPair
    private let limits: DecodingLimits
    private let computed = Mutex<StereoDepth?>(nil)

    init(_ pictures: any PlaneSource, _ pair: StereoPair, limits: DecodingLimits) {
        (self.pictures, self.pair, self.limits) = (pictures, pair, limits)
    }

    /// Whether the left picture is the photo, which may be another crop or another picture of the file.
    private var showsPhoto: Bool {
        guard let photo = (pictures as? DepthPhoto)?.description else { return true }
        return pair.left.location == photo.location && pair.left.crop == photo.crop
    }

    private func match() throws -> StereoDepth {
        try computed.withLock { known in
            if let known { return known }
            let depth = try StereoDepth(pictures, pair, limits: limits)
            known = depth
            return depth
        }
    }

    /// The depth has the size of the left picture, or less if that is too large to match.
    package func describe() -> SceneDescription {
        var scene = pictures.describe()
        let upright = pair.left.orientation.size(width: pair.left.width, height: pair.left.height)
        let size = PixelSize(width: upright.width, height: upright.height)
        scene.colorSize = size
        scene.depth = SceneDescription.Depth(size: size, quantity: .disparity, scale: pair.computedScale)
        scene.depth?.isMatched = true
        scene.planes.append(.confidence)
        scene.cameras.file = pair.camera?.oriented(by: pair.left.orientation)
        // Marks are points in the photo, which may differ from the left picture.
        if !showsPhoto {
            (scene.faces, scene.focusMarks, scene.subjectMark) = ([], [], nil)
        }
        return scene
    }

    package func color(atLeast size: PixelSize?) throws -> ColorImage? {
        try pictures.view(.left, frame: .upright)
    }

    package func original() throws -> ColorImage? { nil }

    package func depth() throws -> DepthMap { try DepthMap(disparity()) }

    package func disparity() throws -> DisparityMap { try match().disparityMap() }

    package func matte(_ kind: PlaneKind) throws -> Matte? {
        try pictures.matte(kind)
    }

    package func samples(of kind: PlaneKind) throws -> SamplePlane? {
        kind == .confidence ? try match().confidence() : try pictures.samples(of: kind)
    }

    /// Whether the left picture is the photo, and has a gain map.
    package var hasGainMap: Bool {
        showsPhoto && pictures.hasGainMap
    }

    package func gainMap() throws -> GainMap? { hasGainMap ? try pictures.gainMap() : nil }

    package func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { pictures.metadata() }

    package var diagnostics: [Diagnostic] {
        pictures.diagnostics + (computed.withLock { $0?.diagnostics } ?? [])
    }

    package func absence(of kind: PlaneKind?) -> any Error { pictures.absence(of: kind) }

    package var planes: [PlaneDescription] { pictures.planes }

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
        try pictures.view(.left, frame: frame)
    }

    package func confidenceCodes(frame: PixelOrientation) throws -> SamplePlane? {
        try match().confidence(frame: frame)
    }

    package func check(_ plane: PlaneDescription, for export: PlaneExport) throws {
        if export.quantity == .depth || export.format == .png && export.pngStyle == .millimeters {
            try plane.scale.requireReciprocal()
        }
    }

    package func summary(name: String) -> [String] { pictures.summary(name: name) }

    package func record(path: String, describing: (Diagnostic) -> String) -> JSONValue {
        pictures.record(path: path, describing: describing)
    }
}
