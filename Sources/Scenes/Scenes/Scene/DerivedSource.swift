package import Bytes
package import Codecs
package import DepthMaps
package import DepthTypes

/// A source that replaces parts of a scene. Requirements that a conforming type does not implement are forwarded to the
/// scene.
package protocol DerivedSource: GainMapSource {
    /// The scene that it is made of.
    var scene: DepthScene { get }
}

extension DerivedSource {
    package func describe() -> SceneDescription { scene.description }

    package func color(atLeast size: PixelSize?) throws -> ColorImage? {
        guard scene.description.colorSize != nil, size == nil else { return try scene.picture(atLeast: size) }
        return try scene.color()
    }

    package func translucentPicture() throws -> Picture? { try scene.source.translucentPicture() }
    package func original() throws -> ColorImage? { try scene.source.original() }
    package func depth() throws -> DepthMap { try scene.depth() }
    package func disparity() throws -> DisparityMap { try scene.disparity() }
    package func matte(_ kind: PlaneKind) throws -> Matte? { try scene.matte(kind) }
    package func samples(of kind: PlaneKind) throws -> SamplePlane? { try scene.samples(of: kind) }
    package func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { scene.metadata() }
    package var hasGainMap: Bool { scene.hasGainMap }
    package func gainMap() throws -> GainMap? { try scene.gainMap() }
    package var diagnostics: [Diagnostic] { scene.diagnostics }
    package func absence(of kind: PlaneKind?) -> any Error { scene.source.absence(of: kind) }
}
