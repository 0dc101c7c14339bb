/// The few Exif fields that a depth photo needs (Exif 2.32, CIPA DC-008): camera, orientation, and focal length. With a
/// picture, also all fields that the standard requires in the Exif of a JPEG (§4.6.8, tables 18 and 19).
package struct ExifBlock: Hashable, Sendable {
    /// The values that the standard requires for a JPEG's picture.
    package struct Picture: Hashable, Sendable {
        /// The stored width in pixels.
        package var width: Int
        /// The stored height in pixels.
        package var height: Int
        /// Whether colors are sRGB. If not, they are marked as uncalibrated, and the ICC profile specifies them.
        package var isSRGB: Bool

        /// A picture of this size.
        package init(width: Int, height: Int, isSRGB: Bool) {
            (self.width, self.height, self.isSRGB) = (width, height, isSRGB)
        }
    }

    package var make: String?
    package var model: String?
    /// `Orientation`, 1…8: how to turn the stored pixels upright.
    package var orientation: UInt16?
    /// `FocalLength`, in millimeters.
    package var focalLength: Double?
    /// `FocalLengthIn35mmFilm`, in millimeters; 0 means unknown.
    package var focalLengthIn35mmFilm: UInt16?
    /// The picture of a JPEG file of YCbCr; if `nil`, the fields that the standard requires for it are not written.
    package var picture: Picture?

    /// A block with these fields, except fields that are `nil`.
    package init(
        make: String? = nil, model: String? = nil, orientation: UInt16? = nil, focalLength: Double? = nil,
        focalLengthIn35mmFilm: UInt16? = nil, picture: Picture? = nil
    ) {
        (self.make, self.model, self.orientation, self.focalLength) = (make, model, orientation, focalLength)
        (self.focalLengthIn35mmFilm, self.picture) = (focalLengthIn35mmFilm, picture)
    }

    /// A big-endian TIFF stream. For JPEG see ``MultiPictureJPEG/Picture``.
    package func serialized() throws(ContainerWritingError) -> [UInt8] {
        if let orientation, !(1...8).contains(orientation) {
            throw .notRepresentable(field: "Exif Orientation", value: "\(orientation)")
        }
        var details = TIFFDirectoryBuilder()
        details[0x9000] = .undefined(Array("0232".utf8))  // ExifVersion
        if let focalLength {
            details[0x920A] = .rational(try Rational(focalLength, field: "Exif FocalLength"))
        }
        details[0xA405] = focalLengthIn35mmFilm.map { .short($0) }

        var directory = TIFFDirectoryBuilder()
        directory[0x010F] = try make.map(TIFFDirectoryBuilder.Field.ascii)
        directory[0x0110] = try model.map(TIFFDirectoryBuilder.Field.ascii)
        directory[0x0112] = orientation.map { .short($0) }
        if let picture {
            directory[0x011A] = .rational(try Rational(72, field: "Exif XResolution"))
            directory[0x011B] = .rational(try Rational(72, field: "Exif YResolution"))
            directory[0x0128] = .short(2)  // ResolutionUnit: inches
            directory[0x0213] = .short(1)  // YCbCrPositioning: centered
            details[0x9101] = .undefined([1, 2, 3, 0])  // ComponentsConfiguration: Y, Cb, Cr
            details[0xA000] = .undefined(Array("0100".utf8))  // FlashpixVersion
            details[0xA001] = .short(picture.isSRGB ? 1 : 0xFFFF)  // ColorSpace
            details[0xA002] = .long(try narrow(picture.width, field: "Exif PixelXDimension"))
            details[0xA003] = .long(try narrow(picture.height, field: "Exif PixelYDimension"))
        }
        directory[0x8769] = .directory(details)
        return try directory.serialized()
    }
}
