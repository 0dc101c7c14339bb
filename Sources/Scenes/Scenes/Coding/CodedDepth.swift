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
    /// The scale of the values: meters, or no unit in forms that allow it.
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
    /// Some samples are infinitely far, although the file stores other values.
    package static let infiniteSamples: Self = "infinite-samples"
    /// Samples beyond a range were clipped to it.
    package static let clippedSamples: Self = "clipped-samples"
    /// A form has no field for known metadata.
    package static let omittedMetadata: Self = "omitted-metadata"
    /// A plane is coded in a way that older readers reject.
    package static let unusualCoding: Self = "unusual-coding"
    /// Values are assumed to be meters.
    package static let assumedRange: Self = "assumed-range"
}

extension DepthScene {
    /// The stored depth or disparity as codes, with the metadata of its plane.
    ///
    /// Throws ``SceneError``, ``DepthCodingError``, ``DepthScaleError`` if an affine map would be converted, and errors of
    /// decoding.
    package func coded(_ coding: DepthCoding) throws -> CodedDepth {
        let plane = try description.requirePlane(nil)
        return try cancellable {
            var request = PlaneRequest()
            request.keepsCoding = true
            let stored = try self.plane(plane.id, as: request)
            try stored.requireDistances()
            let treated = try treated(stored, plane, frame: .upright, coding.treatment)
            var coded = try treated.coded(coding)
            coded.quality = plane.quality
            coded.isFiltered = plane.isFiltered
            coded.xmp = stored.xmp
            if coded.isUnchanged, coding.treatment.isEmpty { coded.stream = stored.stream }
            coded.diagnostics = treated.remarks + coded.diagnostics
            return coded
        }
    }
}

extension DecodedPlane {
    /// The plane of depth or disparity as codes. Throws as ``DepthScene/coded(_:)`` does. The treatment is not applied.
    package func coded(_ coding: DepthCoding) throws -> CodedDepth {
        var coder = DepthCoder(coding, scale: scale)
        var coded = try coder.code(self)
        coded.calibration = calibration
        return coded
    }
}
