package import Bytes

/// The raw orientation tag of an Exif block that starts with a TIFF header, 1…8 if valid; `nil` if missing. Throws if
/// the block is damaged.
package func exifOrientation(
    in bytes: [UInt8], at offset: Int, path: StructurePath, limits: DecodingLimits
) throws(ContainerError) -> Int? {
    try ExifInformation(parsing: bytes, at: offset, in: path, limits: limits).orientation
}

/// The fields of a photo's Exif block that Isobath uses (Exif 2.32, CIPA DC-008).
struct ExifInformation {
    /// The raw orientation tag: 1…8 if valid.
    var orientation: Int?
    var make: String?
    var model: String?
    /// The focal length of a full-frame camera with the same diagonal field of view, in millimeters.
    var focalLength35mm: Int?
    /// The camera's description of its subject.
    var subject = ExifSubject()

    /// The local time when the photo was taken, as `2026-11-22T15:49:17`; `nil` if missing.
    var captureTime: String?

    /// Reads a block that starts with a TIFF header.
    init(parsing bytes: [UInt8], at offset: Int, in path: StructurePath, limits: DecodingLimits)
        throws(ContainerError)
    {
        var block = ByteCursor(bytes.span, base: offset, path: path)
        let first = try block.readTIFFHeader()
        let directory = try TIFFDirectory(parsing: &block, at: first, limits: limits)
        orientation = try directory.integer(.orientation, in: &block)
        make = try directory.text(.make, in: &block)
        model = try directory.text(.model, in: &block)
        if let exif = try directory.integer(.exifDirectory, in: &block) {
            let details = try TIFFDirectory(parsing: &block, at: exif, limits: limits)
            let focalLength = try details.integer(.focalLengthIn35mmFilm, in: &block)
            focalLength35mm = focalLength == 0 ? nil : focalLength
            subject = try ExifSubject(details, in: &block)
            captureTime = try details.text(.dateTimeOriginal, in: &block).flatMap(Self.time)
        }
    }

    /// `DateTimeOriginal` (`2026:11:22 15:49:17`) in ISO 8601; `nil` for anything else, such as the blanks or zeros of
    /// cameras whose clock was never set.
    static func time(_ text: String) -> String? {
        let codes = Array(text.utf8)
        guard codes.count == 19 else { return nil }
        var time = ""
        for (place, code) in codes.enumerated() {
            switch place {
            case 4, 7, 13, 16:
                guard code == UInt8(ascii: ":") else { return nil }
                time += place < 10 ? "-" : ":"
            case 10:
                guard code == UInt8(ascii: " ") else { return nil }
                time += "T"
            default:
                guard (0x30...0x39).contains(code) else { return nil }
                time.unicodeScalars.append(Unicode.Scalar(code))
            }
        }
        return time.hasPrefix("0000") ? nil : time
    }
}
