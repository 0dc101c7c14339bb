internal import ByteParsing
internal import CCodecShims
internal import DepthCore
internal import ImageContainers

extension ImageDecoder {
    /// One byte a sample, `components` a pixel.
    func decodeJPEG(
        _ coded: CodedBytes, width: Int, height: Int, components: Int
    ) throws(ContainerError) -> [UInt8] {
        let samples: [UInt8]? = try decode(
            coded, width: width, height: height, components: components, samplesPerElement: 1, eighths: 8)
        return samples ?? []
    }

    /// Red, green and blue, whatever the file holds, at `eighths` eighths of its size, rounded up.
    ///
    /// Gray with a profile of its own and four inks come out as sRGB; other colors keep their profile.
    func colorOfJPEG(
        _ coded: CodedBytes, width: Int, height: Int, colorProfile: [UInt8], eighths: Int
    ) throws(ContainerError) -> ColorImage {
        let size = ((width * eighths + 7) / 8, (height * eighths + 7) / 8)
        let pixels: [RGB<UInt8>]? = try decode(
            coded, width: width, height: height, components: 3, samplesPerElement: 3, eighths: eighths)
        if let pixels {
            return ColorImage(
                width: size.0, height: size.1, pixels: .uint8(pixels), colorProfile: colorProfile
            ).resolvingGrayProfile()
        }
        let inks: [CMYK]? = try decode(
            coded, width: width, height: height, components: 4, samplesPerElement: 4, eighths: eighths)
        return ColorImage(inks: inks ?? [], width: size.0, height: size.1, colorProfile: colorProfile)
    }

    /// `nil` for an image of four inks that was not asked for as such.
    private func decode<Element: BitwiseCopyable>(
        _ coded: CodedBytes, width: Int, height: Int, components: Int, samplesPerElement: Int,
        eighths: Int
    ) throws(ContainerError) -> [Element]? {
        let place = coded.offset
        let path = StructurePath("JPEG")
        _ = try limits.pixelCount(width: width, height: height, at: place, in: path)
        let data = try bytes(of: coded)
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        var code = Int32(0)
        let pixels = ((width * eighths + 7) / 8) * ((height * eighths + 7) / 8)
        let elements = pixels * components / samplesPerElement
        let decoded = unsafe [Element](unsafeUninitializedCapacity: elements) { output, count in
            unsafe adviseHugePages(UnsafeMutableRawBufferPointer(output))
            // SAFETY: the buffer holds as many bytes as the shim writes: its rows have the size announced here, scaled.
            code = unsafe isobath_jpeg_decode(
                data, data.count, Int32(width), Int32(height), Int32(components), Int32(eighths),
                UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: UInt8.self), &message)
            count = code == 0 ? elements : 0
        }
        switch Int(code) {
        case ISOBATH_OK: return decoded
        case ISOBATH_INKS: return nil
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
