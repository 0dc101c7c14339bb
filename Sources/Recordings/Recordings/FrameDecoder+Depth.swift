internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import RasterFormats
internal import Scenes

extension FrameDecoder {
    mutating func readDepth(
        _ part: any FramePart, into plane: inout FramePlane<Float>
    ) throws(ContainerError) {
        try load(part)
        let limits = recording.limits
        switch recording.coding.depth.storage {
        case .image:
            if let raster = try readGrayPNG() {
                let size = PixelSize(width: raster.width, height: raster.height)
                if raster.sampleType == .uint16 {
                    write(codes16, size, into: &plane)
                } else {
                    write(codes8, size, into: &plane)
                }
                return
            }
            let (size, samples) = try Self.raster(coded, limits)
            switch samples {
            case .uint8(let codes): write(codes, size, into: &plane)
            case .uint16(let codes): write(codes, size, into: &plane)
            case .float(let values): write(values, size, into: &plane)
            }
        case .uint16: try writePlain(.uint16, into: &plane)
        case .float16: try writePlain(.float16, into: &plane)
        case .float32: try writePlain(.float32, into: &plane)
        case .compressedDepth(let isInverse): try readCompressedDepth(isInverse: isInverse, into: &plane)
        case .zlibUInt16:
            guard let size = recording.coding.registration?.depth ?? recording.depthSize else { return }
            let count = try limits.pixelCount(width: size.width, height: size.height) * 2
            // Deflate compresses at most 1,032 to 1.
            guard count / 2048 <= coded.count else {
                throw ContainerError(.truncated(needed: count / 2048, available: coded.count))
            }
            try limits.checkMemory(pixels: count, bytesPerPixel: 3, other: coded.count)
            try part.count(unpacked: count, of: coded.count, limits)
            if unpacked.count != count { unpacked = [UInt8](repeating: 0, count: count) }
            try inflate(coded, as: .zlib, into: &unpacked)
            write(unpacked, .uint16, size, into: &plane)
        case .lzfse:
            let size = try decodeLZFSE(part, bytesPerSample: [4, 2])
            let isHalf = unpacked.count == size.width * size.height * 2
            write(unpacked, isHalf ? .float16 : .float32, size, into: &plane)
        }
    }

    /// Samples without a header.
    private mutating func writePlain(
        _ type: SampleType, into plane: inout FramePlane<Float>
    ) throws(ContainerError) {
        guard let size = recording.coding.registration?.depth ?? recording.depthSize else { return }
        let samples = try recording.limits.pixelCount(width: size.width, height: size.height)
        if let rows = recording.coding.depth.rows {
            try coded.straighten(rows, count: size.height, bytesPerSample: type.byteCount)
        }
        let count = samples * type.byteCount
        guard coded.count == count else {
            throw ContainerError(.truncated(needed: count, available: coded.count))
        }
        write(coded, type, size, into: &plane)
    }

    /// Depth of ROS's compressed_depth_image_transport.
    private mutating func readCompressedDepth(
        isInverse: Bool, into plane: inout FramePlane<Float>
    ) throws(ContainerError) {
        var cursor = ByteCursor(coded.span, path: StructurePath("compressedDepth"))
        cursor.byteOrder = .littleEndian
        try cursor.skip(4)
        let (a, b) = (
            Float(bitPattern: try cursor.read(UInt32.self)), Float(bitPattern: try cursor.read(UInt32.self))
        )
        let size = try CompressedDepth.size(coded)
        let count = try recording.limits.pixelCount(width: size.width, height: size.height)
        // Each sample that is not 0 takes half a byte; runs of zeros may take nothing, so memory is checked alone.
        try recording.limits.checkMemory(pixels: count, bytesPerPixel: 6, other: coded.count)
        coded.removeFirst(CompressedDepth.headerSize)
        if try readGrayPNG() == nil {
            if codes16.count != count { codes16 = [UInt16](repeating: 0, count: count) }
            try RVL.decode(coded, from: 8, into: &codes16)
        }
        guard isInverse else { return write(codes16, size, into: &plane) }
        plane.overwrite(width: size.width, height: size.height, fill: .nan) {
            convert(codes16.span, to: &$0) { $0 == 0 ? 0 : a / (Float($0) - b) }
            finish(&$0, bits: nil)
        }
    }

    /// Decodes ``coded`` into ``codes8`` or ``codes16``, if it is a PNG file of one channel; otherwise returns `nil`.
    mutating func readGrayPNG() throws(ContainerError) -> RasterDescription? {
        guard RasterFileFormat(recognizing: Array(coded.prefix(16))) == .png else { return nil }
        let decoder = RasterDecoder(MemorySource(coded), limits: recording.limits)
        let raster = try decoder.describe(.png)
        guard raster.channels == 1, raster.readError == nil else { return nil }
        let count = try recording.limits.pixelCount(width: raster.width, height: raster.height)
        try recording.limits.checkMemory(pixels: count, bytesPerPixel: 6, other: coded.count)
        if raster.sampleType == .uint16 {
            if codes16.count != count { codes16 = [UInt16](repeating: 0, count: count) }
            var samples = codes16.mutableSpan
            try decoder.readPNG(raster, channels: 1, into: &samples)
        } else {
            if codes8.count != count { codes8 = [UInt8](repeating: 0, count: count) }
            var samples = codes8.mutableSpan
            try decoder.readPNG(raster, channels: 1, into: &samples)
        }
        return raster
    }

