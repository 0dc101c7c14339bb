package import AtomicFiles
internal import CCodecShims
internal import DepthCore

extension Raster {
    /// Writes an OpenEXR file to a seekable descriptor, which stays open: one Float32 channel, ZIP compression.
    ///
    /// Depth and disparity stand in the channel `Z`, other planes as 0…1 in `A` (coverage). What the values mean
    /// stands in string attributes: ``attributes``, the record as `isobath.record` and the camera as
    /// `isobath.camera`. Throws for a color image, whose codes are not linear light.
    package func writeEXR(to descriptor: Int32) throws(WriteError) {
        guard let pixels = floats else {
            throw .unsuitable("color images are not written as OpenEXR; use PNG or TIFF")
        }
        var strings = attributes
        if let record { strings.append(("isobath.record", record)) }
        if let camera { strings.append(("isobath.camera", camera)) }
        let names = strings.map { Array($0.0.utf8CString) }
        let values = strings.map { Array($0.1.utf8CString) }
        let channel = layout.isFloat ? "Z" : "A"
        try unsafe encode { raster, _, _, _, message in
            unsafe withPointers(to: names[...], []) { names in
                unsafe withPointers(to: values[...], []) { values in
                    unsafe channel.withCString { channel in
                        unsafe pixels.withUnsafeBufferPointer { pixels in
                            unsafe names.withUnsafeBufferPointer { names in
                                unsafe values.withUnsafeBufferPointer { values in
                                    var image = unsafe isobath_exr_image(
                                        width: Int32(raster.width), height: Int32(raster.height),
                                        channel: channel,
                                        pixels: pixels.baseAddress, attribute_count: Int32(strings.count),
                                        names: names.baseAddress, values: values.baseAddress)
                                    return unsafe isobath_exr_write(descriptor, &image, message)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Calls `body` with a pointer to each string.
private func withPointers<Result>(
    to strings: ArraySlice<[CChar]>, _ found: [UnsafePointer<CChar>?],
    _ body: ([UnsafePointer<CChar>?]) -> Result
) -> Result {
    guard let first = strings.first else { return unsafe body(found) }
    return unsafe first.withUnsafeBufferPointer { pointer in
        unsafe withPointers(to: strings.dropFirst(), found + [pointer.baseAddress], body)
    }
}
