internal import Bytes
internal import Codecs
package import DepthMaps
package import DepthTypes
internal import Effects
internal import PhotoFormats

// The parts of a scene that are the same for all kinds of files.
extension PlaneSource {
    /// What the planes declare; `colorSize` is the size of the picture.
    func description(colorSize: (width: Int, height: Int)?) -> SceneDescription {
        var scene = SceneDescription()
        let plane = try? depthPlane()
        scene.colorSize = colorSize.map { PixelSize(width: $0.width, height: $0.height) }
        scene.isLaidOverWhite = isLaidOverWhite
        scene.depth = plane.map { plane in
            SceneDescription.Depth(
                size: plane.uprightSize,
                quantity: plane.mapping?.quantity ?? (plane.kind == .disparity ? .disparity : .depth),
                scale: plane.scale)
        }
        scene.planes = planes.filter { $0.index == 0 && $0.readError == nil }.map(\.kind)
        // Of a separate picture file, only the alpha is used, not its planes.
        if isLaidOverWhite, !scene.planes.contains(.alpha) { scene.planes.append(.alpha) }
        scene.originalSize = originalPlane?.uprightSize
        scene.effectLens = plane?.blur?.lens
        scene.isBlurredByCamera = scene.originalSize != nil || scene.effectLens != nil
        scene.cameras.file = plane?.calibration(in: .upright)
        scene.focusMarks = plane?.focalPoint.map { [$0] } ?? []
        scene.simulatedAperture = plane?.blur?.simulatedAperture.map { Float($0) }
        return scene
    }

    var isLaidOverWhite: Bool { pictureFile?.hasAlpha ?? false }

    private var originalPlane: PlaneDescription? {
        plane(.original).flatMap { $0.readError == nil ? $0 : nil }
    }

    /// The picture with its opacity, upright; `nil` if it is opaque.
    package func translucentPicture() throws -> Picture? {
        guard let pictureFile, pictureFile.hasAlpha else { return nil }
        return Picture(try pictureFile.translucentImage())
    }

    /// Whether the file with the picture has a gain map.
    package var hasGainMap: Bool { pictureFile?.hasGainMap ?? false }

    /// The gain map of the file with the picture, upright; `nil` without one.
    package func gainMap() throws -> GainMap? { try pictureFile?.gainMap() }

    /// The picture from before an effect was rendered into it, upright; `nil` if missing.
    package func original() throws -> ColorImage? {
        try originalPlane.flatMap { try color(of: $0, frame: .upright) }
    }

    /// A matte, or the opacity of the picture, upright; `nil` without one of that kind, and for kinds that are neither.
    package func matte(_ kind: PlaneKind) throws -> Matte? {
        if kind == .alpha { return try translucentPicture()?.alpha }
        guard kind.isCoverage, let plane = plane(kind) else { return nil }
        return Matte(try codes(of: plane, frame: .upright))
    }
}

extension BlurParameters {
    /// The lens of Lens Blur; `nil` if it is not declared, or if nothing was blurred.
    fileprivate var lens: RenderedLens? {
        guard let focalDistance, let blurAtInfinity else { return nil }
        return RenderedLens(focus: Float(1 / focalDistance), blurAtInfinity: Float(blurAtInfinity))
    }
}

extension PlaneDescription {
    /// The size of the plane once it is turned upright.
    var uprightSize: PixelSize {
        let size = orientation.size(width: width, height: height)
        return PixelSize(width: size.width, height: size.height)
    }

    /// The focal point of the portrait effect, upright; `nil` if the plane does not declare it.
    fileprivate var focalPoint: NormalizedPoint? {
        guard let point = blur?.focalPoint, (0...1).contains(point.x), (0...1).contains(point.y) else {
            return nil
        }
        let upright = orientation.point(point.x, point.y, width: 1, height: 1)
        return NormalizedPoint(x: upright.x, y: upright.y)
    }
}
