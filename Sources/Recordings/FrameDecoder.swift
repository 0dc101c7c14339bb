package import ByteParsing
internal import DepthCore
internal import DepthIO
package import DepthModel
internal import EmbeddedFormats
internal import ImageCodecs
internal import RasterContainers
package import Sequences

/// Decodes frames of a recording, in any order. Its memory is used again from frame to frame; use one for each thread.
package struct FrameDecoder {
    private let recording: Recording
    private var lzfse = LZFSEDecoder()
    private var unpacked: [UInt8] = []
    private var depthRecords: DeflatedRecords?
    private var confidenceRecords: DeflatedRecords?

    /// A decoder for frames of a recording.
    package init(_ recording: Recording) {
        self.recording = recording
    }

    /// Decodes parts of the frame at an index of ``Recording/frames``, at the sizes and in the directions in which they are
    /// stored. Index, time, pose and calibration are always filled in.
    ///
    /// With `colorSize` the color picture may be smaller than it is, where that is quicker, and is at least of that size.
    ///
    /// Throws ``ContainerError``, with the name of the file, where something cannot be decoded.
    package mutating func read(
        _ parts: FrameParts, ofFrameAt index: Int, colorAtLeast colorSize: PixelSize? = nil,
        into frame: inout SequenceFrame
    ) throws(ContainerError) {
        let item = recording.frames[index]
        frame.clear()
        frame.index = index
        frame.time = item.time ?? 0
        frame.pose = item.pose
        frame.calibration = recording.calibration(of: item)
        frame.scale = recording.scale
        if parts.contains(.depth), let part = item.depth {
            try inFile(of: part) { (decoder) throws(ContainerError) in
                try decoder.readDepth(part, into: &frame.depth)
            }
        }
        if parts.contains(.confidence), let part = item.confidence {
            try inFile(of: part) { (decoder) throws(ContainerError) in
                try decoder.readConfidence(part, grid: frame.depth.size, into: &frame.confidence)
            }
        }
        if parts.contains(.matte), let part = item.matte {
            try inFile(of: part) { (decoder) throws(ContainerError) in
                try decoder.readMatte(part, into: &frame.matte)
            }
        }
        // Pictures in a movie come in order only: see MovieColor.
        if parts.contains(.color), let part = item.color, !part.isInMovie {
            try inFile(of: part) { (decoder) throws(ContainerError) in
                try decoder.readColor(part, atLeast: colorSize, into: &frame.color)
            }
        }
    }

    /// The bytes of the recording's sound, where it is kept beside the frames.
    package func sound() throws(ContainerError) -> [UInt8]? {
        guard let part = recording.soundPart else { return nil }
        return try bytes(of: part)
    }

    /// Adds the name of the file to what `body` throws.
    private mutating func inFile(
        of part: FramePart, _ body: (inout FrameDecoder) throws(ContainerError) -> Void
    ) throws(ContainerError) {
        do throws(ContainerError) {
            try body(&self)
        } catch {
            switch part {
            case .file(let folder, let name):
                throw error.inFile("\(recording.folders[folder].lastName)/\(name)")
            case .member(let index): throw error.inFile(recording.members[index].name)
            case .bytes, .record, .movie: throw error
            }
        }
    }

    /// The coded bytes of a part.
    private func bytes(of part: FramePart) throws(ContainerError) -> [UInt8] {
        let limits = recording.limits
        switch part {
        case .file(let folder, let name):
            let source = try FileSource.opened(
                recording.folders[folder].followed(by: name), below: recording.root, limits: limits)
            try limits.check(.codedBytes, source.byteCount)
            return try source.read(0..<source.byteCount)
        case .bytes(let range):
            guard let file = recording.file else { return [] }
            try limits.check(.codedBytes, range.count, at: range.lowerBound)
            return try file.read(range)
        case .member(let index):
            guard let file = recording.file else { return [] }
            let entry = recording.members[index]
            try limits.check(.codedBytes, entry.byteCount, at: entry.range.lowerBound)
            return try ArchiveMembers(file, limits: limits).bytes(of: entry)
        case .record, .movie: return []
        }
    }

    // MARK: Depth

    private mutating func readDepth(
        _ part: FramePart, into plane: inout FramePlane<Float>
    ) throws(ContainerError) {
        if case .record(let index) = part { return try readDepth(record: index, into: &plane) }
        let coded = try bytes(of: part)
        let limits = recording.limits
        switch recording.depthCoding.storage {
        case .image:
            let (size, samples) = try Self.raster(coded, limits)
            switch samples {
            case .uint8(let codes): write(codes, size, into: &plane)
            case .uint16(let codes): write(codes, size, into: &plane)
            case .float(let values): write(values, size, into: &plane)
            }
        case .uint16, .zlibUInt16:
            guard let size = recording.depthSize else { return }
            let count = try limits.pixelCount(width: size.width, height: size.height) * 2
            var bytes = coded
            if recording.depthCoding.storage == .zlibUInt16 {
                bytes = try inflatedZlib(coded, byteCount: count)
            }
            guard bytes.count == count else {
                throw ContainerError(.truncated(needed: count, available: bytes.count))
            }
            let layout = SampleLayout(
                width: size.width, height: size.height, type: .uint16, byteOrder: .littleEndian)
            guard case .uint16(let codes) = RasterSamples(bytes, layout: layout) else { return }
            write(codes, size, into: &plane)
        case .deflatedFloat16: return
        case .lzfse:
            let size = try decodeLZFSE(coded, bytesPerSample: [4, 2])
            let isHalf = unpacked.count == size.width * size.height * 2
            let layout = SampleLayout(
                width: size.width, height: size.height, type: isHalf ? .float16 : .float32,
                byteOrder: .littleEndian)
            guard case .float(let values) = RasterSamples(unpacked, layout: layout) else { return }
            write(values, size, into: &plane)
        }
    }

    private mutating func readDepth(
        record index: Int, into plane: inout FramePlane<Float>
    ) throws(ContainerError) {
        guard let stream = recording.depthStream, let size = recording.depthSize else { return }
        let count = try recording.limits.pixelCount(width: size.width, height: size.height)
        let records = depthRecords ?? DeflatedRecords(stream, size: 2 * count)
        depthRecords = records
        try records.read(index, into: &unpacked)
        let layout = SampleLayout(
            width: size.width, height: size.height, type: .float16, byteOrder: .littleEndian)
        guard case .float(let values) = RasterSamples(unpacked, layout: layout) else { return }
        write(values, size, into: &plane)
    }

    private static func raster(
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

    /// Codes become meters; 0 and the layout's own code are unknown.
    private func write<Code: FixedWidthInteger & BitwiseCopyable>(
        _ codes: [Code], _ size: PixelSize, into plane: inout FramePlane<Float>
    ) {
        // Both are exact in Float32 for the units in use, so that the quotient is the nearest Float32.
        let units = Float(recording.depthCoding.unitsPerMeter ?? 1)
        let unknown = recording.depthCoding.unknownCode.flatMap { Code(exactly: $0) } ?? 0
        plane.overwrite(width: size.width, height: size.height, fill: .nan) {
            convert(codes.span, to: &$0) { $0 == 0 || $0 == unknown ? .nan : Float($0) / units }
        }
    }

    /// Floating-point samples are meters, unless units are given; what is not positive is unknown.
    private func write(_ values: [Float], _ size: PixelSize, into plane: inout FramePlane<Float>) {
        let units = Float(recording.depthCoding.unitsPerMeter ?? 1)
        plane.overwrite(width: size.width, height: size.height, fill: .nan) {
            convert(values.span, to: &$0) { value in
                let meters = value / units
                return meters > 0 && meters < .infinity ? meters : .nan
            }
        }
    }

    /// Decodes a stream into ``unpacked``. Returns the size of the map: the one that the recording states, else the one of a
    /// known camera that the bytes fit.
    private mutating func decodeLZFSE(
        _ coded: [UInt8], bytesPerSample: [Int]
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
        try lzfse.decode(coded, atMost: most * widest, into: &unpacked)
        for size in sizes {
            if bytesPerSample.contains(where: { size.width * size.height * $0 == unpacked.count }) {
                return size
            }
        }
        throw ContainerError(
            .malformed(
                rule: "a map of \(sizes.map(\.description).joined(separator: " or ")) samples does not take"
                    + " \(unpacked.count) bytes"))
    }

    // MARK: Confidence

    private mutating func readConfidence(
        _ part: FramePart, grid: PixelSize, into plane: inout FramePlane<UInt8>
    ) throws(ContainerError) {
        if case .record(let index) = part, let stream = recording.confidenceStream {
            guard let size = recording.depthSize else { return }
            let count = try recording.limits.pixelCount(width: size.width, height: size.height)
            let records = confidenceRecords ?? DeflatedRecords(stream, size: count)
            confidenceRecords = records
            try records.read(index, into: &unpacked)
            return write(unpacked, size, into: &plane)
        }
        let coded = try bytes(of: part)
        if recording.confidenceCoding == .lzfse {
            let size = try decodeLZFSE(coded, bytesPerSample: [1])
            return write(unpacked, size, into: &plane)
        }
        let (size, samples) = try Self.raster(coded, recording.limits)
        guard case .uint8(let codes) = samples else {
            throw ContainerError(.unsupported(feature: "confidence of more than 8 bits"))
        }
        write(codes, size, into: &plane)
    }

    private func write(_ codes: [UInt8], _ size: PixelSize, into plane: inout FramePlane<UInt8>) {
        let isSpread = recording.confidenceCoding == .spread
        plane.overwrite(width: size.width, height: size.height, fill: 0) {
            convert(codes.span, to: &$0) { code in
                isSpread ? (code == 0 ? 0 : code < 200 ? 1 : 2) : min(code, 2)
            }
        }
    }

    // MARK: Matte

    /// Gray of 8 or 16 bits, or the red of a picture; 0 and 1 stand for none and all where there is nothing else.
    private func readMatte(_ part: FramePart, into plane: inout FramePlane<UInt8>) throws(ContainerError) {
        let coded = try bytes(of: part)
        if let (size, samples) = try? Self.raster(coded, recording.limits) {
            switch samples {
            case .uint8(let codes): return write(matte: codes, size, into: &plane)
            case .uint16(let codes):
                let isSmall = !codes.contains { $0 > 255 }
                return write(matte: codes.map { UInt8(isSmall ? $0 : $0 >> 8) }, size, into: &plane)
            case .float(let values):
                let codes = values.map { UInt8(min(max($0, 0), 1) * 255 + 0.5) }
                return write(matte: codes, size, into: &plane)
            }
        }
        let image = try PictureFile(MemorySource(coded), limits: recording.limits).image(frame: .stored)
        guard case .uint8(let pixels) = image.in8Bits.pixels else { return }
        write(matte: pixels.map(\.red), PixelSize(width: image.width, height: image.height), into: &plane)
    }

    private func write(matte codes: [UInt8], _ size: PixelSize, into plane: inout FramePlane<UInt8>) {
        let factor: UInt8 = codes.contains { $0 > 1 } ? 1 : 255
        plane.overwrite(width: size.width, height: size.height, fill: 0) {
            convert(codes.span, to: &$0) { $0 &* factor }
        }
    }

    // MARK: Color

    private func readColor(
        _ part: FramePart, atLeast size: PixelSize?, into plane: inout FramePlane<RGB<UInt8>>
    ) throws(ContainerError) {
        let picture = try PictureFile(MemorySource(try bytes(of: part)), limits: recording.limits)
        // Poses and depth are those of the stored pixels.
        let stored =
            if let size {
                try picture.image(frame: .stored, atLeastWidth: size.width, height: size.height)
            } else {
                try picture.image(frame: .stored)
            }
        let image = stored.colorProfile.isEmpty ? stored : (try? stored.converted(toProfile: [])) ?? stored
        plane.overwrite(width: image.width, height: image.height, fill: .black) { output in
            switch image.pixels {
            case .uint8(let pixels): convert(pixels.span, to: &output) { $0 }
            case .uint16(let pixels):
                convert(pixels.span, to: &output) { pixel in
                    RGB(
                        red: UInt8(pixel.red >> 8), green: UInt8(pixel.green >> 8),
                        blue: UInt8(pixel.blue >> 8))
                }
            }
        }
    }
}

/// Writes what `body` makes of each sample.
///
/// A loop in a closure that takes a span is not specialized by Swift 6.3, which makes it a hundred times as slow.
@inline(__always)
private func convert<From: BitwiseCopyable, To: BitwiseCopyable>(
    _ input: Span<From>, to output: inout MutableSpan<To>, _ body: (From) -> To
) {
    precondition(output.count == input.count)
    var index = 0
    while index < input.count {
        output[index] = body(input[index])
        index += 1
    }
}