    static func raster(
        _ coded: [UInt8], _ limits: DecodingLimits
    ) throws(ContainerError) -> (PixelSize, RasterSamples) {
        guard let format = RasterFileFormat(recognizing: Array(coded.prefix(16))) else {
            throw ContainerError(.unrecognized(detail: "this is not a raster that can be read"))
        }
        let decoder = RasterDecoder(MemorySource(coded), limits: limits)
        let raster = try decoder.describe(format)
        guard raster.channels == 1 else {
            throw ContainerError(.unrecognized(detail: "this is a color image, not a map"))
        }
        return (
            PixelSize(width: raster.width, height: raster.height), try decoder.samples(of: raster)
        )
    }

    /// Stored samples, which become distances; see ``SampleRule``.
    mutating func write<Code: FixedWidthInteger & BitwiseCopyable>(
        _ codes: [Code], _ size: PixelSize, into plane: inout FramePlane<Float>
    ) {
        plane.overwrite(width: size.width, height: size.height, fill: .nan) {
            convert(codes.span, to: &$0) { Float($0) }
            finish(&$0, bits: Code.bitWidth)
        }
    }

    mutating func write(_ values: [Float], _ size: PixelSize, into plane: inout FramePlane<Float>) {
        plane.overwrite(width: size.width, height: size.height, fill: .nan) {
            $0.copy(values.span, values.indices, to: 0)
            finish(&$0, bits: nil)
        }
    }

    /// Samples of 16-bit integers or floating point, least significant byte first. Their number must match the size.
    mutating func write(
        _ bytes: [UInt8], _ type: SampleType, _ size: PixelSize, into plane: inout FramePlane<Float>
    ) {
        precondition(bytes.count == size.width * size.height * type.byteCount)
        plane.overwrite(width: size.width, height: size.height, fill: .nan) { output in
            switch type {
            case .uint16: convert(bytes, to: &output) { (code: UInt16) in Float(code) }
            case .float16:
                let values = halfFloatValues
                convert(bytes, to: &output) { (code: UInt16) in values[Int(code)] }
            default: convert(bytes, to: &output) { (code: UInt32) in Float(bitPattern: code) }
            }
            finish(&output, bits: type.isFloat ? nil : 16)
        }
    }

    /// Stored samples as distances: meters, if the unit is known.
    private mutating func finish(_ samples: inout MutableSpan<Float>, bits: Int?) {
        // Units are exact in Float32 if they are in use, so the quotient is the nearest Float32.
        let coding = recording.coding.depth
        var rule = SampleRule(.depth, bits: bits)
        rule.noData = coding.unknownCode.map { Float($0) } ?? .nan
        counts = rule.convert(&samples, dividingBy: Float(coding.unitsPerMeter ?? 1))
    }

    /// Decodes the stream ``coded`` of a part into ``unpacked``. Returns the size of the map: the declared size, otherwise the
    /// size of a known camera that fits the byte count.
    mutating func decodeLZFSE(
        _ part: any FramePart, bytesPerSample: [Int]
    ) throws(ContainerError) -> PixelSize {
        let known = [
            PixelSize(width: 192, height: 256), PixelSize(width: 480, height: 640),
            PixelSize(width: 720, height: 960),
        ]
        let sizes = recording.depthSize.map { [$0] } ?? known
        var most = 0
        for size in sizes {
            most = max(most, try recording.limits.pixelCount(width: size.width, height: size.height))
        }
        let widest = bytesPerSample.max() ?? 1
        try recording.limits.checkMemory(pixels: most, bytesPerPixel: 2 * widest, other: coded.count)
        try part.count(unpacked: most * widest, of: coded.count, recording.limits)
        try lzfse.decode(coded, atMost: most * widest, into: &unpacked)
        for size in sizes {
            if bytesPerSample.contains(where: { size.width * size.height * $0 == unpacked.count }) {
                return size
            }
        }
        throw ContainerError(
            .malformed(
                rule: "depth has \(unpacked.count) bytes, which is not a map of "
                    + "\(sizes.map(\.description).joined(separator: " or ")) samples"))
    }
}

extension [UInt8] {
    /// Removes padding behind rows of samples, and puts the least significant byte of each sample first. Throws if there are
    /// fewer bytes than `count` rows need.
    mutating func straighten(
        _ rows: FrameCoding.PlainRows, count: Int, bytesPerSample: Int
    ) throws(ContainerError) {
        let (needed, overflow) = rows.byteCount.multipliedReportingOverflow(by: count)
        guard !overflow, rows.used <= rows.byteCount, needed <= self.count else {
            throw ContainerError(.truncated(needed: overflow ? .max : needed, available: self.count))
        }
        if rows.used < rows.byteCount {
            for row in 1..<Swift.max(count, 1) {
                for column in 0..<rows.used {
                    self[row * rows.used + column] = self[row * rows.byteCount + column]
                }
            }
        }
        removeLast(self.count - rows.used * count)
        guard rows.isBigEndian, bytesPerSample > 1 else { return }
        for start in stride(from: 0, to: self.count - bytesPerSample + 1, by: bytesPerSample) {
            self[start..<start + bytesPerSample].reverse()
        }
    }
}
