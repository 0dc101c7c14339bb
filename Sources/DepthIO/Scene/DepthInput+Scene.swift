package import ByteParsing
internal import Compositing
package import DepthCore
package import DepthModel
package import ImageCodecs
internal import ImageContainers
internal import PointClouds

extension DepthInput: DepthSceneSource {
    /// What is known before anything is decoded.
    package func describe() -> SceneDescription {
        var scene = SceneDescription()
        let plane = try? depthPlane()
        scene.colorSize = imageSize().map { PixelSize(width: $0.width, height: $0.height) }
        scene.isLaidOverWhite = isLaidOverWhite
        scene.depth = plane.map { plane in
            let size = plane.orientation.size(width: plane.width, height: plane.height)
            var depth = SceneDescription.Depth(
                size: PixelSize(width: size.width, height: size.height),
                quantity: plane.mapping?.quantity ?? (plane.kind == .disparity ? .disparity : .depth),
                scale: plane.scale)
            (depth.coding, depth.isNearSideAssumed) = (coding(of: plane), isNearSideAssumed)
            if case .raster(let raster) = self { depth.isHeight = raster.rule.isHeight }
            return depth
        }
        scene.planes = planes.filter { $0.index == 0 && $0.readError == nil }.map(\.kind)
        // A picture beside the depth has planes of its own, of which this one is used.
        if isLaidOverWhite, !scene.planes.contains(.alpha) { scene.planes.append(.alpha) }
        scene.originalSize = originalPlane.map { plane in
            let size = plane.orientation.size(width: plane.width, height: plane.height)
            return PixelSize(width: size.width, height: size.height)
        }
        if case .photo(let photo) = self {
            (scene.cameraMake, scene.cameraModel) = (photo.description.make, photo.description.model)
        }
        scene.cameras.given = givenCamera
        scene.cameras.file = plane?.calibration(in: .upright)
        scene.cameras.focalLength35mm = focalLength35mm
        let regions = pictureRegions()
        scene.faces = marks(.face, regions)
        scene.focusMarks = focalPoint(of: plane) + marks(.focus, regions)
        let subject = pictureSubject()
        scene.subjectMark = subject.point.map { NormalizedPoint(x: $0.x, y: $0.y) }
        scene.subjectDistance = subject.distance.map { Float($0) }
        scene.isBlurredByCamera = subject.isBackgroundBlurred || scene.originalSize != nil
        scene.captureTime = captureTime
        scene.simulatedAperture = plane?.blur?.simulatedAperture.map { Float($0) }
        return scene
    }

    private var isLaidOverWhite: Bool { colors?.hasAlpha ?? false }

    /// The picture that the scene shows: beside the depth, or the photo itself.
    private var colors: PictureFile? {
        switch self {
        case .photo(let photo): photo.picture ?? PictureFile(photo)
        case .raster(let raster): raster.color
        }
    }

    /// The codes of depth that is coded along the optical axis in the quantity that the plane has.
    private func coding(of plane: AuxiliaryPlane) -> SceneDescription.Coding? {
        if case .raster(let raster) = self { return raster.rule.coding }
        guard let mapping = plane.mapping, let step = mapping.step, step != 0, !plane.isAlongRay else {
            return nil
        }
        return SceneDescription.Coding(
            step: step.magnitude, codeCount: mapping.highCode - mapping.lowCode + 1)
    }

    private var isNearSideAssumed: Bool {
        switch self {
        case .photo(let photo): photo.isNearSideAssumed
        case .raster(let raster): raster.rule.isNearSideAssumed
        }
    }

    /// The picture, upright; `nil` where there is none.
    package func color(atLeast size: PixelSize?) throws -> ColorImage? {
        if isLaidOverWhite { return try colors?.image() }
        guard let size, case .photo(let photo) = self else { return try image() }
        return try photo.image(atLeastWidth: size.width, height: size.height)
    }

    /// The picture for a glance, upright; `nil` where there is none.
    package func glance(atLeast size: PixelSize) throws -> ColorImage? {
        guard case .photo(let photo) = self, !isLaidOverWhite else { return try color(atLeast: size) }
        return try photo.glance(atLeastWidth: size.width, height: size.height)
    }

    /// The picture with its opacity, upright; `nil` where it is opaque.
    package func translucentPicture() throws -> Picture? {
        guard let colors, colors.hasAlpha else { return nil }
        return Picture(try colors.translucentImage())
    }

    /// The picture before an effect was rendered into it, upright; `nil` where there is none.
    package func original() throws -> ColorImage? {
        guard case .photo(let photo) = self, let plane = originalPlane else { return nil }
        return try photo.color(of: plane)
    }

    private var originalPlane: AuxiliaryPlane? { plane(.original).flatMap { $0.readError == nil ? $0 : nil } }

    /// The depth, upright.
    package func depth() throws -> DepthMap { try depthMap() }

    /// The disparity, upright.
    package func disparity() throws -> DisparityMap { try disparityMap() }

    /// A matte, upright; `nil` where there is none of that kind.
    package func matte(_ kind: PlaneKind) throws -> Matte? {
        guard kind == .alpha else { return try matte(kind, frame: .upright) }
        return try translucentPicture()?.alpha
    }

    /// The samples of a plane, upright; `nil` where there is none of that kind, and for planes in color.
    package func samples(of kind: PlaneKind) throws -> SamplePlane? {
        guard case .photo(let photo) = self, kind != .original, let plane = plane(kind) else { return nil }
        return try photo.codes(of: plane)
    }

    /// What a picture keeps of the picture's Exif and XMP.
    package func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { pictureMetadata() }

    /// The camera that was given by hand, in upright samples of the depth; `nil` where none was.
    private var givenCamera: CameraCalibration? {
        switch self {
        case .raster(let raster): return raster.hasGivenCamera ? raster.plane?.calibration(in: .upright) : nil
        case .photo(let photo):
            guard let plane = try? depthPlane(), let given = photo.givenCamera else { return nil }
            let size = plane.orientation.size(width: plane.width, height: plane.height)
            return CameraCalibration(
                focalLength: given.focalLength,
                principalPoint: given.principalPoint, width: size.width,
                height: size.height)
        }
    }

    private func marks(_ kind: PhotoRegion.Kind, _ regions: [PhotoRegion]) -> [NormalizedPoint] {
        regions.filter { $0.kind == kind }.sorted { $0.width * $0.height > $1.width * $1.height }
            .map { NormalizedPoint(x: min(max($0.x, 0), 1), y: min(max($0.y, 0), 1)) }
    }

    /// The point of the portrait effect, which the plane knows.
    private func focalPoint(of plane: AuxiliaryPlane?) -> [NormalizedPoint] {
        guard let plane, let point = plane.blur?.focalPoint, (0...1).contains(point.x),
            (0...1).contains(point.y)
        else { return [] }
        let upright = plane.orientation.point(point.x, point.y, width: 1, height: 1)
        return [NormalizedPoint(x: upright.x, y: upright.y)]
    }
}
