internal import Bytes
internal import DepthMaps
internal import PhotoFormats
internal import RasterFormats

extension ImageDecoder {
    /// The first channel of a PNG stream; depth maps are gray, or have the same value in red, green and blue.
    func decodePNG(_ coded: CodedBytes, width: Int, height: Int) throws(ContainerError) -> SamplePlane {
        let image = try decodeColorPNG(coded, width: width, height: height)
        return SamplePlane(
            width: width, height: height, bitDepth: image.is16Bit ? 16 : 8,
            codes: image.map({ $0.map(\.red) }, { $0.map(\.red) }))
    }

    /// The colors of a PNG stream, without opacity.
    func decodeColorPNG(
        _ coded: CodedBytes, width: Int, height: Int
    ) throws(ContainerError) -> ColorImage.Pixels {
        let decoder = RasterDecoder(MemorySource(try bytes(of: coded)), limits: limits)
        let description = try decoder.describe(.png)
        guard (description.width, description.height) == (width, height) else {
            throw ContainerError(
                .malformed(
                    rule: "an image of \(description.width) × \(description.height) is announced as "
                        + "\(width) × \(height)"),
                at: coded.offset, in: StructurePath("PNG"))
        }
        return try decoder.color(of: description).pixels
    }

    /// Samples that are not coded, turned to the orientation of the photo's stored pixels.
    func rawPlane(_ samples: RawSamples) throws(ContainerError) -> SamplePlane {
        let count = try limits.pixelCount(
            width: samples.width, height: samples.height, at: samples.range.lowerBound)
        guard count == samples.range.count else {
            throw ContainerError(
                .malformed(
                    rule:
                        "a plane of \(samples.width) × \(samples.height) samples has \(samples.range.count) bytes, not \(count)"
                ),
                at: samples.range.lowerBound)
        }
        try limits.checkMemory(pixels: count, bytesPerPixel: 2, at: samples.range.lowerBound)
        return SamplePlane(
            width: samples.width, height: samples.height, bitDepth: 8,
            codes: .uint8(try source.read(samples.range))
        ).oriented(by: samples.orientation)
    }
}
