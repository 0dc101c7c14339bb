internal import DepthMaps
internal import PhotoFormats

extension SamplePlane {
    /// The part of the plane inside a rectangle, which must be within the plane.
    func cropped(to crop: PixelCrop) -> SamplePlane {
        SamplePlane(
            width: crop.width, height: crop.height, bitDepth: bitDepth,
            codes: codes.cropped(width: width, to: crop.columns, crop.rows))
    }
}

extension ColorImage {
    /// The part of the image inside a rectangle, which must be within the image.
    func cropped(to crop: PixelCrop) -> ColorImage {
        ColorImage(
            width: crop.width, height: crop.height,
            pixels: pixels.cropped(width: width, to: crop.columns, crop.rows), colorProfile: colorProfile)
    }
}
