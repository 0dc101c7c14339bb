package import ByteParsing
package import DepthModel

/// A plane of depth, coverage or color before anything of it is decoded, whether a file holds it or it is computed.
package struct PlaneDescription: Sendable {
    /// What it shows, as the file declares it.
    package var kind: PlaneKind
    /// Its number among the planes of its kind in this file, from 0.
    package var index = 0
    /// The width as stored: after the clean aperture, before orientation.
    package var width: Int
    /// The height as stored.
    package var height: Int
    /// Bits of a sample; `nil` where the container does not say.
    package var bitDepth: Int?
    /// How samples are coded, for people: `jpeg`, `hevc`, `av1`, or the raw item type; `computed` where no file holds them.
    package var codec: String
    /// The name of what carries or made it, as in `info --json`.
    package var source: String
    /// The raw type: the URN of `auxC` or the type in XMP. Show it; never use it as part of a file name.
    package var type: String
    /// What codes of a depth or disparity plane mean; `nil` for other kinds.
    package var mapping: SampleMapping?
    /// Whether values are true to scale, as the file states it; see ``scale``.
    package var accuracy = DepthAccuracy.unknown
    /// What values mean that are not codes, and so have no ``mapping``.
    package var valueScale: DepthScale?
    /// Whether the photo's colors are multiplied by this plane, which is its opacity.
    package var isPremultiplied = false
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
    /// Why the plane cannot be read, although it is there.
    package var readError: ContainerError?

    /// The facts that every plane has; set others afterwards.
    package init(
        kind: PlaneKind, width: Int, height: Int, bitDepth: Int?, codec: String, source: String, type: String
    ) {
        (self.kind, self.width, self.height, self.bitDepth) = (kind, width, height, bitDepth)
        (self.codec, self.source, self.type) = (codec, source, type)
    }

    /// A plane that no file holds; `source` names what computes it. Values of depth and disparity mean `scale`.
    package init(
        computed kind: PlaneKind, width: Int, height: Int, bitDepth: Int, source: String, type: String,
        scale: DepthScale? = nil
    ) {
        self.init(
            kind: kind, width: width, height: height, bitDepth: bitDepth, codec: "computed", source: source,
            type: type)
        valueScale = scale
        if let scale { accuracy = scale.accuracy }
    }

    /// What the values of a depth or disparity plane mean.
    package var scale: DepthScale { valueScale ?? DepthScale(accuracy, hasUnit: mapping?.hasUnit ?? false) }
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
