internal import DepthMaps

/// The background that a photo shows in the soft parts of a subject: between strands of hair.
enum SeenBackground {
    /// The coverage of the subject, of 255, that does not hide the background: mattes are noisy.
    private static var faintCoverage: UInt8 { 32 }

    /// The light of each pixel that shows almost only the background, and the background's value. The value is `nan` for all
    /// other pixels.
    ///
    /// Pixels with more of the subject do not count: (I − αF) / (1 − α) shows every error of the matte.
    static func pixels(
        _ photo: [RGB<UInt8>], _ subject: Matte, _ split: MatteSplit, _ light: TransferFunctionTable<UInt8>
    ) -> [SIMD4<Float>] {
        let (width, height) = (subject.width, subject.height)
        let body = body(of: subject)
        return parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                for column in 0..<width {
                    let index = row * width + column
                    let share = split.shares[index]
                    let isSeen = share.isMixed && share.opacity <= faintCoverage && !body[index]
                    output[index - rows.lowerBound * width] = light.light(
                        of: photo[index],
                        weight: isSeen ? split.background.value(atColumn: column, row: row) : .nan)
                }
            }
        }
    }

    /// Parts of the subject that are wider than strands of hair, and pixels beside them, which show stray light of it.
    private static func body(of subject: Matte) -> [Bool] {
        let (width, height) = (subject.width, subject.height)
        let distance = max(max(width, height) / 240, 4)
        let core = subject.coverage.map { $0 < MatteBoundary.fullCoverage }
            .dilated(width: width, height: height, by: distance).map { !$0 }
        return core.dilated(width: width, height: height, by: 2 * distance)
    }
}
