/// What the code values of a picture's colors mean: the code points of ITU-T H.273 (CICP), in a `colr` box of type
/// `nclx`, a chunk `cICP`, the usability information of HEVC, or a sequence header of AV1.
package struct CodedColor: Hashable, Sendable {
    /// 1 BT.709 and sRGB, 2 unspecified, 9 BT.2020, 12 Display P3, …
    package var primaries: Int
    /// 1 BT.709, 2 unspecified, 13 sRGB, 16 PQ, 18 HLG, …
    package var transfer: Int
    /// 0 identity, 1 BT.709, 2 unspecified, 5 and 6 BT.601, 9 BT.2020, …
    package var matrixCoefficients: Int
    /// Whether samples use the full range.
    package var isFullRange: Bool

    /// What is not given is unspecified.
    package init(primaries: Int = 2, transfer: Int = 2, matrixCoefficients: Int = 2, isFullRange: Bool) {
        (self.primaries, self.transfer) = (primaries, transfer)
        (self.matrixCoefficients, self.isFullRange) = (matrixCoefficients, isFullRange)
    }

    /// A copy whose unspecified code points are taken from another description.
    ///
    /// A container takes precedence over the bitstream in it (ISO/IEC 14496-12 §12.1.5, AV1 Image File Format §2.1).
    package func completed(by other: CodedColor) -> CodedColor {
        CodedColor(
            primaries: primaries == 2 ? other.primaries : primaries,
            transfer: transfer == 2 ? other.transfer : transfer,
            matrixCoefficients: matrixCoefficients == 2 ? other.matrixCoefficients : matrixCoefficients,
            isFullRange: isFullRange)
    }

    /// A description in a bitstream, without the primaries of standard-definition television: encoders of phones write them
    /// for pictures in sRGB (Samsung's do).
    package var ofBitstream: CodedColor {
        var color = self
        if (5...7).contains(primaries) { color.primaries = 2 }
        return color
    }

    /// Whether white is as bright as the display permits, as in PQ and HLG, instead of that of paper.
    package var isHDR: Bool { transfer == 16 || transfer == 18 }

    /// The same primaries; sRGB's curve replaces PQ and HLG.
    package var inStandardRange: CodedColor {
        var color = self
        if isHDR { color.transfer = 13 }
        return color
    }

    /// What is lost in pictures of standard dynamic range; `nil` if nothing is.
    package var lossInStandardRange: String? {
        guard isHDR else { return nil }
        return
            "the picture is coded for HDR displays (\(transfer == 16 ? "PQ" : "HLG")); in results, light above reference white (203 cd/m²) is cut off"
    }
}
