package import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import RasterFormats
internal import Scenes

extension FrameDecoder {
    // MARK: Confidence

    mutating func readConfidence(
        _ part: any FramePart, into plane: inout FramePlane<UInt8>
    ) throws(ContainerError) {
        try load(part)
        if recording.coding.confidence == .bytes {
            guard let size = recording.depthSize else { return }
            return write(coded, size, into: &plane)
        }
        if recording.coding.confidence == .lzfse {
            let size = try decodeLZFSE(part, bytesPerSample: [1])
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
        let isSpread = recording.coding.confidence == .spread
        plane.overwrite(width: size.width, height: size.height, fill: 0) {
            convert(codes.span, to: &$0) { code in
                isSpread ? (code == 0 ? 0 : code < 200 ? 1 : 2) : min(code, 2)
            }
        }
    }

    // MARK: Matte

    /// Gray of 8 or 16 bits, or the red channel of a picture, on the common scale of the recording's mattes.
    mutating func readMatte(
        _ part: any FramePart, into plane: inout FramePlane<UInt8>
    ) throws(ContainerError) {
        let scale = matteScale ?? findMatteScale()
        matteScale = scale
        switch try matte(of: part) {
        case (let size, .codes8(let codes)): write(codes, size, into: &plane) { scale.coverage(of: $0) }
        case (let size, .codes16(let codes)): write(codes, size, into: &plane) { scale.coverage(of: $0) }
        case (let size, .shares(let values)):
            // `nan` becomes background.
            write(values, size, into: &plane) { $0 > 0 ? UInt8(min($0, 1) * 255 + 0.5) : 0 }
        }
    }

    /// The stored samples of a matte.
    enum MatteSamples {
        case codes8([UInt8])
        case codes16([UInt16])
        /// Fractions of a pixel, 0…1.
        case shares([Float])
    }

    private mutating func matte(
        of part: any FramePart
    ) throws(ContainerError) -> (size: PixelSize, samples: MatteSamples) {
        try load(part)
        if let raster = try readGrayPNG() {
            let size = PixelSize(width: raster.width, height: raster.height)
            return (size, raster.sampleType == .uint16 ? .codes16(codes16) : .codes8(codes8))
        }
        if holdsMap {
            let (size, samples) = try Self.raster(coded, recording.limits)
            switch samples {
            case .uint8(let codes): return (size, .codes8(codes))
            case .uint16(let codes): return (size, .codes16(codes))
            case .float(let values): return (size, .shares(values))
            }
        }
        let image = try openPicture(MemorySource(coded), limits: recording.limits).storedImage()
        let size = PixelSize(width: image.width, height: image.height)
        return (size, .codes8(image.eightBitPixels.map(\.red)))
    }

    /// Whether ``coded`` is a raster of one channel. Everything else is read as a picture, whose reader reports errors.
    private var holdsMap: Bool {
        guard let format = RasterFileFormat(recognizing: Array(coded.prefix(16))) else { return false }
        return (try? RasterDecoder(MemorySource(coded), limits: recording.limits).describe(format))?.channels
            == 1
    }

    /// Examines mattes from all over the recording until one determines the scale: the subject may be in few of them.
    private mutating func findMatteScale() -> MatteScale {
        let parts = recording.frames.compactMap(\.matte)
        let step = max(1, parts.count / MatteScale.mostFrames)
        var highest: UInt16 = 0
        var is16Bit = false
        for index in stride(from: 0, to: parts.count, by: step) {
            switch try? matte(of: parts[index]).samples {
            case .codes8(let codes)?: highest = max(highest, UInt16(codes.max() ?? 0))
            case .codes16(let codes)?: (highest, is16Bit) = (max(highest, codes.max() ?? 0), true)
            case .shares?: return .bytes
            case nil: continue
            }
            if highest > (is16Bit ? 255 : 1) { break }
        }
        return MatteScale(highest: highest)
    }

    @inline(__always)
    private func write<Sample: BitwiseCopyable>(
        _ samples: [Sample], _ size: PixelSize, into plane: inout FramePlane<UInt8>,
        _ coverage: (Sample) -> UInt8
    ) {
        plane.overwrite(width: size.width, height: size.height, fill: 0) {
            convert(samples.span, to: &$0, coverage)
        }
    }

    // MARK: Color

    mutating func readColor(
        _ part: any FramePart, atLeast size: PixelSize?, into plane: inout FramePlane<RGB<UInt8>>
    ) throws(ContainerError) {
        try load(part)
        if let layout = recording.coding.color, let size = recording.colorSize {
            if let rows = recording.coding.colorRows {
                try coded.straighten(rows, count: size.height, bytesPerSample: layout.sampleByteCount)
            }
            return try write(coded, layout, size, into: &plane)
        }
        // Poses and depth refer to the stored pixels.
        let stored = try openPicture(MemorySource(coded), limits: recording.limits)
            .storedImage(atLeast: size, reusing: plane.takeMemory())
        let converted =
            stored.colorProfile.isEmpty ? stored : (try? stored.converted(toProfile: [])) ?? stored
        plane = FramePlane(
            width: converted.width, height: converted.height, samples: converted.eightBitPixels)
    }

    /// The bytes of the file of a frame's picture; `nil` without a picture, for plain pixels, and for pictures in a movie.
    package mutating func pictureBytes(ofFrameAt index: Int) throws(ContainerError) -> [UInt8]? {
        guard recording.coding.color == nil, let part = recording.frames[index].color else { return nil }
        try load(part)
        return coded
    }

    /// Writes uncompressed pixels.
    private func write(
        _ bytes: [UInt8], _ layout: PackedPixels, _ size: PixelSize, into plane: inout FramePlane<RGB<UInt8>>
    ) throws(ContainerError) {
        let count = try recording.limits.pixelCount(width: size.width, height: size.height)
        guard bytes.count == count * layout.byteCount else {
            throw ContainerError(.truncated(needed: count * layout.byteCount, available: bytes.count))
        }
        let (stride, codes) = (layout.byteCount, bytes.span)
        plane.overwrite(width: size.width, height: size.height, fill: .black) { pixels in
            if case .bayer(let mosaic) = layout { mosaic.interpolate(codes, size, into: &pixels) }
            guard let (red, green, blue) = layout.order else { return }
            for index in pixels.indices {
                let place = index * stride
                pixels[index] = RGB(
                    red: codes[place + red], green: codes[place + green], blue: codes[place + blue])
            }
        }
    }
}

extension SceneSource {
    /// The picture as stored, reduced if that is faster and it is still at least `size`, in `memory` where it fits.
    fileprivate func storedImage(
        atLeast size: PixelSize? = nil, reusing memory: consuming [RGB<UInt8>] = []
    ) throws(ContainerError) -> ColorImage {
        var plane = DecodedPlane(reusing: consume memory)
        do {
            try decode(.picture, as: PlaneRequest(frame: .stored, atLeast: size), into: &plane)
        } catch let error as ContainerError {
            throw error
        } catch {
            throw ContainerError(.unreadable(detail: "\(error)"))
        }
        guard let image = plane.image else { throw ContainerError(.unreadable(detail: "it has no picture")) }
        return image
    }
}
