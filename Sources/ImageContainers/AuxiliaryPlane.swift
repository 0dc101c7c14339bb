package import ByteParsing
package import DepthModel

/// A plane that a photo carries beside its colors, described before anything of it is decoded.
package struct AuxiliaryPlane: Sendable {
    /// What it shows, as the file declares it.
    package var kind: PlaneKind
    /// Its number among the planes of its kind in this file, from 0.
    package var index = 0
    /// The width as stored: after the clean aperture, before orientation.
    package var width: Int
    /// The height as stored.
    package var height: Int
    /// The width of the coded image, before the clean aperture.
    package var codedWidth: Int
    /// The height of the coded image.
    package var codedHeight: Int
    /// Bits of a sample; `nil` where the container does not say.
    package var bitDepth: Int?
    /// Channels of the coded image; `nil` where the container does not say.
    package var components: Int?
    /// How samples are coded, for people: `jpeg`, `hevc`, `av1`, or the raw item type. A decoder asks the ``CodedImage``.
    package var codec: String
    /// How the file carries it.
    package var carrier: PlaneCarrier
    /// What made it, for planes that no file carries.
    package var maker: String?
    /// The raw type: the URN of `auxC` or the type in XMP. Show it; never use it as part of a file name.
    package var type: String
    /// Whether its coding always declares the range of codes, so that a limited one is expanded (AV1).
    package var hasDeclaredRange = false
    /// What codes of a depth or disparity plane mean; `nil` for other kinds.
    package var mapping: SampleMapping?
    /// Whether values are true to scale, as the file states it; see ``scale``.
    package var accuracy = DepthAccuracy.unknown
    /// What the values of a raster mean, which has no ``mapping``.
    package var rasterScale: DepthScale?
    /// Whether distances are planar, as everywhere else here, or measured along each ray from the camera.
    package var isAlongRay = false
    /// Whether the layout is known from one source only, so that values may be wrong.
    package var isExperimental = false
    /// The quality that the camera states.
    package var quality: DepthQuality?
    /// Whether holes were filled and noise smoothed before the plane was stored.
    package var isFiltered: Bool?
    /// The camera, in the stored frame.
    package var calibration: CameraCalibration?
    /// Parameters of the portrait effect.
    package var blur: BlurParameters?
    /// How stored samples are turned upright.
    package var orientation = Orientation.up
    /// Whether the plane belongs to the photo itself, and not to a thumbnail or the other eye.
    package var belongsToPhoto = true
    /// Whether the photo's colors are multiplied by this plane, which is its opacity.
    package var isPremultiplied = false
    /// Where the coded samples are.
    package var location: ImageLocation
    /// The part of the coded image that is used.
    package var crop: PixelCrop?
    /// Why the plane cannot be read, although it is there.
    package var readError: ContainerError?
}

extension AuxiliaryPlane {
    /// What the values of a depth or disparity plane mean.
    package var scale: DepthScale { rasterScale ?? DepthScale(accuracy, hasUnit: mapping?.hasUnit ?? false) }

    /// The name of what made or carries it, as in `info --json`.
    package var source: String {
        get { maker ?? carrier.rawValue }
        set { maker = newValue }
    }
}

/// What a portrait's depth effect was rendered with.
package struct BlurParameters: Hashable, Sendable {
    /// The f-number of the simulated aperture.
    package var simulatedAperture: Double?
    /// Apple's `RenderingParameters`, kept byte for byte and not interpreted.
    package var renderingParameters: [UInt8]?
    /// What is in focus, in parts of the photo's stored width and height from its top left corner (`GFocus`).
    package var focalPoint: SIMD2<Double>?
    /// The distance in focus, in the unit of the plane (`GFocus:FocalDistance`).
    package var focalDistance: Double?
    /// How much a point at infinity is blurred: the diameter in parts of the photo's diagonal
    /// (`GFocus:BlurAtInfinity`).
    package var blurAtInfinity: Double?
}

extension AuxiliaryPlane {
    /// The only plane of a plain raster file, described by the reader of those.
    package init(
        rasterOf kind: PlaneKind, width: Int, height: Int, bitDepth: Int, codec: String, type: String
    ) {
        self.init(
            kind: kind, width: width, height: height, codedWidth: width, codedHeight: height,
            bitDepth: bitDepth,
            components: 1, codec: codec, carrier: .raster, type: type, location: .raster)
    }
}

extension [AuxiliaryPlane] {
    /// Numbers the planes of each kind, those of the photo itself first.
    mutating func number() {
        var counts: [PlaneKind: Int] = [:]
        for own in [true, false] {
            for index in indices where self[index].belongsToPhoto == own {
                self[index].index = counts[self[index].kind, default: 0]
                counts[self[index].kind, default: 0] += 1
            }
        }
    }
}
