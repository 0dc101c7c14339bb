package import Bytes
package import Codecs
package import DepthMaps
package import DepthTypes
package import PhotoFormats

extension DepthRaster: PlaneSource {
    /// The description of the scene, which requires no decoding.
    package func describe() -> SceneDescription {
        var scene = description(colorSize: color?.size(.upright))
        scene.depth?.coding = rule.coding
        scene.depth?.isHeight = rule.isHeight
        scene.depth?.isNearSideAssumed = rule.isNearSideAssumed
        scene.cameras.given = hasGivenCamera ? plane?.calibration(in: .upright) : nil
        scene.cameras.focalLength35mm = focalLength35mm
        color?.photo?.addMarks(to: &scene)
        return scene
    }

    package var planes: [PlaneDescription] { plane.map { [$0] } ?? [] }

    package func depthPlane() throws -> PlaneDescription {
        guard let plane else { throw absence(of: nil) }
        return plane
    }

    package var pictureFile: PictureFile? { color }

    /// The picture, upright; `nil` if not given.
    package func color(atLeast _: PixelSize?) throws -> ColorImage? { try image() }

    /// The depth, upright.
    package func depth() throws -> DepthMap { try depthMap() }

    /// The disparity, upright.
    package func disparity() throws -> DisparityMap { try disparityMap() }

    /// Returns `nil`: the only plane of a raster is depth.
    package func samples(of _: PlaneKind) throws -> SamplePlane? { nil }

    /// The picture's Exif and XMP; empty if no picture was given.
    package func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) {
        color?.metadata() ?? (PictureMetadata(), [])
    }

    package func depthSource(of _: PlaneDescription, frame: PixelOrientation) throws -> DepthSource {
        var source =
            try rule.quantity == .depth
            ? DepthSource(depthMap(frame: frame), declared: rule.declared, step: rule.coding?.step)
            : DepthSource(disparityMap(frame: frame), declared: rule.declared, step: rule.coding?.step)
        source.isHeight = rule.isHeight
        return source
    }

    package func codes(of plane: PlaneDescription, frame _: PixelOrientation) throws -> SamplePlane {
        throw absence(of: plane.kind)
    }

    package func guide(frame: PixelOrientation) throws -> ColorImage? { try image(frame: frame) }

    package func check(_: PlaneDescription, for export: PlaneExport) throws {
        if export.quantity == .disparity || export.format == .png && export.pngStyle == .millimeters {
            try requireDistances()
        }
    }
}
