@testable package import PhotoWriting

/// Code points that specify the colors of an image (ITU-T H.273).
package struct CodingIndependentCodePoints: Hashable, Sendable {
    /// `colour_primaries`; 1 is sRGB's, 12 Display P3's, 2 unspecified.
    package var primaries: UInt16
    /// `transfer_characteristics`; 13 is sRGB's, 2 unspecified.
    package var transfer: UInt16
    /// `matrix_coefficients`; 1 is BT.709's, 6 BT.601's, 2 unspecified.
    package var matrix: UInt16
    /// Whether luma uses the full range of values rather than 16–235.
    package var isFullRange: Bool

    /// Code points with the given numbers.
    package init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool) {
        (self.primaries, self.transfer) = (primaries, transfer)
        (self.matrix, self.isFullRange) = (matrix, isFullRange)
    }
}

extension ItemProperty {
    /// `colr` of type `prof`: an ICC profile (ISO/IEC 14496-12 §12.1.5).
    package static func colorInformation(iccProfile: [UInt8]) -> ItemProperty {
        ItemProperty(type: "colr", payload: "prof".utf8 + iccProfile, isEssential: false)
    }

    /// `colr` of type `nclx`: color as code points (ISO/IEC 14496-12 §12.1.5).
    package static func colorInformation(_ points: CodingIndependentCodePoints) -> ItemProperty {
        var writer = ByteWriter()
        writer.append("nclx" as FourCC)
        writer.append(points.primaries)
        writer.append(points.transfer)
        writer.append(points.matrix)
        writer.append(points.isFullRange ? 0x80 : 0 as UInt8)
        return ItemProperty(type: "colr", payload: writer.bytes, isEssential: false)
    }
}
