internal import ByteParsing
internal import DepthCore
internal import DepthIO
internal import DepthModel
internal import ImageCodecs
internal import RasterContainers
internal import Sequences

extension FrameDecoder {
    // MARK: Confidence

    mutating func readConfidence(
        _ part: FramePart, grid: PixelSize, into plane: inout FramePlane<UInt8>
    ) throws(ContainerError) {
        if case .record(let index) = part, let stream = recording.confidenceStream {
            guard let size = recording.depthSize else { return }
            let count = try recording.limits.pixelCount(width: size.width, height: size.height)
            try recording.limits.checkMemory(pixels: count, bytesPerPixel: 2)
            let records = confidenceRecords ?? DeflatedRecords(stream, size: count)
            confidenceRecords = records
            try records.read(index, into: &unpacked)
            return write(unpacked, size, into: &plane)
        }
        try load(part)
        if recording.confidenceCoding == .lzfse {
            let size = try decodeLZFSE(bytesPerSample: [1])
            return write(unpacked, size, into: &plane)
        }
        if let raster = try readGrayPNG(), raster.sampleType == .uint8 {
            return write(codes8, PixelSize(width: raster.width, height: raster.height), into: &plane)
        }
        let (size, samples) = try Self.raster(coded, recording.limits)
        guard case .uint8(let codes) = samples else {
            throw ContainerError(.unsupported(feature: "confidence of more than 8 bits"))
        }
        write(codes, size, into: &plane)
    }

    func write(_ codes: [UInt8], _ size: PixelSize, into plane: inout FramePlane<UInt8>) {
        let isSpread = recording.confidenceCoding == .spread
        plane.overwrite(width: size.width, height: size.height, fill: 0) {
            convert(codes.span, to: &$0) { code in
                isSpread ? (code == 0 ? 0 : code < 200 ? 1 : 2) : min(code, 2)
            }
        }
    }

    // MARK: Matte

    /// Gray of 8 or 16 bits, or the red of a picture; 0 and 1 stand for none and all where there is nothing else.
    mutating func readMatte(
        _ part: FramePart, into plane: inout FramePlane<UInt8>
    ) throws(ContainerError) {
        try load(part)
        if let raster = try? readGrayPNG(), raster.sampleType == .uint8 {
            return write(matte: codes8, PixelSize(width: raster.width, height: raster.height), into: &plane)
        }
        if let (size, samples) = try? Self.raster(coded, recording.limits) {
            switch samples {
            case .uint8(let codes): return write(matte: codes, size, into: &plane)
            case .uint16(let codes):
                let isSmall = !codes.contains { $0 > 255 }
                return write(matte: codes.map { UInt8(isSmall ? $0 : $0 >> 8) }, size, into: &plane)
            case .float(let values):
                // What is not a number is outside.
                let codes = values.map { $0 > 0 ? UInt8(min($0, 1) * 255 + 0.5) : 0 }
                return write(matte: codes, size, into: &plane)
            }
        }
        let image = try PictureFile(MemorySource(coded), limits: recording.limits).image(frame: .stored)
        guard case .uint8(let pixels) = image.in8Bits.pixels else { return }
        write(matte: pixels.map(\.red), PixelSize(width: image.width, height: image.height), into: &plane)
    }

    func write(matte codes: [UInt8], _ size: PixelSize, into plane: inout FramePlane<UInt8>) {
        let factor: UInt8 = codes.contains { $0 > 1 } ? 1 : 255
        plane.overwrite(width: size.width, height: size.height, fill: 0) {
            convert(codes.span, to: &$0) { $0 &* factor }
        }
    }

    // MARK: Color

    mutating func readColor(
        _ part: FramePart, atLeast size: PixelSize?, into plane: inout FramePlane<RGB<UInt8>>
    ) throws(ContainerError) {
        try load(part)
        if let layout = recording.colorPixels, let size = recording.colorSize {
            return try write(coded, layout, size, into: &plane)
        }
        let picture = try PictureFile(MemorySource(coded), limits: recording.limits)
        if let stored = try picture.storedPixels(atLeastWidth: size?.width, height: size?.height) {
            let count = try recording.limits.pixelCount(width: stored.width, height: stored.height)
            try recording.limits.checkMemory(pixels: count, bytesPerPixel: 6, other: coded.count)
            var isDecoded = false
            try plane.overwrite(
                width: stored.width, height: stored.height, fill: .black
            ) { (pixels) throws(ContainerError) in isDecoded = try stored.decode(into: &pixels) }
            if isDecoded { return }
        }
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

    /// Writes pixels that are as they are in memory.
    private func write(
        _ bytes: [UInt8], _ layout: PackedPixels, _ size: PixelSize, into plane: inout FramePlane<RGB<UInt8>>
    ) throws(ContainerError) {
        let count = try recording.limits.pixelCount(width: size.width, height: size.height)
        guard bytes.count == count * layout.byteCount else {
            throw ContainerError(.truncated(needed: count * layout.byteCount, available: bytes.count))
        }
        let (stride, red) = (layout.byteCount, layout.isRedFirst ? 0 : 2)
        let codes = bytes.span
        plane.overwrite(width: size.width, height: size.height, fill: .black) { pixels in
            for index in pixels.indices {
                let place = index * stride
                pixels[index] = RGB(
                    red: codes[place + red], green: codes[place + 1], blue: codes[place + 2 - red])
            }
        }
    }
}
