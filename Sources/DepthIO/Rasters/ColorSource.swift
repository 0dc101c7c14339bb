internal import ByteParsing
internal import DepthCore
internal import DepthModel
internal import ImageCodecs
internal import ImageContainers
internal import RasterContainers

/// A picture that belongs to a raster: a photo, or a color raster.
indirect enum ColorSource: Sendable {
    case photo(DepthPhoto)
    case raster(RasterDescription, RasterDecoder)

    /// Opens a file, structure only.
    init(path: String, limits: DecodingLimits) throws(ContainerError) {
        let source = try FileSource(path: path)
        if let format = RasterFileFormat(recognizing: try source.readPrefix(at: 0, count: 16)) {
            let decoder = RasterDecoder(source, limits: limits)
            self = .raster(try decoder.describe(format), decoder)
        } else {
            self = .photo(try DepthPhoto(source, limits: limits))
        }
    }

    /// The size, upright or as stored.
    func size(_ frame: DepthPhoto.Frame) -> (width: Int, height: Int) {
        switch self {
        case .photo(let photo):
            let size = photo.description
            return frame == .stored
                ? (size.width, size.height) : size.orientation.size(width: size.width, height: size.height)
        case .raster(let raster, _):
            return frame == .stored
                ? (raster.width, raster.height)
                : raster.orientation.size(width: raster.width, height: raster.height)
        }
    }

    /// Decodes the picture.
    func image(_ frame: DepthPhoto.Frame) throws(ContainerError) -> ColorImage {
        switch self {
        case .photo(let photo): return try photo.image(frame: frame)
        case .raster(let raster, let decoder):
            let image = try decoder.color(of: raster)
            return frame == .upright ? image.oriented(by: raster.orientation) : image
        }
    }
}
