package import Bytes
internal import CCodecShims
package import DepthMaps
package import PhotoFormats

extension ImageDecoder {
    /// The only channel, or luma; lossless images (SOF3) have up to 16 bits.
    func decodeJPEG(_ coded: CodedBytes, width: Int, height: Int) throws(ContainerError) -> SamplePlane {
        let data = try bytes(of: coded)
        if LosslessJPEG.isLossless(data) {
            return try decodeLossless(data, at: coded.offset, width: width, height: height)
        }
        let samples: [UInt8]? = try decode(
            data, at: coded.offset, width: width, height: height, components: 1, samplesPerElement: 1,
            eighths: 8)
        return SamplePlane(width: width, height: height, bitDepth: 8, codes: .uint8(samples ?? []))
    }

    private func decodeLossless(
        _ data: [UInt8], at place: Int, width: Int, height: Int
    ) throws(ContainerError) -> SamplePlane {
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
        // The samples, and a second copy if they are reduced to 8 bits or turned.
        try limits.checkMemory(
            pixels: width * height, bytesPerPixel: 4, other: data.count, at: place, in: StructurePath("JPEG"))
        let samples = try image.decode()
        return SamplePlane(
            width: width, height: height, bitDepth: image.bitDepth,
            codes: image.bitDepth <= 8
                ? .uint8(samples.map { UInt8(truncatingIfNeeded: $0) }) : .uint16(samples))
    }

    /// Red, green and blue, from any JPEG, at `eighths` eighths of its size, rounded up.
    ///
    /// Gray with a profile, and four inks, are converted to sRGB; other colors keep their profile.
    func colorOfJPEG(
        _ coded: CodedBytes, width: Int, height: Int, colorProfile: [UInt8], eighths: Int
    ) throws(ContainerError) -> ColorImage {
        let data = try bytes(of: coded)
        let size = ((width * eighths + 7) / 8, (height * eighths + 7) / 8)
        let pixels: [RGB<UInt8>]? = try decode(
            data, at: coded.offset, width: width, height: height, components: 3, samplesPerElement: 3,
            eighths: eighths)
        if let pixels {
            return ColorImage(
                width: size.0, height: size.1, pixels: .uint8(pixels), colorProfile: colorProfile
            ).resolvingGrayProfile()
        }
        let inks: [CMYK]? = try decode(
            data, at: coded.offset, width: width, height: height, components: 4, samplesPerElement: 4,
            eighths: eighths)
        return ColorImage(inks: inks ?? [], width: size.0, height: size.1, colorProfile: colorProfile)
    }

    /// Decodes red, green and blue into the caller's memory, at `eighths` eighths of the size, rounded up, so that the
    /// frames of a recording need no additional memory. Returns `false` for an image of four inks, which is not
    /// decoded.
    ///
    /// The memory must have exactly as many pixels. If this throws, its former contents are lost.
    package func readJPEG(
        _ coded: CodedBytes, width: Int, height: Int, eighths: Int, into output: inout MutableSpan<RGB<UInt8>>
    ) throws(ContainerError) -> Bool {
        precondition(output.count == ((width * eighths + 7) / 8) * ((height * eighths + 7) / 8))
        let data = try bytes(of: coded)
        var failure: ContainerError?
        let isDecoded = unsafe output.withUnsafeMutableBytes { target in
            do throws(ContainerError) {
                return try unsafe decode(
                    data, at: coded.offset, width: width, height: height, components: 3, eighths: eighths,
                    into: target)
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return isDecoded
    }

    /// `nil` for an image of four inks unless the caller requested inks.
    private func decode<Element: BitwiseCopyable>(
        _ data: [UInt8], at place: Int, width: Int, height: Int, components: Int, samplesPerElement: Int,
        eighths: Int
    ) throws(ContainerError) -> [Element]? {
        let pixels = try checkedPixelCount(
            data, at: place, width: width, height: height, components: components, eighths: eighths)
        let elements = pixels * components / samplesPerElement
        var failure: ContainerError?
        var isDecoded = false
        let decoded = unsafe [Element](unsafeUninitializedCapacity: elements) { output, count in
            unsafe adviseHugePages(UnsafeMutableRawBufferPointer(output))
            do throws(ContainerError) {
                isDecoded = try unsafe decode(
                    data, at: place, width: width, height: height, components: components, eighths: eighths,
                    into: UnsafeMutableRawBufferPointer(output))
            } catch {
                failure = error
            }
            count = isDecoded ? elements : 0
        }
        if let failure { throw failure }
        return isDecoded ? decoded : nil
    }

    /// The number of decoded pixels. Throws if the image is too large, or its coefficients need too much memory.
    private func checkedPixelCount(
        _ data: [UInt8], at place: Int, width: Int, height: Int, components: Int, eighths: Int
    ) throws(ContainerError) -> Int {
        let path = StructurePath("JPEG")
        _ = try limits.pixelCount(width: width, height: height, at: place, in: path)
        let pixels = ((width * eighths + 7) / 8) * ((height * eighths + 7) / 8)
        // The samples, and a second copy if they are turned.
        try limits.checkMemory(
            pixels: pixels, bytesPerPixel: 2 * components, other: data.count, at: place, in: path)
        return pixels
    }

    /// `false` for an image of four inks unless the caller requested inks. The memory must hold all decoded bytes.
    private func decode(
        _ data: [UInt8], at place: Int, width: Int, height: Int, components: Int, eighths: Int,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContainerError) -> Bool {
        let path = StructurePath("JPEG")
        let pixels = try checkedPixelCount(
            data, at: place, width: width, height: height, components: components, eighths: eighths)
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        precondition(output.count >= pixels * components)
        let taken = 2 * pixels * components + data.count
        var request = unsafe isobath_jpeg_request()
        unsafe request.width = Int32(clamping: width)
        unsafe request.height = Int32(clamping: height)
        unsafe request.components = Int32(components)
        unsafe request.eighths = Int32(eighths)
        unsafe request.scan_limit = Int32(clamping: limits[.scans])
        unsafe request.budget = limits.budget(beside: taken)
        // SAFETY: the buffer holds as many bytes as the shim writes: its rows have the size declared here, scaled.
        unsafe request.pixels = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let code = unsafe isobath_jpeg_decode(data, data.count, &request, &message)
        switch Int(code) {
        case ISOBATH_OK: return true
        case ISOBATH_INKS: return false
        case ISOBATH_MEMORY:
            throw unsafe limits.memoryError(request.budget, beside: taken, at: place, in: path)
        case ISOBATH_SCANS:
            let limit = limits[.scans]
            throw ContainerError(
                .limitExceeded(.scans, limit: limit, requested: limit + 1), at: place, in: path)
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
