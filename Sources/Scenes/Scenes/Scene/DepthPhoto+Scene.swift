package import DepthMaps
package import DepthTypes
internal import Effects
package import PhotoFormats

extension DepthPhoto: PlaneSource {
    /// The description of the scene, which requires no decoding.
    package func describe() -> SceneDescription {
        var scene = description(
            colorSize: description.orientation.size(width: description.width, height: description.height))
        if let plane = try? depthPlane() {
            scene.depth?.coding = plane.coding
            scene.depth?.isNearSideAssumed = isNearSideAssumed
            scene.cameras.given = givenCamera.map { given in
                CameraCalibration(
                    focalLength: given.focalLength, principalPoint: given.principalPoint,
                    width: plane.uprightSize.width, height: plane.uprightSize.height)
            }
        }
        (scene.cameraMake, scene.cameraModel) = (description.make, description.model)
        scene.cameras.focalLength35mm = (picture?.photo ?? self).description.focalLength35mm
        addMarks(to: &scene)
        return scene
    }

    /// Adds the camera's metadata on the picture: faces, the point of focus, the subject, the time.
    func addMarks(to scene: inout SceneDescription) {
        let (regions, subject) = (regions(), description.subject)
        scene.faces = PhotoRegion.middles(of: .face, in: regions)
        scene.focusMarks += PhotoRegion.middles(of: .focus, in: regions)
        scene.subjectMark = subjectMark
        scene.isCutFromFrame = frameOfMarks?.isLarger ?? false
        scene.subjectDistance = subject.distance.map { Float($0) }
        scene.isBlurredByCamera = scene.isBlurredByCamera || subject.isBackgroundBlurred
        scene.captureTime = description.captureTime
    }

    /// The frame of Exif's positions; `nil` if it was turned.
    private var frameOfMarks: CutFrame? {
        CutFrame(
            description.subject.frame,
            around: PixelSize(width: description.width, height: description.height))
    }

    /// The subject's position, upright; `nil` if it is unknown, or was cut off.
    private var subjectMark: NormalizedPoint? {
        guard let point = description.subject.point, let cut = frameOfMarks?.photoFraction(of: point),
            (0...1).contains(cut.x), (0...1).contains(cut.y)
        else { return nil }
        let upright = description.orientation.point(cut.x, cut.y, width: 1, height: 1)
        return NormalizedPoint(x: upright.x, y: upright.y)
    }

    package var pictureFile: PictureFile? { picture ?? PictureFile(self) }

    /// The picture, upright.
    package func color(atLeast size: PixelSize?) throws -> ColorImage? {
        if isLaidOverWhite { return try pictureFile?.image() }
        return try size.map { try image(atLeastWidth: $0.width, height: $0.height) } ?? image()
    }

    /// A quick view of the picture, upright.
    package func glance(atLeast size: PixelSize) throws -> ColorImage? {
        guard !isLaidOverWhite else { return try color(atLeast: size) }
        return try glance(atLeastWidth: size.width, height: size.height)
    }

    /// The depth, upright.
    package func depth() throws -> DepthMap { try depthMap() }

    /// The disparity, upright.
    package func disparity() throws -> DisparityMap { try disparityMap() }

    /// The samples of a plane, upright; `nil` if there is no plane of that kind, and for planes in color.
    package func samples(of kind: PlaneKind) throws -> SamplePlane? {
        guard kind != .original, let plane = plane(kind) else { return nil }
        return try codes(of: plane)
    }

    package func depthSource(of plane: PlaneDescription, frame: PixelOrientation) throws -> DepthSource {
        let codes = try codes(of: plane, frame: frame)
        let mapping =
            plane.mapping
            ?? SampleMapping(undeclared: plane.kind == .depth ? .depth : .disparity, bitDepth: codes.bitDepth)
        let stored = DepthSource(codes, mapping: mapping, scale: plane.scale)
        return plane.isMeasuredAlongRay ? stored.alongAxis(plane, frame) : stored
    }

    package func guide(frame: PixelOrientation) throws -> ColorImage? { try image(frame: frame) }

    package func confidenceCodes(frame: PixelOrientation) throws -> SamplePlane? {
        try plane(.confidence).map { try codes(of: $0, frame: frame) }
    }

    package var focalLength35mm: Int? { description.focalLength35mm }

    /// Photos ignore a reading, unless it declares the photo a pair.
    package var usesReading: Bool { isPair }

    package var isWithoutDepth: Bool {
        !planes.contains(where: \.kind.isDepth) && container.unreadablePlane == nil
    }

    package var stereo: StereoPair? { description.stereo }

    package func view(_ eye: Eye, frame: PixelOrientation) throws -> ColorImage {
        guard let stereo else { throw SceneError.notStereo("\(eye.rawValue) picture") }
        return try image(of: eye == .left ? stereo.left : stereo.right, frame: frame)
    }

    package func stereoSource() throws -> StereoSceneSource {
        guard let stereo else { throw SceneError.notStereo("stereo pair") }
        return StereoSceneSource(self, stereo, limits: limits)
    }

    package var sceneSource: any PlaneSource {
        guard (try? depthPlane()) == nil, container.unreadablePlane == nil, let stereo, stereo.isComputable
        else { return self }
        return StereoSceneSource(self, stereo, limits: limits)
    }
}

extension PlaneDescription {
    /// The integer coding of the depth; `nil` unless it is coded along the optical axis in the plane's quantity.
    fileprivate var coding: SceneDescription.Coding? {
        guard let mapping, let step = mapping.step, step != 0, !isAlongRay else { return nil }
        return SceneDescription.Coding(
            step: step.magnitude, codeCount: mapping.highCode - mapping.lowCode + 1)
    }
}

extension PhotoRegion {
    /// The centers of the regions of a kind, largest region first.
    fileprivate static func middles(of kind: Kind, in regions: [PhotoRegion]) -> [NormalizedPoint] {
        regions.filter { $0.kind == kind }.sorted { $0.width * $0.height > $1.width * $1.height }
            .map { NormalizedPoint(x: min(max($0.x, 0), 1), y: min(max($0.y, 0), 1)) }
    }
}
