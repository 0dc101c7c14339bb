internal import ByteParsing
internal import CCodecShims
internal import DepthCore
internal import ImageContainers

extension ImageDecoder {
    /// The only channel, or luma; lossless images (SOF3) have up to 16 bits.
    func decodeJPEG(_ coded: CodedBytes, width: Int, height: Int) throws(ContainerError) -> CodePlane {
        let data = try bytes(of: coded)
        if LosslessJPEG.isLossless(data) {
            return try decodeLossless(data, at: coded.offset, width: width, height: height)
        }
        let samples: [UInt8] = try decode(
            data, at: coded.offset, width: width, height: height, components: 1, samplesPerElement: 1)
        return CodePlane(width: width, height: height, bitDepth: 8, codes: .uint8(samples))
    }

    private func decodeLossless(
        _ data: [UInt8], at place: Int, width: Int, height: Int
    ) throws(ContainerError) -> CodePlane {
        let image = try LosslessJPEG(parsing: data, at: place, limits: limits)
        guard (image.width, image.height) == (width, height) else {
            throw ContainerError(
                .damaged(
                    detail: "the frame is \(image.width) x \(image.height) and was announced as "
                        + "\(width) x \(height)"),
                at: place, in: StructurePath("JPEG"))
        }
        guard image.components == 1 else {
            throw ContainerError(
                .unsupported(feature: "a plane of lossless JPEG with \(image.components) components"),
                at: place, in: StructurePath("JPEG"))
        }
        let samples = try image.decode()
        return CodePlane(
            width: width, height: height, bitDepth: image.bitDepth,
            codes: image.bitDepth <= 8
                ? .uint8(samples.map { UInt8(truncatingIfNeeded: $0) }) : .uint16(samples))
    }

    /// Red, green and blue; gray images too.
    func decodeColorJPEG(
        _ coded: CodedBytes, width: Int, height: Int
    ) throws(ContainerError) -> [RGB<UInt8>] {
        try decode(
            try bytes(of: coded), at: coded.offset, width: width, height: height, components: 3,
            samplesPerElement: 3)
    }

    private func decode<Element: BitwiseCopyable>(
        _ data: [UInt8], at place: Int, width: Int, height: Int, components: Int, samplesPerElement: Int
    ) throws(ContainerError) -> [Element] {
        let path = StructurePath("JPEG")
        let pixels = try limits.pixelCount(width: width, height: height, at: place, in: path)
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        var code = Int32(0)
        let elements = pixels * components / samplesPerElement
        let decoded = unsafe [Element](unsafeUninitializedCapacity: elements) { output, count in
            unsafe adviseHugePages(UnsafeMutableRawBufferPointer(output))
            // SAFETY: the buffer holds width × height × components bytes, and the shim writes rows of just that size.
            code = unsafe isobath_jpeg_decode(
                data, data.count, Int32(width), Int32(height), Int32(components),
                UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: UInt8.self), &message)
            count = code == 0 ? elements : 0
        }
        switch Int(code) {
        case ISOBATH_OK: return decoded
        case ISOBATH_UNSUPPORTED:
            throw ContainerError(.unsupported(feature: text(message)), at: place, in: path)
        default: throw ContainerError(.damaged(detail: text(message)), at: place, in: path)
        }
    }
}

/// The message that a shim left in its buffer.
func text(_ message: [CChar]) -> String {
    String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
