/// The few Exif fields that a depth photo needs (Exif 2.32, CIPA DC-008): camera, orientation, and
/// focal length.
public struct ExifBlock: Hashable, Sendable {
    /// `Make`.
    public var make: String?
    /// `Model`.
    public var model: String?
    /// `Orientation`, 1…8: how to turn the stored pixels upright.
    public var orientation: UInt16?
    /// `FocalLength`, in millimeters.
    public var focalLength: Double?
    /// `FocalLengthIn35mmFilm`, in millimeters; 0 means unknown.
    public var focalLengthIn35mmFilm: UInt16?

    /// A block with these fields; those left out are not written.
    public init(
        make: String? = nil, model: String? = nil, orientation: UInt16? = nil, focalLength: Double? = nil,
        focalLengthIn35mmFilm: UInt16? = nil
    ) {
        self.make = make
        self.model = model
        self.orientation = orientation
        self.focalLength = focalLength
        self.focalLengthIn35mmFilm = focalLengthIn35mmFilm
    }

    /// A big-endian TIFF stream: for HEIF see ``HEIFItem/exif(tiff:)``, for JPEG ``MultiPictureJPEG/Picture``.
    public func serialized() throws(ContainerWritingError) -> [UInt8] {
        if let orientation, !(1...8).contains(orientation) {
            throw .notRepresentable(field: "Exif Orientation", value: "\(orientation)")
        }
        var details = TIFFDirectoryBuilder()
        details[0x9000] = .undefined(Array("0232".utf8))  // ExifVersion
        if let focalLength {
            details[0x920A] = .rational([try Rational(focalLength, field: "Exif FocalLength")])
        }
        details[0xA405] = focalLengthIn35mmFilm.map { .short([$0]) }

        var directory = TIFFDirectoryBuilder()
        directory[0x010F] = make.map { .ascii($0) }
        directory[0x0110] = model.map { .ascii($0) }
        directory[0x0112] = orientation.map { .short([$0]) }
        directory[0x8769] = .directory(details)
        return try directory.serialized()
    }
}
