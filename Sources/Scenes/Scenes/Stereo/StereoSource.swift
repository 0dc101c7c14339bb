internal import Bytes
internal import Codecs
package import DepthMaps
package import DepthTypes
package import Effects
internal import PhotoFormats
internal import StereoMatching
internal import Synchronization

/// The left picture of a stereo photo, with disparity that is computed from both pictures on first use.
final class StereoSource: SceneSource {
    /// The file or files of both pictures.
    private let pictures: DepthScene
    private let pair: StereoPair
    private let computed = Mutex<StereoDepth?>(nil)

    init(_ pictures: DepthScene, _ pair: StereoPair) { (self.pictures, self.pair) = (pictures, pair) }

    /// Whether the left picture is the photo, which may be another crop or another picture of the file.
    private var showsPhoto: Bool { pictures.description.file?.isLeftPicture ?? true }

    private func match() throws -> StereoDepth {
        try computed.withLock { known in
            if let known { return known }
            let depth = try StereoDepth(
                pictures, pair, limits: pictures.description.file?.limits ?? DecodingLimits())
            known = depth
            return depth
        }
    }

    /// The depth has the size of the left picture, or less if that is too large to match.
    func describe() -> SceneDescription {
        var scene = pictures.description
        let upright = pair.left.orientation.size(width: pair.left.width, height: pair.left.height)
        let size = PixelSize(width: upright.width, height: upright.height)
        (scene.colorSize, scene.originalSize) = (size, nil)
        scene.depth = SceneDescription.Depth(size: size, quantity: .disparity, scale: pair.computedScale)
        scene.depth?.isMatched = true
        let planes = [PlaneKind.disparity, .confidence].map { pair.computedPlane($0, size) }
        scene.chosenDepth = planes[0]
        scene.storedPlanes.removeAll { $0.kind.isDepth || $0.kind == .confidence }
        scene.storedPlanes += planes
        scene.planes.append(.confidence)
        scene.cameras.file = pair.camera?.oriented(by: pair.left.orientation)
        // Marks are points in the photo, which may differ from the left picture.
        if !showsPhoto {
            (scene.faces, scene.focusMarks, scene.subjectMarks) = ([], [], [])
            scene.hasGainMap = false
        }
        return scene
    }

    func decode(_ id: PlaneID, as request: PlaneRequest, into plane: inout DecodedPlane) throws {
        switch id {
        case .picture: plane = try pictures.plane(.eye(.left), as: request)
        case .plane(.original, _): return
        case .plane(.disparity, 0):
            let depth = try match()
            plane = DecodedPlane(depth.disparityMap(frame: request.frame), depth.plane)
        case .plane(.confidence, 0):
            let depth = try match()
            plane = DecodedPlane(depth.confidence(frame: request.frame), depth.confidencePlane)
        case .gainMap where !showsPhoto: return
        case .eye, .plane, .gainMap: plane = try pictures.plane(id, as: request)
        }
    }

    func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { pictures.metadata() }

    var diagnostics: [Diagnostic] {
        pictures.diagnostics + (computed.withLock { $0?.diagnostics } ?? [])
    }
}

extension DepthScene {
    /// The picture of an eye, upright or as stored. Throws ``SceneError/notStereo(_:)`` where the scene has no such picture.
    package func view(_ eye: Eye, frame: PixelOrientation = .upright) throws -> ColorImage {
        guard let image = try plane(.eye(eye), as: PlaneRequest(frame: frame)).image else {
            throw SceneError.notStereo("\(eye.rawValue) picture")
        }
        return image
    }

    /// Whether the pictures of both eyes were recorded.
    package var hasBothEyes: Bool {
        description.stereo != nil || description.eyes?.areBothRead == true
    }

    /// The longest side of an eye's rendered picture. Rendering takes five times as long and as much memory with twice the side.
    private static let longestEye = 2048

    /// The pictures of both eyes in one, upright: side by side, or an anaglyph. Where one eye was recorded, both are rendered
    /// from its picture and the depth, in sRGB, with at most 2048 pixels on the longer side.
    ///
    /// Throws ``StereoError/differentSizes(left:right:)``, ``SceneError`` with neither a second picture nor depth, and errors
    /// of decoding.
    package func picture(ofBothEyes form: StereoForm) throws -> ColorImage {
        let longest = description.colorSize.map { max($0.width, $0.height) } ?? 0
        let side = longest > Self.longestEye ? Self.longestEye : nil
        let moving = hasBothEyes ? nil : try MovingScene(self, longestSide: side)
        func image(_ eye: Eye) throws -> ColorImage { try moving?.picture(of: eye) ?? view(eye) }
        let (left, right) = try (image(.left), image(.right))
        guard left.width == right.width, left.height == right.height else {
            throw StereoError.differentSizes(
                left: SIMD2(left.width, left.height), right: SIMD2(right.width, right.height))
        }
        return StereoPicture.joined(left, right, form)
    }
}
