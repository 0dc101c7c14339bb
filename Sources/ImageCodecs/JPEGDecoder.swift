internal import ByteParsing
internal import CCodecShims
internal import DepthCore
internal import ImageContainers

extension ImageDecoder {
    /// One byte a sample, `components` a pixel.
    func decodeJPEG(
        _ coded: CodedBytes, width: Int, height: Int, components: Int
    ) throws(ContainerError) -> [UInt8] {
        try decode(coded, width: width, height: height, components: components, samplesPerElement: 1)
    }

    /// Red, green and blue; gray images too.
    func decodeColorJPEG(
        _ coded: CodedBytes, width: Int, height: Int
    ) throws(ContainerError) -> [RGB<UInt8>] {
        try decode(coded, width: width, height: height, components: 3, samplesPerElement: 3)
    }

    private func decode<Element: BitwiseCopyable>(
        _ coded: CodedBytes, width: Int, height: Int, components: Int, samplesPerElement: Int
    ) throws(ContainerError) -> [Element] {
        let place = coded.offset
        let path = StructurePath("JPEG")
        let pixels = try limits.pixelCount(width: width, height: height, at: place, in: path)
        let data = try bytes(of: coded)
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
