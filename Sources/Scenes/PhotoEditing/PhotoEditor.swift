public import Bytes
public import DepthMaps
public import DepthTypes
internal import PhotoFormats
internal import Scenes

/// Inserts depth and mattes into a photo file. The coded picture, metadata, and all other bytes are kept.
///
/// ```swift
/// let photo = try PhotoEditor(contentsOf: "portrait.jpg")
/// try photo.replacing(depth: map).write(to: "portrait-new.jpg")
/// ```
///
/// Maps and mattes are upright. Maps with unknown samples are stored with 16 bits in Apple's forms, and are rejected in
/// Google's. By default, a JPEG carries them as iPhones write them, a HEIC photo as auxiliary images.
public struct PhotoEditor: Sendable {
    private let limits: DecodingLimits
    /// The file.
    public private(set) var bytes: [UInt8]
    /// Assumptions and rounding so far.
    public private(set) var diagnostics: [Diagnostic] = []

    /// Reads a JPEG or HEIC photo. Throws ``ContainerError``, with the path, if it cannot be read.
    public init(contentsOf path: String, limits: DecodingLimits = DecodingLimits()) throws {
        self = try opening(path) {
            let source = try FileSource(path: path, limits: limits)
            return try PhotoEditor(source.read(0..<source.byteCount), limits: limits)
        }
    }

    /// Opens a photo in memory; otherwise as ``init(contentsOf:limits:)``.
    public init(_ bytes: [UInt8], limits: DecodingLimits = DecodingLimits()) throws {
        _ = try DepthPhoto(MemorySource(bytes), limits: limits)
        self.bytes = bytes
        self.limits = limits
    }

    /// The photo with this depth instead of the existing one, coded in 8 or 16 bits.
    ///
    /// Throws if the map cannot be coded, and ``PhotoEditingError`` if the photo cannot carry it.
    public func replacing(depth: DepthMap, as form: DepthForm? = nil, bitDepth: Int = 8) throws -> PhotoEditor
    {
        try applying(form) { try DecodedPlane(depth).coded(coding($0, bitDepth)) }
    }

    /// The photo with this disparity instead of the existing one; otherwise as ``replacing(depth:as:bitDepth:)``.
    public func replacing(
        disparity: DisparityMap, as form: DepthForm? = nil, bitDepth: Int = 8
    ) throws -> PhotoEditor {
        try applying(form) { try DecodedPlane(disparity).coded(coding($0, bitDepth)) }
    }

    /// The photo with this matte instead of the existing one of that kind.
    ///
    /// Throws ``PhotoEditingError/noPlace(_:_:)`` for kinds that are not mattes, otherwise as ``replacing(depth:as:bitDepth:)``.
    public func replacing(matte: Matte, kind: PlaneKind = .matte) throws -> PhotoEditor {
        var edit = PhotoEdit(form: .standard(for: bytes))
        guard kind.isMatte else { throw PhotoEditingError.noPlace(kind, edit.form) }
        edit.mattes = [PhotoEdit.MattePlane(kind: kind, matte: matte)]
        return try applying(edit)
    }

    /// The photo without planes of a kind. Throws ``PhotoEditingError``.
    public func removing(_ kind: PlaneKind) throws -> PhotoEditor {
        var edit = PhotoEdit(form: .standard(for: bytes))
        edit.removedKinds = [kind]
        return try applying(edit)
    }

    /// Writes the file, which is complete or missing, never partial. Throws ``OutputError``.
    public func write(to path: String, replacingExisting: Bool = false) throws {
        try OutputFile(path: path, replacesExisting: replacingExisting).write(bytes: bytes)
    }

    private func coding(_ form: DepthForm, _ bitDepth: Int) -> DepthCoding {
        precondition(bitDepth == 8 || bitDepth == 16, "codes have 8 or 16 bits")
        var coding = DepthCoding()
        coding.bitDepth = bitDepth
        return form.adapted(coding)
    }

    private func applying(_ form: DepthForm?, _ depth: (DepthForm) throws -> CodedDepth) throws -> PhotoEditor
    {
        var edit = PhotoEdit(form: form ?? .standard(for: bytes))
        let coded = try depth(edit.form)
        edit.depth = coded
        var edited = try applying(edit)
        edited.diagnostics += coded.diagnostics
        return edited
    }

    private func applying(_ edit: PhotoEdit) throws -> PhotoEditor {
        var edit = edit
        edit.replaces = true
        let result = try edit.apply(to: bytes, limits: limits)
        var edited = self
        edited.bytes = result.bytes
        edited.diagnostics += result.diagnostics
        return edited
    }
}
