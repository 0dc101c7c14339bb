internal import Bytes
internal import DepthTypes

/// The image that the properties of an item describe: its size before and after the clean aperture, its transforms, and its
/// coding.
struct ImageShape {
    /// The size after the clean aperture, in pixels.
    var width, height: Int
    /// The size before the clean aperture, in pixels.
    var codedWidth, codedHeight: Int
    /// The clean aperture; `nil` if it is the complete image.
    var crop: PixelCrop?
    var orientation: Orientation?
    /// Bits of a sample, 1…16.
    var bitDepth: Int?
    var auxiliaryType: String?
    var depthRepresentation: DepthRepresentation?
    /// The range of the ICC profile in the file.
    var colorProfile: Range<Int>?
    /// The meaning of the colors of an image without a profile.
    var codedColor: CodedColor?
    /// The camera, in pixels after the clean aperture.
    var camera: CameraCalibration?
    var diagnostics: [Diagnostic]
    /// Why the image cannot be decoded.
    var readError: ContainerError?
}

extension ImageShape {
    /// Combines the properties of item `id`; `path` is the path of the `iprp` box.
    ///
    /// Throws if the item has no size, or more pixels than the limit.
    init(
        _ properties: ItemProperties, ofItem id: Int, limits: DecodingLimits, in path: StructurePath
    ) throws(ContainerError) {
        let size = try properties.imageSize(ofItem: id, limits: limits, in: path)
        self.init(
            width: size.width, height: size.height, codedWidth: size.width, codedHeight: size.height,
            orientation: properties.orientation, auxiliaryType: properties.auxiliaryType,
            depthRepresentation: properties.depthRepresentation, colorProfile: properties.colorProfile,
            codedColor: properties.codedColor, diagnostics: properties.diagnostics)
        if let (aperture, turned) = properties.cleanAperture {
            apply(aperture, turned: turned, ofItem: id, in: path)
        }
        camera = properties.cameraIntrinsics?.calibration(
            width: size.width, height: size.height, extrinsics: properties.cameraExtrinsics)
        if let crop {
            camera = camera?.cropped(left: crop.left, top: crop.top, width: crop.width, height: crop.height)
        }
    }

    private mutating func apply(
        _ aperture: CleanAperture, turned: Orientation, ofItem id: Int, in path: StructurePath
    ) {
        let size = turned.size(width: codedWidth, height: codedHeight)
        guard
            let visible = aperture.crop(width: size.width, height: size.height)?
                .turned(by: turned.inverse, in: size)
        else {
            readError = ContainerError(
                .malformed(rule: "the clean aperture of item \(id) is outside the image"),
                in: path.appending("clap"))
            return
        }
        if (visible.width, visible.height) != (codedWidth, codedHeight) { crop = visible }
        (width, height) = (visible.width, visible.height)
    }
}

extension ItemProperties {
    /// The size of image item `id` before transforms (`ispe`).
    ///
    /// Throws if the item declares no size, or has more pixels than the limit.
    func imageSize(
        ofItem id: Int, limits: DecodingLimits, in path: StructurePath
    ) throws(ContainerError) -> (width: Int, height: Int) {
        guard let size else {
            throw ContainerError(.malformed(rule: "image item \(id) has no size ('ispe')"), in: path)
        }
        _ = try limits.pixelCount(width: size.width, height: size.height, in: path.appending("ispe"))
        return size
    }
}
