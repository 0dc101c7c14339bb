package import ByteParsing
package import DepthCore
package import DepthModel
package import ImageContainers

/// A map as integer codes on a straight line, upright.
package struct CodedDepth: Sendable {
    /// The codes: all of 0…255, or 0…65535, may occur.
    package var codes: SamplePlane
    /// What codes mean: the first is the smallest value, the largest code the largest, unless they are binary16.
    package var mapping: SampleMapping
    /// What the values mean: meters, perhaps by a range that was given, or unitless in forms that can hold that.
    package var scale: DepthScale
    /// The camera.
    package var calibration: CameraCalibration?
    /// Whether codes are those of the source, one for one.
    package var isUnchanged = false
    /// The quality that the camera stated.
    package var quality: DepthQuality?
    /// Whether holes were filled and noise smoothed.
    package var isFiltered: Bool?
    /// The XMP that the source has for this plane alone, as the images of iPhones do; empty without XMP.
    package var xmp = XMPProperties()
    /// The codes as the source has them, a JPEG stream of one channel, and how its samples are turned upright; `nil` where they
    /// are coded in another way, or were changed.
    package var stream: (bytes: [UInt8], orientation: Orientation)?
    /// What was assumed, clipped and rounded.
    package var diagnostics: [Diagnostic]
}

extension Diagnostic.Code {
    /// Codes are coarser than the values were.
    package static let quantizationStep: Self = "quantization-step"
    /// The same of codes of 16 bits, than which there are no finer ones.
    package static let finestStep: Self = "finest-step"
    /// Samples are unknown, and a form was chosen that can say so.
    package static let unknownSamples: Self = "unknown-samples"
    /// Samples beyond a range were clipped to it.
    package static let clippedSamples: Self = "clipped-samples"
    /// A form has no place for something that is known.
    package static let omittedMetadata: Self = "omitted-metadata"
    /// A plane is coded in a way that older readers refuse.
    package static let unusualCoding: Self = "unusual-coding"
    /// The range in meters is not the map's own, but was given.
    package static let assumedRange: Self = "assumed-range"
}

extension PlaneSource {
    /// The stored depth or disparity as codes, with what its plane's description says.
    func codedDepth(_ coding: DepthCoding) throws -> CodedDepth {
        let plane = try depthPlane()
        let source = try treatedDepth(of: plane, frame: .upright, coding.treatment)
        var coded = try source.coded(coding, plane.calibration(in: .upright))
        coded.quality = plane.quality
        coded.isFiltered = plane.isFiltered
        return coded
    }
}

extension DepthPhoto {
    package func coded(_ coding: DepthCoding) throws -> CodedDepth {
        var coded = try codedDepth(coding)
        let plane = try storedDepthPlane()
        // A packet that is damaged was reported when the photo was opened.
        if let xmp = try? container.planeXMP(plane) { coded.xmp = xmp }
        if coded.isUnchanged, plane.components == 1, plane.crop == nil, coding.treatment.isEmpty,
            case .jpegStream = plane.location
        {
            coded.stream = (try codedBytes(of: plane.description), plane.orientation)
        }
        return coded
    }
}

extension DepthRaster {
    package func coded(_ coding: DepthCoding) throws -> CodedDepth {
        _ = try depthPlane()
        try requireDistances()
        return try codedDepth(coding)
    }
}

extension DepthMap {
    /// The map as codes. Throws as ``PlaneSource/coded(_:)`` does; the treatment is not applied.
    package func coded(_ coding: DepthCoding) throws -> CodedDepth {
        try DepthSource(self).coded(coding, calibration)
    }
}

extension DisparityMap {
    /// The map as codes. Throws as ``PlaneSource/coded(_:)`` does; the treatment is not applied.
    package func coded(_ coding: DepthCoding) throws -> CodedDepth {
        try DepthSource(self).coded(coding, calibration)
    }
}

extension DepthSource {
    fileprivate func coded(_ coding: DepthCoding, _ camera: CameraCalibration?) throws -> CodedDepth {
        var coder = DepthCoder(coding, scale: scale)
        var coded = try coder.code(self)
        coded.calibration = camera
        return coded
    }
}
