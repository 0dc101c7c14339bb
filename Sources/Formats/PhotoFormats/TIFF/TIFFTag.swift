/// The fields of TIFF, Exif, DNG and MPF directories that Isobath reads, by the names of their standards.
enum TIFFTag: Int, Hashable, Sendable {
    // TIFF 6.0
    case newSubfileType = 0x00FE
    case imageWidth = 0x0100
    case imageLength = 0x0101
    case bitsPerSample = 0x0102
    case compression = 0x0103
    case photometricInterpretation = 0x0106
    case imageDescription = 0x010E
    case make = 0x010F
    case model = 0x0110
    case stripOffsets = 0x0111
    case orientation = 0x0112
    case samplesPerPixel = 0x0115
    case rowsPerStrip = 0x0116
    case stripByteCounts = 0x0117
    case xResolution = 0x011A
    case yResolution = 0x011B
    case resolutionUnit = 0x0128
    case software = 0x0131
    case dateTime = 0x0132
    case artist = 0x013B
    case hostComputer = 0x013C
    case predictor = 0x013D
    case tileWidth = 0x0142
    case tileLength = 0x0143
    case tileOffsets = 0x0144
    case tileByteCounts = 0x0145
    case sampleFormat = 0x0153
    case jpegTables = 0x015B
    case jpegInterchangeFormat = 0x0201
    case jpegInterchangeFormatLength = 0x0202
    case copyright = 0x8298
    // TIFF Technical Note 1, XMP part 3
    case subIFDs = 0x014A
    case xmp = 0x02BC
    // Exif 2.32
    case exifDirectory = 0x8769
    case gpsDirectory = 0x8825
    case dateTimeOriginal = 0x9003
    case subjectDistance = 0x9206
    case subjectArea = 0x9214
    case makerNote = 0x927C
    case pixelXDimension = 0xA002
    case pixelYDimension = 0xA003
    case interoperabilityDirectory = 0xA005
    case customRendered = 0xA401
    case focalLengthIn35mmFilm = 0xA405
    // DNG 1.6
    case dngVersion = 0xC612
    case depthFormat = 0xC7E9
    case depthNear = 0xC7EA
    case depthFar = 0xC7EB
    case depthUnits = 0xC7EC
    case depthMeasureType = 0xC7ED
    case semanticName = 0xCD2E
    case maskSubArea = 0xCD38
    // MPF (CIPA DC-007)
    case mpEntry = 0xB002
    case mpIndividualNumber = 0xB101
    case baselineLength = 0xB206
}
