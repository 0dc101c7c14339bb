internal import ByteParsing
internal import DepthCore
internal import ImageContainers

/// Integer YCbCr → RGB (ITU-T H.273 §8.3), in 1/65536.
private struct ColorMatrix {
    var lumaOffset: Int32
    var lumaScale: Int32
    var redFromRed: Int32
    var greenFromBlue: Int32
    var greenFromRed: Int32
    var blueFromBlue: Int32

    /// `bitDepth` 8…16; results are in the same bit depth.
    ///
    /// Unspecified coefficients (2) are BT.601, as every phone means it. Throws for those that are no such matrix.
    init(_ color: CodedColor, bitDepth: Int) throws(ContainerError) {
        let (red, blue): (Double, Double)
        switch color.matrixCoefficients {
        case 1: (red, blue) = (0.2126, 0.0722)
        case 2, 5, 6: (red, blue) = (0.299, 0.114)
        case 4: (red, blue) = (0.30, 0.11)
        case 7: (red, blue) = (0.212, 0.087)
        case 9: (red, blue) = (0.2627, 0.0593)
        default:
            throw ContainerError(
                .unsupported(feature: "color coded with matrix coefficients \(color.matrixCoefficients)"),
                at: 0,
                in: StructurePath("HEVC").appending("VUI"))
        }
        let unit = 65536.0
        let scale = Double(1 << (bitDepth - 8))
        let top = Double(1 << bitDepth - 1)
        let luma = color.isFullRange ? 1 : top / (219 * scale)
        let chroma = color.isFullRange ? 1 : top / (224 * scale)
        let green = 1 - red - blue
        lumaOffset = color.isFullRange ? 0 : Int32(16 * scale)
        lumaScale = Int32((luma * unit).rounded())
        redFromRed = Int32((2 * (1 - red) * chroma * unit).rounded())
        blueFromBlue = Int32((2 * (1 - blue) * chroma * unit).rounded())
        greenFromRed = -Int32((2 * (1 - red) * red / green * chroma * unit).rounded())
        greenFromBlue = -Int32((2 * (1 - blue) * blue / green * chroma * unit).rounded())
    }
}

extension HEVCPicture {
    /// Converts to RGB of 8 bits; chroma of a subsampled picture is taken from the nearest sample.
    func convert(to target: TileTarget<RGB<UInt8>>) throws(ContainerError) {
        let matrix = try ColorMatrix(color, bitDepth: 8)
        try convert(matrix, top: 255, target, as: UInt8.self) { UInt8(truncatingIfNeeded: $0) }
    }

    /// Converts to RGB of 16 bits: deeper codes stretched to 0…65535.
    func convert(to target: TileTarget<RGB<UInt16>>) throws(ContainerError) {
        guard lumaBitDepth <= 12 else {
            throw ContainerError(.unsupported(feature: "color of \(lumaBitDepth) bits"), at: 0)
        }
        let matrix = try ColorMatrix(color, bitDepth: lumaBitDepth)
        let top = Int32(1 << lumaBitDepth - 1)
        try convert(matrix, top: top, target, as: UInt16.self) {
            UInt16(truncatingIfNeeded: ($0 * 65535 + top / 2) / top)
        }
    }

    @inline(__always)
    private func convert<Sample: FixedWidthInteger, Output>(
        _ matrix: ColorMatrix, top: Int32, _ target: TileTarget<RGB<Output>>, as _: Sample.Type,
        _ narrow: (Int32) -> Output
    ) throws(ContainerError) {
        guard let luma else { return }
        guard let blueDifference, let redDifference else {
            unsafe target.forEachRow { row, output in
                let samples = unsafe luma.row(row, as: Sample.self)
                for column in 0..<target.width {
                    let y = Int32(truncatingIfNeeded: unsafe samples[column])
                    let gray = narrow(clamped((y &- matrix.lumaOffset) &* matrix.lumaScale &+ 32768, top))
                    unsafe output[column] = RGB(red: gray, green: gray, blue: gray)
                }
            }
            return
        }
        guard lumaBitDepth == chromaBitDepth else {
            throw ContainerError(
                .unsupported(feature: "luma of \(lumaBitDepth) and chroma of \(chromaBitDepth) bits"), at: 0)
        }
        let shiftX = chromaFormat == 3 ? 0 : 1
        let shiftY = chromaFormat == 1 ? 1 : 0
        let center = (top &+ 1) / 2
        // SAFETY: the target is no larger than the picture, and chroma covers it by its format.
        unsafe target.forEachRow { row, output in
            let samples = unsafe luma.row(row, as: Sample.self)
            let blue = unsafe blueDifference.row(row >> shiftY, as: Sample.self)
            let red = unsafe redDifference.row(row >> shiftY, as: Sample.self)
            // All luma columns of a chroma sample at once: its three terms are worked out once.
            for column in 0..<(target.width &+ shiftX) >> shiftX {
                let cb = Int32(truncatingIfNeeded: unsafe blue[column]) &- center
                let cr = Int32(truncatingIfNeeded: unsafe red[column]) &- center
                let toRed = matrix.redFromRed &* cr &+ 32768
                let toGreen = matrix.greenFromBlue &* cb &+ matrix.greenFromRed &* cr &+ 32768
                let toBlue = matrix.blueFromBlue &* cb &+ 32768
                let first = column << shiftX
                for place in first..<min(first &+ 1 &+ shiftX, target.width) {
                    let y =
                        (Int32(truncatingIfNeeded: unsafe samples[place]) &- matrix.lumaOffset)
                        &* matrix.lumaScale
                    unsafe output[place] = RGB(
                        red: narrow(clamped(y &+ toRed, top)), green: narrow(clamped(y &+ toGreen, top)),
                        blue: narrow(clamped(y &+ toBlue, top)))
                }
            }
        }
    }
}

/// A product in 1/65536 as a code inside 0…`top`.
@inline(__always)
private func clamped(_ product: Int32, _ top: Int32) -> Int32 {
    min(max(product >> 16, 0), top)
}
