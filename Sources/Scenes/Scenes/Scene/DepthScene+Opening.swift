package import Bytes
internal import DepthTypes
internal import PhotoFormats
internal import RasterFormats

extension DepthScene {
    /// Opens the source of a scene: a photo that carries depth or a plain raster, recognized by its bytes and never by its
    /// name. Reads the structure only.
    ///
    /// ```swift
    /// var reading = RasterInterpretation()
    /// reading.scale = 1000                                     // a PNG of millimeters
    /// let source = try DepthScene.source(contentsOf: "scan.png", reading: reading)
    /// let depth = try source.depth()                           // meters, upright
    /// ```
    ///
    /// Throws ``ContainerError`` when the file cannot be read, ``SceneError`` if `reading` does not fit a raster or a stereo
    /// pair. A photo ignores `reading`, with three exceptions: it is declared a pair of photo and depth, it has no planes and
    /// `reading.quantity` declares it a depth image, or it is a stereo pair or its left picture.
    package static func source(
        contentsOf path: String, reading: RasterInterpretation = RasterInterpretation(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> any PlaneSource {
        try source(FileSource(path: path, limits: limits), named: path, reading: reading, limits: limits)
    }

    /// Opens a file in memory or in any other source; see ``DepthPhoto`` for the effect of its name. An open `picture` takes
    /// precedence over the reading's.
    package static func source(
        _ bytes: any ByteSource, named name: String? = nil,
        reading: RasterInterpretation = RasterInterpretation(), with picture: NamedPicture? = nil,
        limits: DecodingLimits = DecodingLimits()
    ) throws -> any PlaneSource {
        if let right = reading.rightPath {
            return try PairedPictures(bytes, named: name, right: right, reading, limits: limits)
        }
        let photo: DepthPhoto
        do throws(ContainerError) {
            let stored = try DepthPhoto(bytes, named: name, limits: limits)
            photo = reading.orientation.map(stored.oriented) ?? stored
        } catch {
            guard case .unrecognized = error.reason else { throw error }
            guard let format = RasterFileFormat(recognizing: try bytes.readPrefix(at: 0, count: 16)) else {
                throw unrecognizedFile(bytes)
            }
            return try DepthRaster(bytes, format: format, reading: reading, with: picture, limits: limits)
        }
        var paired = try photo.paired(by: reading, with: picture, limits: limits)
        paired.givenCamera = reading.focalLength.map { focalLength in
            (focalLength, reading.principalPoint.map { SIMD2($0.x, $0.y) })
        }
        paired.description.stereo = try paired.description.stereo?.described(
            by: reading, leftPath: name, limits: limits)
        return paired
    }
}
