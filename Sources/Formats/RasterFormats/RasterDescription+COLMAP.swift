package import Bytes

extension RasterDescription {
    /// Reads the header of a dense map of COLMAP (`*.geometric.bin`, `*.photometric.bin`): width, height and channels in ASCII,
    /// each followed by `&`. Float32 samples follow row by row, least significant byte first; 0 is unknown.
    package init(parsingCOLMAP source: any ByteSource, limits: DecodingLimits) throws(ContainerError) {
        let path = StructurePath("COLMAP map")
        let start = try source.readPrefix(at: 0, count: RasterFileFormat.mostHeaderBytes)
        guard let (numbers, byteCount) = RasterFileFormat.colmapHeader(start) else {
            throw ContainerError(
                .malformed(rule: "the header is not 'width&height&channels&' in digits"), at: 0, in: path)
        }
        let layout = SampleLayout(
            width: numbers[0], height: numbers[1], type: .float32, byteOrder: .littleEndian)
        try self.init(
            format: .colmap, channels: numbers[2], layout: layout, start: byteCount,
            byteCount: source.byteCount, limits: limits, path: path)
    }
}

extension RasterFileFormat {
    /// The bytes of a file that determine its format.
    static let mostHeaderBytes = 16

    /// Width, height and channels of a dense map of COLMAP, and the length of the header; `nil` for other bytes.
    static func colmapHeader(_ start: [UInt8]) -> (numbers: [Int], byteCount: Int)? {
        var numbers: [Int] = []
        var digits = ""
        for (index, byte) in start.enumerated() {
            if byte == UInt8(ascii: "&"), let number = Int(digits), number > 0 {
                numbers.append(number)
                digits = ""
                if numbers.count == 3 { return number < 10 ? (numbers, index + 1) : nil }
            } else {
                guard (0x30...0x39).contains(byte) else { return nil }
                digits.append(Character(Unicode.Scalar(byte)))
            }
        }
        return nil
    }
}
