internal import Bytes
internal import CCodecShims
internal import DepthMaps
internal import PhotoFormats

extension ImageDecoder {
    /// Decodes one extra channel, in the bit depth of the channel.
    func decodeJPEGXL(_ image: JPEGXLImage, width: Int, height: Int) throws(ContainerError) -> SamplePlane {
        guard let channel = image.channel, (1...16).contains(image.bitDepth) else {
            throw ContainerError(.unsupported(feature: "a plane of the colors of JPEG XL"))
        }
        func codes<Sample: PictureSample>() throws(ContainerError) -> [Sample] {
            let (samples, _): ([Sample], [UInt8]) = try decode(image, width, height, extra: channel)
            // libjxl expands samples of fewer bits to the full range of their type.
            let (top, most) = ((1 << image.bitDepth) - 1, Int(Sample.max))
            return top == most ? samples : samples.map { Sample((Int($0) * top + most / 2) / most) }
        }
        return SamplePlane(
            width: width, height: height, bitDepth: image.bitDepth,
            codes: try SamplePlane.Codes(in16Bits: image.bitDepth > 8, codes, codes))
    }

    /// Decodes the colors: 8 bits, or 16 if the image has more; with the profile that describes them.
    func decodeColorJPEGXL(
        _ image: JPEGXLImage, width: Int, height: Int
    ) throws(ContainerError) -> (pixels: ColorImage.Pixels, profile: [UInt8]) {
        if image.bitDepth <= 8 {
            let (pixels, profile): ([RGB<UInt8>], [UInt8]) = try decode(image, width, height, extra: -1)
            return (.uint8(pixels), profile)
        }
        let (pixels, profile): ([RGB<UInt16>], [UInt8]) = try decode(image, width, height, extra: -1)
        return (.uint16(pixels), profile)
    }

    private func decode<Element: BitwiseCopyable>(
        _ image: JPEGXLImage, _ width: Int, _ height: Int, extra: Int
    ) throws(ContainerError) -> ([Element], profile: [UInt8]) {
        let path = StructurePath("JXL")
        let count = try limits.pixelCount(width: width, height: height, in: path)
        let stride = MemoryLayout<Element>.stride
        // The samples, and a second copy if they are turned.
        try limits.checkMemory(
            pixels: count, bytesPerPixel: 2 * stride, other: image.file.count, in: path)
        let taken = 2 * count * stride + image.file.count
        // The decoder works in 32-bit floats of all channels, and holds some of them twice.
        let most = min(count, 1 << 40) * 96 + (256 << 20)
        var budget = limits.budget(beside: taken, most: most)
        let data = try bytes(of: [image.file])
        var profile = [UInt8](repeating: 0, count: extra < 0 ? min(1 << 20, limits[.metadataBytes]) : 0)
        let capacity = profile.count
        var (profileSize, code) = (0, Int32(0))
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        let elements = unsafe [Element](unsafeUninitializedCapacity: count) { output, filled in
            unsafe adviseHugePages(UnsafeMutableRawBufferPointer(output))
            unsafe profile.withUnsafeMutableBufferPointer { profile in
                var request = unsafe isobath_jxl_request()
                unsafe request.width = UInt32(clamping: width)
                unsafe request.height = UInt32(clamping: height)
                unsafe request.extra = Int32(clamping: extra)
                unsafe request.sample_bytes = image.bitDepth <= 8 ? 1 : 2
                unsafe request.budget = budget
                unsafe request.captures_stderr = limits.changesProcess ? 1 : 0
                unsafe request.samples = UnsafeMutableRawPointer(output.baseAddress)
                unsafe request.samples_size = count * MemoryLayout<Element>.stride
                unsafe request.profile = profile.baseAddress
                unsafe request.profile_capacity = capacity
                // SAFETY: the shim compares the size of the buffer with the size that the decoder would write.
                code = unsafe isobath_jxl_decode(data, data.count, &request, &message)
                unsafe profileSize = request.profile_size
                budget = unsafe request.budget
            }
            filled = Int(code) == ISOBATH_OK ? count : 0
        }
        if Int(code) == ISOBATH_MEMORY {
            throw limits.memoryError(budget, beside: taken, in: path)
        }
        if Int(code) == ISOBATH_UNSUPPORTED {
            throw ContainerError(.unsupported(feature: text(message)), in: path)
        }
        guard Int(code) == ISOBATH_OK else {
            throw ContainerError(.damaged(detail: text(message)), in: path)
        }
        if profileSize >= 80 {
            // The only illuminant that ICC.1 §7.2.16 allows: old profiles round it differently, and libpng refuses those.
            guard profile[16..<20] != [0x43, 0x4D, 0x59, 0x4B] else { throw JPEGXLImage.inksError }
            profile.replaceSubrange(68..<80, with: [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D])
        }
        return (elements, Array(profile.prefix(profileSize)))
    }
}
