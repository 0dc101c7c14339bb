package import Bytes
package import Codecs
package import DepthTypes
internal import Effects
package import PhotoFormats

/// What a ``DepthScene`` is made of: a photo, a raster, a pair of pictures, a stereo pair, or a scene that is computed.
///
/// A source describes itself and its planes without decoding anything. Everything else is written on top of it.
package protocol SceneSource: Sendable {
    /// The description of the scene and of each plane. Decodes nothing, and parses metadata once.
    func describe() -> SceneDescription

    /// Decodes a plane. Leaves `plane` empty if the scene has no such plane; reuses its memory where that fits.
    func decode(_ id: PlaneID, as request: PlaneRequest, into plane: inout DecodedPlane) throws

    /// The Exif and XMP that a picture made of the scene keeps, and diagnostics on what cannot be kept.
    func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic])

    /// Defects and assumptions so far. Decoding may add more.
    var diagnostics: [Diagnostic] { get }

    /// The scene as the camera sees it that measured the depth; `nil` if that is the picture's view.
    var measured: DepthScene? { get }
}

extension SceneSource {
    package var measured: DepthScene? { nil }
}

/// The identity of a plane of a scene.
package enum PlaneID: Hashable, Sendable {
    /// The picture.
    case picture
    /// The picture for one eye.
    case eye(Eye)
    /// How much brighter the picture's HDR rendition is, with its parameters.
    case gainMap
    /// A plane that is stored beside the picture, or computed: its kind, and its index among those of its kind.
    case plane(PlaneKind, Int)
}

extension PlaneDescription {
    /// The identity of the plane in its scene.
    package var id: PlaneID { .plane(kind, index) }
}

/// How a plane is decoded. The default is upright, at full size, laid over white.
package struct PlaneRequest: Hashable, Sendable {
    /// What becomes of a picture's opacity.
    package enum Opacity: Sendable {
        /// The picture is laid over white, in linear light.
        case overWhite
        /// The result is an ``DecodedPlane/Content/translucent(_:)`` picture.
        case kept
        /// Colors are as stored, whatever their opacity; a picture in a separate file is laid over white.
        case ignored
    }

    /// Upright or as stored.
    package var frame = PixelOrientation.upright
    /// The size that a picture needs at least, in pixels of ``frame``: a reduced picture is decoded if that is faster.
    package var size: PixelSize?
    /// Whether a preview of at least ``size`` will do. Do not measure in it: it may be outdated.
    package var isGlance = false
    package var opacity = Opacity.overWhite
    /// Whether only stored codes are wanted: luma of planes in color, such as some gain maps, and no treated values.
    package var codesOnly = false
    /// Whether a picture in PQ or HLG stays so if it has 16 bits. Otherwise it is in standard range.
    package var keepsHDR = false
    /// Whether the plane's own XMP and its JPEG stream are returned as well.
    package var keepsCoding = false

    /// Upright, at full size, or otherwise as given.
    package init(frame: PixelOrientation = .upright, atLeast size: PixelSize? = nil) {
        (self.frame, self.size) = (frame, size)
    }

    /// The same for a picture in a separate file, which is decoded whole, and laid over white unless its opacity is kept.
    var ofSeparatePicture: PlaneRequest {
        PlaneRequest(frame: frame, opacity == .kept ? .kept : .overWhite)
    }

    /// A picture whose opacity is treated in this way.
    package init(frame: PixelOrientation = .upright, _ opacity: Opacity) {
        (self.frame, self.opacity) = (frame, opacity)
    }
}
