/// A gray image as lossless JPEG (ITU-T T.81 Annex H, SOF3, Huffman coded), which libjpeg does not write everywhere.
public struct LosslessJPEGEncoder: Hashable, Sendable {
    /// The width in samples, 1…65535.
    public var width: Int
    /// The height in samples, 1…65535.
    public var height: Int
    /// Bits of a sample, 2…16.
    public var bitDepth: Int
    /// What differences are taken to (T.81 Table H.1): 1 left, 2 above, 3 above left, 4 left + above − above left,
    /// 5 left + (above − above left) / 2, 6 above + (left − above left) / 2, 7 (left + above) / 2.
    public var predictor: Int
    /// The samples, row by row without padding.
    public var samples: [UInt16]

    /// An image of these samples.
    public init(width: Int, height: Int, bitDepth: Int, predictor: Int, samples: [UInt16]) {
        self.width = width
        self.height = height
        self.bitDepth = bitDepth
        self.predictor = predictor
        self.samples = samples
    }

    /// The complete stream, from SOI to EOI.
    ///
    /// - Throws: ``ContainerWritingError`` where a number is out of its range, or does not fit the others.
    public func serialized() throws(ContainerWritingError) -> [UInt8] {
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
        let table = [0] + Self.codesOfLength + (0...16)
        try JPEGSegment(marker: 0xC4, payload: table).append(to: &writer)
        try JPEGSegment(marker: 0xDA, payload: [1, 1, 0, UInt8(predictor), 0, 0]).append(to: &writer)
        writer.append(entropyCoded())
        writer.append([0xFF, 0xD9])
        return writer.bytes
    }

    private func check(
        _ value: Int, in range: ClosedRange<Int>, _ field: String
    ) throws(ContainerWritingError) {
        guard range.contains(value) else { throw .notRepresentable(field: field, value: "\(value)") }
    }

    /// How many Huffman codes are 1, 2, … 16 bits long: the categories 0 to 13 have four bits, 14 to 16 five. One code
    /// of five bits is left, since none may be all ones.
    private static let codesOfLength: [UInt8] = [0, 0, 0, 14, 3] + [UInt8](repeating: 0, count: 11)

    private func entropyCoded() -> [UInt8] {
        var bits = BitWriter()
        for index in samples.indices {
            // Differences are modulo 2¹⁶ (T.81 §H.1.2.1); 32768 is category 16, whose code no bits follow.
            let difference = Int(Int16(truncatingIfNeeded: Int(samples[index]) - prediction(at: index)))
            let category = Int.bitWidth - difference.magnitude.leadingZeroBitCount
            if category < 14 {
                bits.append(UInt64(category), bitCount: 4)
            } else {
                bits.append(UInt64(28 + category - 14), bitCount: 5)
            }
            guard category < 16 else { continue }
            let rest = difference < 0 ? difference - 1 : difference
            bits.append(UInt64(truncatingIfNeeded: rest), bitCount: category)
        }
        while !bits.isByteAligned { bits.append(true) }
        return bits.bytes.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
    }

    /// Px of T.81 §H.1.2.1: the first row goes from the left, the first column from above.
    private func prediction(at index: Int) -> Int {
        let (x, y) = (index % width, index / width)
        if x == 0, y == 0 { return 1 << (bitDepth - 1) }
        if y == 0 { return Int(samples[index - 1]) }
        let above = Int(samples[index - width])
        if x == 0 { return above }
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
