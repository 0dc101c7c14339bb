/// A remark about a readable file: a defect of a part of it, or an assumption.
public struct Diagnostic: Hashable, Sendable {
    /// How severe it is.
    public enum Severity: String, Hashable, Sendable {
        /// The file is fine, but leaves something open: an assumption, or something unobvious.
        case note
        /// A part of the file is wrong or missing, or the result is probably not as intended.
        case warning
    }

    /// A stable identifier for scripts. Each module adds its codes; warnings about broken input reuse
    /// ``ContainerError/code``.
    public struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The identifier, lowercase and with hyphens.
        public var rawValue: String

        /// A code with this identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A code with this identifier.
        public init(stringLiteral value: String) { rawValue = value }
    }

    /// How severe it is.
    public var severity: Severity
    /// The subject.
    public var code: Code
    /// The defect or assumption, without offset and path.
    public var message: String
    /// The absolute byte offset in the file; `nil` if unknown.
    public var offset: Int?
    /// The enclosing structure, as in `meta/iprp/ipco/auxC`; empty if missing.
    package var path: StructurePath
    /// The reported error; `nil` if no rule is broken.
    public var error: ContainerError?

    /// Reports something that is valid in the file's format.
    package init(
        _ severity: Severity, _ code: Code, _ message: String, at offset: Int? = nil,
        in path: StructurePath = StructurePath()
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.offset = offset
        self.path = path
    }

    /// Reports something that is valid and has no offset in a file.
    public init(_ severity: Severity, _ code: Code, _ message: String) {
        self.init(severity, code, message, at: nil)
    }

    /// Warns of an error after which the rest could still be read.
    public init(_ error: ContainerError) {
        self.init(
            .warning, Code(rawValue: error.code), error.message, at: error.isInside ? error.offset : nil,
            in: error.isInside ? error.path : StructurePath())
        self.error = error
    }

    /// Warns that a part of the file, named by `subject`, cannot be read.
    public init(_ error: ContainerError, _ code: Code, _ subject: String) {
        self.init(error)
        self.code = code
        message = "\(subject) cannot be read: \(error.message)"
    }

    /// A note about an assumption or something unobvious.
    package static func note(
        _ code: Code, _ message: String, at offset: Int? = nil, in path: StructurePath = StructurePath()
    ) -> Diagnostic {
        Diagnostic(.note, code, message, at: offset, in: path)
    }

    /// A warning about something that is valid in the file's format.
    package static func warning(
        _ code: Code, _ message: String, at offset: Int? = nil, in path: StructurePath = StructurePath()
    ) -> Diagnostic {
        Diagnostic(.warning, code, message, at: offset, in: path)
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The message, followed by offset and path in parentheses if there are any.
    public var description: String { message.located(locationText(offset, path)) }
}

extension Diagnostic.Code {
    /// The file declares no range of values: stored values are read as 0…1.
    public static let undeclaredRange: Self = "undeclared-range"
    /// The unit is not declared, or contradicts the values; one is assumed.
    public static let assumedUnit: Self = "assumed-unit"
    /// Floating point samples are assumed to be meters, or 1/meters.
    public static let assumedMeters: Self = "assumed-meters"
    /// The values have no unit.
    public static let noUnit: Self = "no-unit"
    /// White is assumed to be near.
    public static let assumedWhiteNear: Self = "assumed-white-near"
    /// White is assumed to be far.
    public static let assumedWhiteFar: Self = "assumed-white-far"
    /// A mesh is coarser than requested.
    public static let coarseMesh: Self = "coarse-mesh"
    /// The picture contradicts the assumed near side.
    public static let doubtfulNearSide: Self = "doubtful-near-side"
    /// The pictures contradict the order of a stereo pair's eyes.
    public static let doubtfulEyes: Self = "doubtful-eyes"
    /// The orientation is not one of 1 to 8; the photo is assumed to be upright.
    public static let invalidOrientation: Self = "invalid-orientation"
    /// Camera parameters are invalid and ignored.
    public static let invalidCamera: Self = "invalid-camera"
    /// Something about the camera is not declared, or unusual; a value is assumed.
    public static let assumedCamera: Self = "assumed-camera"
    /// The photo is the first frame of a sequence.
    public static let firstFrame: Self = "first-frame"
    /// Metadata declares an orientation that does not apply to the photo.
    public static let assumedOrientation: Self = "assumed-orientation"
    /// The camera's intrinsics contradict each other.
    public static let doubtfulCamera: Self = "doubtful-camera"
    /// The file declares values that are not distances: depth of 0 or less is unknown, disparity below 0 infinitely far.
    public static let unknownValues: Self = "unknown-values"
    /// Distances are along rays, and cannot be converted to the optical axis without a camera.
    public static let distancesAlongRays: Self = "distances-along-rays"
    /// A plane cannot show the same view as the photo.
    public static let differentView: Self = "different-view"
    /// The record of values in the file is not used.
    public static let unusedRecord: Self = "unused-record"
    /// A scale in the file is not applied.
    public static let unusedScale: Self = "unused-scale"
    /// The raster is a part of a larger picture, or extends beyond it.
    public static let dataWindow: Self = "data-window"
    /// The file is a color image.
    public static let colorImage: Self = "color-image"
    /// A warning of a library that reads the file.
    public static let library: Self = "library"
    /// An ICC profile cannot be used; sRGB is assumed.
    public static let unusableColorProfile: Self = "unusable-color-profile"
    /// The alpha channel of a picture is not kept.
    public static let lostAlpha: Self = "lost-alpha"
    /// The gain map of a photo is used for its original, or brightens what is put into the photo.
    public static let assumedHDR: Self = "assumed-hdr"
    /// The gain map of an HDR photo, or a part of its light, is not kept.
    public static let lostHDR: Self = "lost-hdr"
    /// The photo cannot be read.
    public static let unreadablePhoto: Self = "unreadable-photo"
    /// A plane cannot be read.
    public static let unreadablePlane: Self = "unreadable-plane"
    /// Samples are omitted, or written as unknown.
    public static let omittedSamples: Self = "omitted-samples"
    /// No part of an inserted picture is visible.
    public static let hiddenLayer: Self = "hidden-layer"
    /// The subject does not include a face or the point of focus that the camera marked.
    public static let focusOutsideSubject: Self = "focus-outside-subject"
    /// A mask cut from depth may not be the subject.
    public static let doubtfulSubject: Self = "doubtful-subject"
    /// A stored matte selects next to nothing.
    public static let emptyMatte: Self = "empty-matte"
    /// The camera has blurred the photo already.
    public static let blurredPhoto: Self = "blurred-photo"
    /// The camera's focus is adapted to the depth or to the photo.
    public static let assumedFocus: Self = "assumed-focus"
    /// Depth is not in the file, and was computed from its pictures.
    public static let computedDepth: Self = "computed-depth"
    /// The scale of values may be off.
    public static let uncertainScale: Self = "uncertain-scale"
}

extension [Diagnostic] {
    /// Adds a warning for an error.
    package mutating func append(_ error: ContainerError) { append(Diagnostic(error)) }
}
