internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats

/// Integer YCbCr → RGB (ITU-T H.273 §8.3), in 1/65536.
private struct ColorMatrix {
    var lumaOffset: Int32
    var lumaScale: Int32
    var redFromRed: Int32
    var greenFromBlue: Int32
    var greenFromRed: Int32
    var blueFromBlue: Int32

    /// `bitDepth` is 8…16; results have the same bit depth.
    ///
    /// Unspecified coefficients (2) mean BT.601, as on every phone. Throws for coefficients that are not such a matrix.
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
                .unsupported(feature: "color coded with matrix coefficients \(color.matrixCoefficients)"))
        }
        let unit = 65536.0
        let scale = Double(1 << (bitDepth - 8))
        let top = Double((1 << bitDepth) - 1)
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

extension DecodedPicture {
    /// Converts to RGB of 8 bits, or of 16 expanded to 0…65535; with `halved` at half the width and height, which must be
    /// even.
    ///
    /// Throws for unsupported color codings, the same ones at both sizes, before a sample is read.
    func convert<Sample: ScalableSample>(
        to target: TileTarget<RGB<Sample>>, halved: Bool
    ) throws(ContainerError) {
        try checkChroma()
        guard lumaBitDepth <= 12 else {
            throw ContainerError(.unsupported(feature: "color of \(lumaBitDepth) bits"))
        }
        guard halved else { return try convert(to: target) }
        try withHalf(as: Sample.self) { (half) throws(ContainerError) in try half.convert(to: target) }
    }

    private func checkChroma() throws(ContainerError) {
        guard chromaFormat != 0 else { return }
        guard lumaBitDepth == chromaBitDepth else {
            throw ContainerError(
                .unsupported(feature: "luma of \(lumaBitDepth) and chroma of \(chromaBitDepth) bits"))
        }
        guard color.matrixCoefficients != 0 || chromaFormat == 3 else {
            throw ContainerError(.unsupported(feature: "red and blue of half the size"))
        }
    }

    private func convert<Sample: ScalableSample>(to target: TileTarget<RGB<Sample>>) throws(ContainerError) {
        if color.matrixCoefficients == 0 { return interleave(to: target) }
        convert(try ColorMatrix(color, bitDepth: lumaBitDepth), to: target)
    }

    /// The identity matrix: the channels are green, blue and red (ITU-T H.273 §8.3, matrix coefficients 0).
    private func interleave<Sample: ScalableSample>(to target: TileTarget<RGB<Sample>>) {
        let (green, blue, red) = (luma, blueDifference ?? luma, redDifference ?? luma)
        let top = (1 << lumaBitDepth) - 1
        let levels: [Sample] = color.isFullRange ? (0...top).map { Sample($0) } : fullRangeTable()
        let table = levels.map { Sample.stretched($0, UInt32(top)) }
        func level(_ code: Sample) -> Sample { table[min(Int(code), top)] }
        // SAFETY: the target is no larger than the picture, and without subsampling all channels have its size.
        unsafe target.forEachRow { row, output in
            let greens = unsafe green.row(row, as: Sample.self)
            let (blues, reds) = unsafe (blue.row(row, as: Sample.self), red.row(row, as: Sample.self))
            for column in 0..<target.width {
                unsafe output[column] = RGB(
                    red: level(reds[column]), green: level(greens[column]), blue: level(blues[column]))
            }
        }
    }

    /// Converts row by row in three simple loops, each of which the compiler turns into vector instructions. Chroma becomes
    /// the terms to add to each color, luma is scaled (both in 1/32), and their sums are rounded, clamped and interleaved.
    ///
    /// libyuv interpolates the chroma. Its matrices are not used: it has three of the six, and its results have no more than
    /// 10 bits.
    private func convert<Sample: ScalableSample>(_ matrix: ColorMatrix, to target: TileTarget<RGB<Sample>>) {
        let (width, most) = (target.width, UInt32((1 << lumaBitDepth) - 1))
        let top = Sample.Term(most)
        var scaled = [Sample.Term](repeating: 0, count: width)
        // Without chroma, nothing is added to luma.
        var terms = ChromaTerms<Sample.Term>(width: width)
        var blue = blueDifference.map { InterpolatedChroma<Sample>($0, of: self) }
        var red = redDifference.map { InterpolatedChroma<Sample>($0, of: self) }
        // SAFETY: the target is no larger than the picture, and chroma covers it by its format.
        unsafe target.forEachRow { row, output in
            if let blue = unsafe blue?.row(row), let red = unsafe red?.row(row) {
                unsafe terms.fill(matrix, blue: blue, red: red, center: Int32(top) / 2 + 1)
            }
            let samples = unsafe luma.row(row, as: Sample.self)
            for column in 0..<width {
                let code = Int32(truncatingIfNeeded: unsafe samples[column]) &- matrix.lumaOffset
                scaled[column] = Sample.Term(truncatingIfNeeded: (code &* matrix.lumaScale &+ 1024) >> 11)
            }
            for column in 0..<width {
                let y = scaled[column] &+ 16
                @inline(__always) func code(_ term: Sample.Term) -> Sample {
                    Sample.stretched(Sample(truncatingIfNeeded: min(max((y &+ term) >> 5, 0), top)), most)
                }
                unsafe output[column] = RGB(
                    red: code(terms.red[column]), green: code(terms.green[column]),
                    blue: code(terms.blue[column]))
            }
        }
    }
}

/// The terms that a row of chroma adds to each color of each pixel.
private struct ChromaTerms<Term: FixedWidthInteger & SignedInteger> {
    private(set) var red: [Term]
    private(set) var green: [Term]
    private(set) var blue: [Term]

    init(width: Int) {
        red = [Term](repeating: 0, count: width)
        green = red
        blue = red
    }

    @inline(__always)
    mutating func fill<Sample: FixedWidthInteger>(
        _ matrix: ColorMatrix, blue blueSamples: UnsafePointer<Sample>, red redSamples: UnsafePointer<Sample>,
        center: Int32
    ) {
        for column in red.indices {
            let cb = Int32(truncatingIfNeeded: unsafe blueSamples[column]) &- center
            let cr = Int32(truncatingIfNeeded: unsafe redSamples[column]) &- center
            red[column] = Term(truncatingIfNeeded: (matrix.redFromRed &* cr &+ 1024) >> 11)
            green[column] = Term(
                truncatingIfNeeded: (matrix.greenFromBlue &* cb &+ matrix.greenFromRed &* cr &+ 1024) >> 11)
            blue[column] = Term(truncatingIfNeeded: (matrix.blueFromBlue &* cb &+ 1024) >> 11)
        }
    }
}
