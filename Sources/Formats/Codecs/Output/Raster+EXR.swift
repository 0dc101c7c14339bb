package import Bytes
internal import DepthMaps

extension Raster {
    /// Writes an OpenEXR file to a seekable descriptor, which stays open: one Float32 channel, ZIP compression.
    ///
    /// Depth and disparity are in the channel `Z`, other planes as 0…1 in `A` (coverage). String attributes declare the
    /// meaning of the values: ``attributes``, the record as `isobath.record` and the camera as `isobath.camera`. Throws
    /// for a color image, whose samples are not linear light.
    package func writeEXR(to descriptor: Int32) throws(WriteError) {
        guard let pixels = floats else {
            throw .unsuitable(
                "this is a color image, and only values are written as OpenEXR; use PNG or TIFF")
        }
        var strings = attributes
        if let record { strings.append(("isobath.record", record)) }
        if let camera { strings.append(("isobath.camera", camera)) }
        let texts = strings.map { EXRAttribute(name: $0.0, value: .text($0.1)) }
        let channel = EXRChannel(name: layout.isFloat ? "Z" : "A", samples: pixels, isHalf: false)
        try LayeredEXR(width: width, height: height, channels: [channel], attributes: texts)
            .write(to: descriptor)
    }
}
