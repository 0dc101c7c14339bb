package import Bytes
package import DepthTypes

/// A plane of depth, coverage or color before it is decoded, either from a file or computed.
package struct PlaneDescription: Sendable {
    /// The contents of the plane, as the file declares them.
    package var kind: PlaneKind
    /// Its index among the planes of its kind in this file, starting at 0.
    package var index = 0
    /// The width as stored: after the clean aperture, before orientation.
    package var width: Int
    /// The height as stored.
    package var height: Int
    /// Bits of a sample; `nil` if the container does not declare them.
    package var bitDepth: Int?
    /// The coding of the samples, for display: `jpeg`, `hevc`, `av1`, or the raw item type; `computed` if they are not from a
    /// file.
    package var codec: String
    /// The name of the layout that stores it or the method that computed it, as in `info --json`.
    package var source: String
    /// The raw type: the URN of `auxC` or the type in XMP. Show it; never use it as part of a file name.
    package var type: String
    /// The meaning of the samples of a depth or disparity plane; `nil` for other kinds.
    package var mapping: SampleMapping? {
        didSet {
            unit = mapping?.unit
            declaredRange = mapping.flatMap { mapping in
                guard mapping.isDeclared else { return nil }
                let (low, high) = (Double(mapping.low), Double(mapping.high))
                return (min(low, high), max(low, high))
            }
        }
    }
    /// Whether values are true to scale, as the file declares; see ``scale``.
    package var accuracy = DepthAccuracy.unknown
    /// The meaning of values that are computed or a raster's, and so have no ``mapping``.
    package var valueScale: DepthScale?
    /// The unit of the values, `m` or `1/m`; `nil` without one, and for planes that are not depth.
    package var unit: String?
    /// The range of values that the file declares, in order; `nil` if it declares none.
    package var declaredRange: (low: Double, high: Double)?
    /// Whether the photo's colors are multiplied by this plane, which is its opacity.
    package var isPremultiplied = false
    /// Whether distances are measured along each ray from the camera. Elsewhere they are always planar.
    package var isAlongRay = false
    /// Whether the layout is known from only one source, so that values may be wrong.
    package var isExperimental = false
    /// The quality that the camera declares.
    package var quality: DepthQuality?
    /// Whether holes were filled and noise smoothed before the plane was stored.
    package var isFiltered: Bool?
    /// The camera, in the stored frame.
    package var calibration: CameraCalibration?
    /// Parameters of the portrait effect.
    package var blur: BlurParameters?
    /// How stored samples are turned upright.
    package var orientation = Orientation.up
    /// Why the plane cannot be read, if so.
    package var readError: ContainerError?

    /// The properties that every plane has; set others afterwards.
    package init(
        kind: PlaneKind, width: Int, height: Int, bitDepth: Int?, codec: String, source: String, type: String
    ) {
        (self.kind, self.width, self.height, self.bitDepth) = (kind, width, height, bitDepth)
        (self.codec, self.source, self.type) = (codec, source, type)
    }

    /// A plane that is not from a file; `source` names the method that computes it. `scale` is the meaning of depth and
    /// disparity values.
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

    /// The scale of the values of a depth or disparity plane.
    package var scale: DepthScale { valueScale ?? DepthScale(accuracy, hasUnit: mapping?.hasUnit ?? false) }
}

/// The parameters of a portrait's depth effect.
package struct BlurParameters: Hashable, Sendable {
    /// The f-number of the simulated aperture.
    package var simulatedAperture: Double?
    /// Apple's `RenderingParameters`, kept byte for byte and not interpreted.
    package var renderingParameters: [UInt8]?
    /// The point in focus, as fractions of the photo's stored width and height from its top left corner (`GFocus`).
    package var focalPoint: SIMD2<Double>?
    /// The distance in focus, in the unit of the plane (`GFocus:FocalDistance`).
    package var focalDistance: Double?
    /// How much a point at infinity is blurred: the radius as a fraction of the photo's longer side (`GFocus:BlurAtInfinity`).
    package var blurAtInfinity: Double?
}
