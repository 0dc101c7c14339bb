package import Bytes

extension RasterDescription {
    /// Reads the header of a portable float map: `Pf` (gray) or `PF` (RGB), width, height, and a scale whose sign gives the
    /// byte order (negative: little-endian). Rows go from the bottom to the top.
    package init(parsingPFM source: any ByteSource, limits: DecodingLimits) throws(ContainerError) {
        let path = StructurePath("PFM")
        var header = try HeaderText(source, path: path)
        let isColor = try header.word() == "PF"
        let (width, height) = (try header.number(), try header.number())
        let word = try header.word()
        guard let scale = Double(word), scale.isFinite, scale != 0 else {
            throw header.malformed(
                "the scale of the PFM file is '\(word.prefix(100))'; it must be a number, and not 0")
        }
        let layout = SampleLayout(
            width: width, height: height, type: .float32, byteOrder: scale < 0 ? .littleEndian : .bigEndian,
            arrangement: .bottomUp)
        try self.init(
            format: .pfm, channels: isColor ? 3 : 1, layout: layout, start: header.offset,
            byteCount: source.byteCount, limits: limits, path: path)
        if scale.magnitude != 1 {
            diagnostics.append(
                .note(.unusedScale, "the scale \(scale.magnitude) in the PFM header is not applied", in: path)
            )
        }
    }
}
