internal import ByteParsing
internal import DepthCore
internal import DepthModel
internal import ImageCodecs
internal import ImageContainers
internal import Synchronization

extension DepthInput {
    /// What scenes are made of: the input itself, or its stereo pair where it has no depth and both pictures can be matched.
    package var sceneSource: any DepthSceneSource {
        guard case .photo(let photo) = self, (try? depthPlane()) == nil,
            photo.container.unreadablePlane == nil,
            let pair = photo.description.stereo, pair.isComputable
        else { return self }
        return StereoSceneSource(photo, pair)
    }
}

/// A stereo pair without depth: its left picture, with the disparity that is computed from both when it is asked for.
private final class StereoSceneSource: DepthSceneSource {
    private let photo: DepthPhoto
    private let pair: StereoPair
    private let computed = Mutex<StereoDepth?>(nil)

    init(_ photo: DepthPhoto, _ pair: StereoPair) {
        (self.photo, self.pair) = (photo, pair)
    }

    private func match() throws -> StereoDepth {
        try computed.withLock { known in
            if let known { return known }
            let depth = try StereoDepth(.photo(photo))
            known = depth
            return depth
        }
    }

    /// The depth has the size of the left picture, or less where that is too large to be matched.
    func describe() -> SceneDescription {
        var scene = DepthInput.photo(photo).describe()
        let upright = pair.left.orientation.size(width: pair.left.width, height: pair.left.height)
        let size = PixelSize(width: upright.width, height: upright.height)
        scene.colorSize = size
        scene.depth = SceneDescription.Depth(size: size, quantity: .disparity, scale: pair.computedScale)
        scene.planes.append(.confidence)
        scene.cameras.file = pair.camera?.oriented(by: pair.left.orientation)
        // Marks are places in the photo, which need not be the left picture.
        if pair.left.location != photo.description.location || pair.left.crop != photo.description.crop {
            (scene.faces, scene.focusMarks, scene.subjectMark) = ([], [], nil)
        }
        return scene
    }

    func color(atLeast size: PixelSize?) throws -> ColorImage? { try photo.image(of: pair.left) }

    func original() throws -> ColorImage? { nil }

    func depth() throws -> DepthMap { try DepthMap(disparity()) }

    func disparity() throws -> DisparityMap { try match().disparityMap() }

    func matte(_ kind: PlaneKind) throws -> Matte? { try photo.matte(kind) }

    func samples(of kind: PlaneKind) throws -> SamplePlane? {
        kind == .confidence ? try match().confidence() : try DepthInput.photo(photo).samples(of: kind)
    }

    func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { photo.metadata() }

    var diagnostics: [Diagnostic] {
        photo.diagnostics + (computed.withLock { $0?.diagnostics } ?? [])
    }

    func absence(of kind: PlaneKind?) -> any Error { photo.absence(of: kind) }
}
