public import Bytes
public import Codecs
public import DepthMaps
public import DepthTypes

/// The source of a ``DepthScene``: a photo, a raster with its picture, a pair, a network, a frame of a recording.
///
/// A source describes itself without decoding anything. It returns everything upright, and each call decodes only what it
/// returns; the scene caches the result.
public protocol DepthSceneSource: Sendable {
    /// The description of the scene, which requires no decoding.
    func describe() -> SceneDescription

    /// The picture, at full size or reduced if that is faster and still at least `size`; `nil` if missing.
    func color(atLeast size: PixelSize?) throws -> ColorImage?

    /// A quick view of the picture, at `size` or more: a preview in the source, if that is faster; `nil` without a picture.
    /// The default is ``color(atLeast:)``.
    func glance(atLeast size: PixelSize) throws -> ColorImage?

    /// The picture with its opacity, at full size; `nil` if it is opaque, which is the default. ``color(atLeast:)``
    /// composites such a picture over white.
    func translucentPicture() throws -> Picture?

    /// The picture from before the camera rendered an effect into it, at full size; `nil` if missing.
    func original() throws -> ColorImage?

    /// The depth in its ``DepthScale``, `nan` where unknown, with its camera. Throws ``SceneError``.
    func depth() throws -> DepthMap

    /// The disparity in its ``DepthScale``, `nan` where unknown, with its camera. Throws ``SceneError``.
    func disparity() throws -> DisparityMap

    /// A matte; `nil` without one of that kind.
    func matte(_ kind: PlaneKind) throws -> Matte?

    /// The stored samples of a plane, such as the confidence of the depth on its grid; `nil` without one of that kind,
    /// and for planes in color.
    func samples(of kind: PlaneKind) throws -> SamplePlane?

    /// The Exif and XMP that a picture made of the scene keeps, and diagnostics on what cannot be kept.
    func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic])

    /// Defects and assumptions so far. Decoding may add more.
    var diagnostics: [Diagnostic] { get }

    /// The error for a missing plane of a kind; `nil` for neither depth nor disparity.
    func absence(of kind: PlaneKind?) -> any Error
}

extension DepthSceneSource {
    /// Returns `nil`, for sources whose pictures are opaque.
    public func translucentPicture() throws -> Picture? { nil }

    /// Returns ``color(atLeast:)``, for sources without a preview.
    public func glance(atLeast size: PixelSize) throws -> ColorImage? { try color(atLeast: size) }
}
