internal import ByteParsing
internal import CCodecShims
internal import RasterContainers

extension RasterDecoder {
    /// Decodes a PNG file: its gray samples, or red, green and blue of anything, with alpha or without.
    func samplesOfPNG<Element: BitwiseCopyable>(
        _ raster: RasterDescription, channels: Int, byteCount: Int
    ) throws(ContainerError) -> [Element] {
        try limits.check(.codedBytes, source.byteCount)
        let data = try source.read(0..<source.byteCount)
        return try unsafe decode(byteCount, path: StructurePath("PNG")) { pixels, size, _, message in
            unsafe isobath_png_read(
                data, data.count, UInt32(raster.width), UInt32(raster.height), Int32(channels),
                Int32(raster.bitDepth), pixels, size, message)
        }
    }
}
