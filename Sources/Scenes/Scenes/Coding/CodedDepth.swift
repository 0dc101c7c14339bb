package import Bytes
package import DepthMaps
package import DepthTypes
package import PhotoFormats

/// A map as integer codes, linear in depth or disparity, upright.
package struct CodedDepth: Sendable {
    /// The codes: all of 0…255, or 0…65535, may occur.
    package var codes: SamplePlane
    /// The meaning of codes: code 0 is the smallest value, the highest code the largest, unless codes are binary16.
    package var mapping: SampleMapping
    /// The scale of the values: meters, possibly by a given range, or unitless in forms that allow it.
    package var scale: DepthScale
    package var calibration: CameraCalibration?
    /// Whether codes are the source's, unchanged.
    package var isUnchanged = false
    /// The quality that the camera stated.
    package var quality: DepthQuality?
    /// Whether holes were filled and noise smoothed.
    package var isFiltered: Bool?
    /// The XMP that the source stores for this plane alone, as iPhones do; empty without XMP.
    package var xmp = XMPProperties()
    /// The source's JPEG stream of one channel, and the orientation that turns its samples upright; `nil` if the codes
    /// changed, or are coded in another way.
    package var stream: (bytes: [UInt8], orientation: Orientation)?
    /// Remarks on assumptions, clipping and rounding.
    package var diagnostics: [Diagnostic]
}

extension Diagnostic.Code {
    /// Codes are coarser than the values were.
    package static let quantizationStep: Self = "quantization-step"
    /// Even codes of 16 bits, the maximum, are coarser than the values were.
    package static let finestStep: Self = "finest-step"
    /// Samples are unknown, and a form was chosen that can store that.
    package static let unknownSamples: Self = "unknown-samples"
    /// Samples beyond a range were clipped to it.
    package static let clippedSamples: Self = "clipped-samples"
    /// A form has no field for known metadata.
    package static let omittedMetadata: Self = "omitted-metadata"
    /// A plane is coded in a way that older readers reject.
    package static let unusualCoding: Self = "unusual-coding"
    /// The range in meters was given by the caller instead of computed from the map.
    package static let assumedRange: Self = "assumed-range"
}

extension PlaneSource {
    /// The stored depth or disparity as codes, with the metadata of its plane.
    func codedDepth(_ coding: DepthCoding) throws -> CodedDepth {
        let plane = try depthPlane()
        let source = try treatedDepth(of: plane, frame: .upright, coding.treatment)
        var coded = try source.coded(coding, plane.calibration(in: .upright))
        coded.quality = plane.quality
        coded.isFiltered = plane.isFiltered
        coded.diagnostics = source.treatmentRemarks + coded.diagnostics
        return coded
    }
}

extension DepthPhoto {
    package func coded(_ coding: DepthCoding) throws -> CodedDepth {
        var coded = try codedDepth(coding)
        let plane = try storedDepthPlane()
        // A damaged packet was reported when the photo was opened.
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
    /// The map as codes. Throws as ``PlaneSource/coded(_:)`` does. The treatment is not applied.
    package func coded(_ coding: DepthCoding) throws -> CodedDepth {
        try DepthSource(self).coded(coding, calibration)
    }
}

extension DisparityMap {
    /// The map as codes. Throws as ``PlaneSource/coded(_:)`` does. The treatment is not applied.
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
