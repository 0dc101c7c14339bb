internal import DepthCore

/// The background that a photo shows through the soft parts of a subject, such as hair.
enum SeenBackground {
    /// The largest coverage of the subject through which the background's color is clear, of 255.
    private static var clearCoverage: UInt8 { 64 }
    /// Pixels up to this distance from the subject's body show stray light of it.
    private static var strayDistance: Int { 4 }

    /// The background's light (I − αF) / (1 − α) of each pixel with the light I, the subject's color F and its share α; and the
    /// background's value. The value is `nan` where the background is not seen clearly.
    static func pixels(
        _ photo: [RGB<UInt8>], _ colors: [RGB<UInt8>], _ subject: Matte, _ split: MatteSplit,
        _ light: TransferFunctionTable<UInt8>
    ) -> [SIMD4<Float>] {
        let (width, height) = (subject.width, subject.height)
        let body = body(of: subject)
        return parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                for column in 0..<width {
                    let index = row * width + column
                    let share = split.shares[index]
                    let opacity = Float(share.opacity) / 255
                    var pixel = light.light(of: photo[index]) - light.light(of: colors[index]) * opacity
                    // Less light than none: the share or the color is wrong.
                    let isSeen =
                        share.isMixed && share.opacity <= clearCoverage && pixel.min() >= 0 && !body[index]
                    pixel /= 1 - opacity
                    pixel.w = isSeen ? split.background.value(atColumn: column, row: row) : .nan
                    output[index - rows.lowerBound * width] = pixel
                }
            }
        }
    }

    /// Parts of the subject that are wider than twice ``strayDistance``, unlike strands of hair, and pixels beside them.
    private static func body(of subject: Matte) -> [Bool] {
        let (width, height) = (subject.width, subject.height)
        let core = subject.coverage.map { $0 < MatteBoundary.fullCoverage }
            .dilated(width: width, height: height, by: strayDistance).map { !$0 }
        return core.dilated(width: width, height: height, by: 2 * strayDistance)
    }
}
