internal import CCodecShims
package import DepthMaps
package import DepthTypes
internal import Glibc

/// The samples of a raster file to be written, row-major.
package struct Raster: Sendable {
    /// The samples in the type of the file.
    package enum Samples: Sendable {
        /// Gray, 8 bits.
        case gray8([UInt8])
        /// Gray, 16 bits.
        case gray16([UInt16])
        /// One Float32 per sample, `nan` for unknown.
        case float([Float])
        /// Red, green and blue.
        case color(ColorImage.Pixels)
        /// Red, green, blue and straight alpha.
        case translucent(RGBAImage.Pixels)
    }

    /// The width in samples or pixels.
    package var width: Int
    /// The height in samples or pixels.
    package var height: Int
    package var samples: Samples
    /// The ICC profile; empty if missing.
    package var colorProfile: [UInt8] = []
    /// The code points of the colors, if the profile has them.
    package var codedColor: CodedColor? { CodedColor(profile: colorProfile) }
    /// The Exif block and the XMP packet, for JPEG, PNG and TIFF.
    package var metadata = PictureMetadata()
    /// Longer records than this are not read back.
    package static var maximumRecordBytes: Int { Int(ISOBATH_TEXT_SIZE) }
    /// The meaning of the values, as JSON for the file; printable ASCII.
    package var record: String?
    /// The camera, as JSON, for formats with a field for it.
    package var camera: String?
    /// Other facts, as pairs of a name and a value in printable ASCII, for formats that allow any attribute.
    package var attributes: [(String, String)] = []

    /// Joins samples and their size, which must agree.
    package init(
        width: Int, height: Int, samples: Samples, colorProfile: [UInt8] = [], record: String? = nil
    ) {
        (self.width, self.height, self.samples) = (width, height, samples)
        (self.colorProfile, self.record) = (colorProfile, record)
    }

    /// The layout of a pixel.
    var layout: (channels: Int, bitDepth: Int, isFloat: Bool) {
        switch samples {
        case .gray8: (1, 8, false)
        case .gray16: (1, 16, false)
        case .float: (1, 32, true)
        case .color(.uint8): (3, 8, false)
        case .color(.uint16): (3, 16, false)
        case .translucent(.uint8): (4, 8, false)
        case .translucent(.uint16): (4, 16, false)
        }
    }

    /// Bits of a sample as written.
    package var bitDepth: Int { layout.bitDepth }
    /// Whether it has one channel.
    package var isGray: Bool { layout.channels == 1 }

    /// Gives access to the bytes of all samples, rows tightly packed.
    func withSampleBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch samples {
        case .gray8(let samples): unsafe samples.withUnsafeBytes { unsafe body($0) }
        case .gray16(let samples): unsafe samples.withUnsafeBytes { unsafe body($0) }
        case .float(let samples): unsafe samples.withUnsafeBytes { unsafe body($0) }
        case .color(.uint8(let pixels)): unsafe pixels.withUnsafeBytes { unsafe body($0) }
        case .color(.uint16(let pixels)): unsafe pixels.withUnsafeBytes { unsafe body($0) }
        case .translucent(.uint8(let pixels)): unsafe pixels.withUnsafeBytes { unsafe body($0) }
        case .translucent(.uint16(let pixels)): unsafe pixels.withUnsafeBytes { unsafe body($0) }
        }
    }
}
