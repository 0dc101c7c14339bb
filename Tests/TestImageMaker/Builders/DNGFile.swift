@testable import PhotoWriting

/// A DNG file with a depth map and semantic masks beside its raw image (Adobe DNG 1.6), big-endian.
///
/// The first directory holds the JPEG preview and the fields that apply to the complete file. Its SubIFDs hold the raw image,
/// the depth map and the masks, in this order, each in one strip.
struct DNGFile {
    /// One picture of a file.
    struct Image {
        /// The width in samples.
        var width: UInt32
        /// The height in samples.
        var height: UInt32
        /// Bits of a sample: 8 or 16.
        var bitDepth: UInt16
        /// Whether ``data`` is a zlib stream. If not, it is the samples themselves, big-endian if they have 16 bits.
        var isDeflated: Bool
        /// The strip.
        var data: [UInt8]
    }

    /// A mask and its name.
    struct Mask {
        /// `SemanticName`, e.g. an auxiliary type URN of Apple's.
        var name: String
        /// The samples: how much of each the mask covers.
        var image: Image
    }

    /// A preview: a complete JPEG stream in YCbCr, with its size.
    var preview: Image
    /// The raw image: a mosaic of red, green / green, blue.
    var raw: Image
    /// The depth map: 0 means `near`, the largest sample `far`, linear in 1/distance. Distances are in meters along the
    /// optical axis.
    var depth: Image
    /// `DepthNear`, in meters.
    var near: Double
    /// `DepthFar`, in meters.
    var far: Double
    /// The masks.
    var masks: [Mask]
    /// `Make`.
    var make: String
    /// `Model`, also `UniqueCameraModel`.
    var model: String
    /// `FocalLengthIn35mmFilm`, in millimeters.
    var focalLengthIn35mmFilm: UInt16

    /// The complete file.
    func serialized() throws(ContainerWritingError) -> [UInt8] {
        var main = directory(preview, subfile: 1, photometric: 6, compression: 7)
        main[0x0102] = .shorts([8, 8, 8])
        main[0x0115] = .short(3)
        main[0x0212] = .shorts([2, 2])  // YCbCrSubSampling
        main[0x010F] = try .ascii(make)
        main[0x0110] = try .ascii(model)
        main[0x0112] = .short(1)
        main[0xC612] = .byte([1, 6, 0, 0])  // DNGVersion
        main[0xC613] = .byte([1, 1, 0, 0])  // DNGBackwardVersion
        main[0xC614] = try .ascii(model)
        main[0xC621] = .signedRational(Self.colorMatrix)
        main[0xC65A] = .short(21)  // CalibrationIlluminant1: D65
        main[0xC7E9] = .short(2)  // DepthFormat: inverse
        main[0xC7EA] = .rational(try Rational(near, field: "DepthNear"))
        main[0xC7EB] = .rational(try Rational(far, field: "DepthFar"))
        main[0xC7EC] = .short(1)  // DepthUnits: meters
        main[0xC7ED] = .short(1)  // DepthMeasureType: along the optical axis
        var exif = TIFFDirectoryBuilder()
        exif[0xA405] = .short(focalLengthIn35mmFilm)
        main[0x8769] = .directory(exif)
        var mosaic = directory(raw, subfile: 0, photometric: 32803)
        mosaic[0x828D] = .shorts([2, 2])  // CFARepeatPatternDim
        mosaic[0x828E] = .byte([0, 1, 1, 2])  // CFAPattern
        var pictures = [mosaic, directory(depth, subfile: 8, photometric: 51177)]
        for mask in masks { pictures.append(try directory(mask)) }
        main[0x014A] = .directories(pictures)
        return try main.serialized()
    }

    private func directory(_ mask: Mask) throws(ContainerWritingError) -> TIFFDirectoryBuilder {
        var directory = directory(mask.image, subfile: 0x10004, photometric: 52527)
        directory[0xCD2E] = try .ascii(mask.name)
        return directory
    }

    private func directory(
        _ image: Image, subfile: UInt32, photometric: UInt16, compression: UInt16? = nil
    ) -> TIFFDirectoryBuilder {
        var directory = TIFFDirectoryBuilder()
        directory[0x00FE] = .long(subfile)
        directory[0x0100] = .long(image.width)
        directory[0x0101] = .long(image.height)
        directory[0x0102] = .short(image.bitDepth)
        directory[0x0103] = .short(compression ?? (image.isDeflated ? 8 : 1))
        directory[0x0106] = .short(photometric)
        directory[0x0111] = .data(image.data)
        directory[0x0115] = .short(1)
        directory[0x0116] = .long(image.height)
        directory[0x0117] = .long(UInt32(image.data.count))
        return directory
    }

    /// ColorMatrix1, from XYZ to the colors of the mosaic, which are those of Display P3, in 1/10 000 (SMPTE EG 432-1, D65).
    private static let colorMatrix: [Int32] = [
        24935, -9314, -4027, -8295, 17627, 236, 358, -762, 9569,
    ]
}

extension TIFFDirectoryBuilder.Field {
    fileprivate static func byte(_ bytes: [UInt8]) -> Self { Self(type: 1, count: bytes.count, bytes: bytes) }

    fileprivate static func shorts(_ numbers: [UInt16]) -> Self {
        Self(type: 3, count: numbers.count, bytes: numbers.bytes)
    }

    /// Fractions with the denominator 10 000.
    fileprivate static func signedRational(_ numbers: [Int32]) -> Self {
        Self(type: 10, count: numbers.count, bytes: numbers.flatMap { [$0, 10_000] }.bytes)
    }

    /// A LONG that points to these bytes: a strip of an image.
    fileprivate static func data(_ bytes: [UInt8]) -> Self {
        Self(type: 4, count: 1) { offset throws(ContainerWritingError) in
            (try pointer(offset), bytes.count.isMultiple(of: 2) ? bytes : bytes + [0])
        }
    }

    /// Two or more directories, stored as LONGs that point to them.
    fileprivate static func directories(_ directories: [TIFFDirectoryBuilder]) -> Self {
        Self(type: 4, count: directories.count) { offset throws(ContainerWritingError) in
            var (pointers, contents): ([UInt8], [UInt8]) = ([], [])
            for directory in directories {
                let place = offset + 4 * directories.count + contents.count
                pointers += try pointer(place)
                contents += try directory.serialized(at: place)
            }
            return (try pointer(offset), pointers + contents)
        }
    }
}
