public import ByteParsing
public import DepthCore
public import DepthModel
public import ImageCodecs

/// What makes a ``DepthScene``: a photo, a raster with its picture, a pair, a network, a frame of a recording.
///
/// A source describes itself without decoding anything. Everything that it returns is upright, and each call decodes what it
/// returns and nothing else: a scene keeps what it has asked for.
public protocol DepthSceneSource: Sendable {
    /// What is known before anything is decoded.
    func describe() -> SceneDescription

    /// The picture, at its own size or at less where that is quicker and still at least `size`; `nil` where there is none.
    func color(atLeast size: PixelSize?) throws -> ColorImage?

    /// The picture for a glance, at `size` or more: a preview that the source holds, where that is quicker; `nil` where there is no
    /// picture. Without an implementation it is ``color(atLeast:)``.
    func glance(atLeast size: PixelSize) throws -> ColorImage?

    /// The picture with its opacity, at its own size; `nil` where it is opaque. ``color(atLeast:)`` lays such a picture over white.
    /// Without an implementation every picture is opaque.
    func translucentPicture() throws -> Picture?

    /// The picture before the camera rendered an effect into it, at its own size; `nil` where there is none.
    func original() throws -> ColorImage?

    /// The depth in its ``DepthScale``, `nan` where unknown, with its camera. Throws ``SceneError``.
    func depth() throws -> DepthMap

    /// The disparity in its ``DepthScale``, `nan` where unknown, with its camera. Throws ``SceneError``.
    func disparity() throws -> DisparityMap

    /// A matte; `nil` where there is none of that kind.
    func matte(_ kind: PlaneKind) throws -> Matte?

    /// The samples of a plane as they are stored, such as the confidence of the depth on its grid; `nil` where there is none of
    /// that kind, and for planes in color.
    func samples(of kind: PlaneKind) throws -> SamplePlane?

    /// What a picture made of the scene keeps of the picture's Exif and XMP, and what of it cannot be kept.
    func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic])

    /// What is wrong with the source or was assumed of it, so far: decoders may add to it.
    var diagnostics: [Diagnostic] { get }

    /// Why there is no plane of a kind; `nil` for neither depth nor disparity.
    func absence(of kind: PlaneKind?) -> any Error
}

extension DepthSceneSource {
    /// Returns `nil`, for sources whose pictures are opaque.
    public func translucentPicture() throws -> Picture? { nil }

    /// Returns ``color(atLeast:)``, for sources without a preview.
    public func glance(atLeast size: PixelSize) throws -> ColorImage? { try color(atLeast: size) }
}
