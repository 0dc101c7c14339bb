package import Bytes

extension RasterDescription {
    /// Reads the header of a portable gray map or pixel map: `P5` or `P6` (binary), `P2` or `P3` (text), width, height,
    /// maximum value.
    ///
    /// If the maximum is above 255, samples have two bytes; according to netpbm, the most significant byte is first.
    package init(
        parsingPNM source: any ByteSource, limits: DecodingLimits
    ) throws(ContainerError) {
        var header = try HeaderText(source, path: StructurePath("PNM"))
        let magic = try header.word()
        let isText = magic == "P2" || magic == "P3"
        let isColor = magic == "P3" || magic == "P6"
        let path = StructurePath(isColor ? "PPM" : "PGM")
        let (width, height, maximum) = (try header.number(), try header.number(), try header.number())
        guard (1...65535).contains(maximum) else {
            throw header.malformed("maximum of a PGM file is \(maximum), not 1 to 65535")
        }
        let layout = SampleLayout(
            width: width, height: height, type: maximum > 255 ? .uint16 : .uint8, byteOrder: .bigEndian)
        if isText {
            self.init(
                format: isColor ? .ppm : .pgm, width: width, height: height, channels: isColor ? 3 : 1,
                sampleType: layout.type, codec: "text", location: .text(start: header.offset))
            // Each sample has at least a digit, and white space before the next one.
            let needed = try limits.pixelCount(width: width, height: height, in: path) * channels * 2 - 1
            guard needed <= source.byteCount - header.offset else {
                throw ContainerError(
                    .truncated(needed: needed, available: source.byteCount - header.offset),
                    at: header.offset, in: path)
            }
            bitDepth = Int.bitWidth - maximum.leadingZeroBitCount
            maximumCode = maximum
            return
        }
        try self.init(
            format: isColor ? .ppm : .pgm, channels: isColor ? 3 : 1,
            bitDepth: Int.bitWidth - maximum.leadingZeroBitCount, layout: layout, start: header.offset,
            byteCount: source.byteCount, limits: limits, path: path)
        if maximum != (maximum > 255 ? 65535 : 255) { maximumCode = maximum }
    }
}
