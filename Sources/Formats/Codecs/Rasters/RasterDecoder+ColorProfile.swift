internal import Bytes
internal import CCodecShims
internal import RasterFormats

extension RasterDecoder {
    /// The ICC profile of a PNG or TIFF file; empty if missing.
    func colorProfile(of raster: RasterDescription) throws(ContainerError) -> [UInt8] {
        guard raster.format == .png && raster.hasColorProfile || raster.format == .tiff else { return [] }
        // RGB profiles have kilobytes; a larger one than this is not kept.
        let capacity = min(limits[.metadataBytes], 1 << 22)
        let data = raster.format == .png ? try source.read(0..<source.byteCount) : []
        let reader = SourceReader(source)
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        var (written, code) = (0, Int32(0))
        let profile = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            // SAFETY: the buffer holds `capacity` bytes, and the shims get this size.
            if raster.format == .png {
                code = unsafe isobath_png_profile(
                    data, data.count, output.baseAddress, capacity, &written, &message)
            } else {
                code = unsafe reader {
                    unsafe isobath_tiff_profile($0, output.baseAddress, capacity, &written, &message)
                }
            }
            count = written
        }
        try check(code, message, path: StructurePath(raster.format == .png ? "PNG" : "TIFF"), reader: reader)
        return profile
    }
}
