package import Scenes

/// A format that a photo stores depth in.
public enum DepthForm: String, CaseIterable, Hashable, Sendable {
    /// A JPEG with further images behind it, as iPhones write it (MPF, CIPA DC-007).
    case appleJPEG = "apple-jpeg"
    /// A HEIF photo with auxiliary images, as iPhones and ImageIO write it.
    case appleHEIC = "apple-heic"
    /// Google's depth map in the XMP of a JPEG.
    case gDepth = "gdepth"
    /// Google's Dynamic Depth 1.0: images after a JPEG, listed in its XMP.
    case dynamicDepth = "dynamic-depth"

    /// Whether codes are linear in depth or reciprocal depth between two positive distances, in any unit.
    package var needsDistances: Bool { self == .gDepth || self == .dynamicDepth }

    /// Whether samples may be unknown.
    package var holdsUnknown: Bool { self == .appleJPEG || self == .appleHEIC }

    /// A coding, adapted to the requirements and limits of this form.
    package func adapted(_ coding: DepthCoding) -> DepthCoding {
        var coding = coding
        coding.needsDistances = needsDistances
        coding.holdsNoUnit = self == .gDepth
        coding.holdsUnknown = holdsUnknown
        return coding
    }

    /// Whether the form holds the confidence of a depth map.
    package var holdsConfidence: Bool { self == .gDepth || self == .dynamicDepth }

    /// The default form for a photo of this format.
    package static func standard(for photo: [UInt8]) -> DepthForm {
        photo.count >= 8 && photo[4..<8].elementsEqual("ftyp".utf8) ? .appleHEIC : .appleJPEG
    }

    /// Whether the form holds mattes.
    package var holdsMattes: Bool { self == .appleJPEG || self == .appleHEIC }
}
