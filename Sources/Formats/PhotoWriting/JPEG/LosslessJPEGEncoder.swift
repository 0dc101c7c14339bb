/// A gray image as lossless JPEG (ITU-T T.81 Annex H, SOF3, Huffman coded), which some builds of libjpeg cannot write.
package struct LosslessJPEGEncoder: Hashable, Sendable {
    /// The width in samples, 1…65535.
    package var width: Int
    /// The height in samples, 1…65535.
    package var height: Int
    /// Bits of a sample, 2…16.
    package var bitDepth: Int
    /// The predictor (T.81 Table H.1): 1 left, 2 above, 3 above left, 4 left + above − above left, 5 left + (above − above
    /// left) / 2, 6 above + (left − above left) / 2, 7 (left + above) / 2.
    package var predictor: Int
    /// The samples, row by row without padding.
    package var samples: [UInt16]
    /// Whether the Huffman code is optimized for these samples, which takes a second pass, or is the same for all images.
    package var optimizesCode = false

    /// An image of these samples.
    package init(width: Int, height: Int, bitDepth: Int, predictor: Int, samples: [UInt16]) {
        (self.width, self.height, self.bitDepth) = (width, height, bitDepth)
        (self.predictor, self.samples) = (predictor, samples)
    }

    /// The complete stream, from SOI to EOI.
    ///
    /// - Throws: ``ContainerWritingError`` if a number is out of its range or does not fit the others.
    package func serialized() throws(ContainerWritingError) -> [UInt8] {
        try check(bitDepth, in: 2...16, "SOF3 precision")
        try check(predictor, in: 1...7, "SOS predictor")
        try check(width, in: 1...65535, "SOF3 width")
        try check(height, in: 1...65535, "SOF3 height")
        try check(samples.count, in: width * height...width * height, "number of samples")
        var writer = ByteWriter()
        writer.append([0xFF, 0xD8])
        var frame = ByteWriter()
        frame.append(UInt8(bitDepth))
        frame.append(UInt16(height))
        frame.append(UInt16(width))
        frame.append([1, 1, 0x11, 0])  // one component, number 1
        try JPEGSegment(marker: 0xC3, payload: frame.bytes).append(to: &writer)
        let code = optimizesCode ? optimalCode() : .fixed
        let table = [0] + code.codesOfLength + code.categories
        try JPEGSegment(marker: 0xC4, payload: table).append(to: &writer)
        try JPEGSegment(marker: 0xDA, payload: [1, 1, 0, UInt8(predictor), 0, 0]).append(to: &writer)
        writer.append(entropyCoded(code))
        writer.append([0xFF, 0xD9])
        return writer.bytes
    }

    private func check(
        _ value: Int, in range: ClosedRange<Int>, _ field: String
    ) throws(ContainerWritingError) {
        guard range.contains(value) else { throw .notRepresentable(field: field, value: "\(value)") }
    }

    /// Calls `body` with every difference modulo 2¹⁶ (T.81 §H.1.2.1) and its category.
    @inline(__always)
    private func forEachDifference(_ body: (_ difference: Int, _ category: Int) -> Void) {
        let span = samples.span
        for row in 0..<height {
            for column in 0..<width {
                let index = row * width + column
                let predicted = prediction(span, index, row: row, column: column)
                let difference = Int(Int16(truncatingIfNeeded: Int(span[index]) - predicted))
                body(difference, Int.bitWidth - difference.magnitude.leadingZeroBitCount)
            }
        }
    }

    /// An estimate of how many bits the samples take, from every eighth row: to choose a predictor.
    package var estimatedBits: Int {
        let span = samples.span
        var bits = 0
        for row in stride(from: 1, to: height, by: 8) {
            for column in 1..<max(1, width) {
                let index = row * width + column
                let predicted = prediction(span, index, row: row, column: column)
                let difference = Int(Int16(truncatingIfNeeded: Int(span[index]) - predicted))
                bits += 2 * (Int.bitWidth - difference.magnitude.leadingZeroBitCount) + 1
            }
        }
        return bits
    }

    private func optimalCode() -> LosslessHuffmanCode {
        var frequencies = [Int](repeating: 0, count: 17)
        forEachDifference { _, category in frequencies[category] += 1 }
        return LosslessHuffmanCode(frequencies: frequencies)
    }

    private func entropyCoded(_ code: LosslessHuffmanCode) -> [UInt8] {
        var bytes: [UInt8] = []
        var (pending, count) = (UInt64(0), 0)
        func append(_ bits: UInt64, _ length: Int) {
            pending = pending << UInt64(length) | bits & ((1 << UInt64(length)) - 1)
            count += length
            while count >= 8 {
                let byte = UInt8(truncatingIfNeeded: pending >> UInt64(count - 8))
                bytes.append(byte)
                if byte == 0xFF { bytes.append(0) }
                count -= 8
            }
        }
        forEachDifference { difference, category in
            let (bits, length) = code.codes[category]
            append(bits, length)
            // 32768 is category 16, whose code is followed by no bits.
            guard category < 16 else { return }
            append(UInt64(truncatingIfNeeded: difference < 0 ? difference - 1 : difference), category)
        }
        if count > 0 { append(0xFF, 8 - count) }
        return bytes
    }

    /// Px of T.81 §H.1.2.1: the first row is predicted from the left, the first column from above.
    @inline(__always)
    private func prediction(_ samples: Span<UInt16>, _ index: Int, row: Int, column: Int) -> Int {
        if row == 0 { return column == 0 ? 1 << (bitDepth - 1) : Int(samples[index - 1]) }
        let above = Int(samples[index - width])
        if column == 0 { return above }
        let (left, corner) = (Int(samples[index - 1]), Int(samples[index - width - 1]))
        switch predictor {
        case 1: return left
        case 2: return above
        case 3: return corner
        case 4: return left + above - corner
        case 5: return left + (above - corner) >> 1
        case 6: return above + (left - corner) >> 1
        default: return (left + above) >> 1
        }
    }
}
