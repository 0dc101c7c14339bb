package import Bytes
internal import CCodecShims
internal import DepthTypes
internal import PhotoFormats
package import RasterFormats

extension RasterDecoder {
    /// Reads the chunks of a PNG file, and the orientation in its Exif block (W3C PNG, third edition, §11.3.4.6).
    func describePNG() throws(ContainerError) -> RasterDescription {
        var raster = try RasterDescription(parsingPNG: source, limits: limits)
        guard let exif = raster.exif else { return raster }
        let path = StructurePath("PNG").appending("eXIf")
        do throws(ContainerError) {
            try limits.check(.metadataBytes, exif.count, at: exif.lowerBound, in: path)
            let value = try exifOrientation(
                in: try source.read(exif), at: exif.lowerBound, path: path, limits: limits)
            raster.orientation = value.flatMap(Orientation.init) ?? .up
        } catch {
            raster.diagnostics.append(Diagnostic(error))
        }
        return raster
    }

    /// Decodes a PNG file: its gray samples, or red, green and blue from any PNG, with or without alpha.
    func samplesOfPNG<Element: BitwiseCopyable>(
        _ raster: RasterDescription, channels: Int, byteCount: Int
    ) throws(ContainerError) -> [Element] {
        let data = try bytesOfPNG()
        return try unsafe decode(byteCount, path: StructurePath("PNG")) { pixels, size, _, message in
            unsafe isobath_png_read(
                data, data.count, UInt32(raster.width), UInt32(raster.height), Int32(channels),
                Int32(raster.bitDepth), pixels, size, message)
        }
    }

    private func bytesOfPNG() throws(ContainerError) -> [UInt8] {
        try limits.check(.codedBytes, source.byteCount)
        return try source.read(0..<source.byteCount)
    }

    /// Decodes a PNG file into the caller's memory, so that the frames of a recording need no additional memory: gray
    /// samples with one channel, red, green and blue from any PNG with three. If this throws, the former contents are
    /// lost.
    ///
    /// There must be an element for each pixel, of `channels` samples in the raster's sample type.
    package func readPNG<Element: BitwiseCopyable>(
        _ raster: RasterDescription, channels: Int, into output: inout MutableSpan<Element>
    ) throws(ContainerError) {
        precondition(raster.format == .png && (channels == 3 || raster.channels == channels))
        if let readError = raster.readError { throw readError }
        let pixels = try limits.pixelCount(width: raster.width, height: raster.height)
        let byteCount = pixels * channels * raster.sampleType.byteCount
        precondition(output.count == pixels && byteCount == pixels * MemoryLayout<Element>.stride)
        // A picture of three channels may be stored with one bit per pixel.
        try checkPlausible(channels == 1 ? byteCount : pixels / 8, of: raster)
        try checkMemory(of: raster, byteCount: byteCount)
        let data = try bytesOfPNG()
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        // SAFETY: the memory holds `byteCount` bytes, as checked above; the shim compares that with the size it would write.
        let code = unsafe output.withUnsafeMutableBytes { target in
            unsafe isobath_png_read(
                data, data.count, UInt32(raster.width), UInt32(raster.height), Int32(channels),
                Int32(raster.bitDepth), target.baseAddress, target.count, &message)
        }
        try check(code, message, path: StructurePath("PNG"))
    }
}
