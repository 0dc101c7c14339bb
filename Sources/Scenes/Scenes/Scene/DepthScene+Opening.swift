package import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import PhotoFormats
internal import RasterFormats

extension DepthScene {
    /// Opens a photo that carries depth or a plain raster, recognized by its bytes and never by its name, with the planes
    /// that it stores: depth is not computed from a stereo pair. Reads the structure only.
    ///
    /// ```swift
    /// var reading = ReadingOptions()
    /// reading.scale = 1000                                     // a PNG of millimeters
    /// let scene = try DepthScene(storedIn: "scan.png", reading: reading)
    /// let depth = try scene.depth()                            // meters, upright
    /// ```
    ///
    /// Throws ``ContainerError`` when the file cannot be read, ``SceneError`` if `reading` does not fit a raster or a stereo
    /// pair. A photo ignores `reading`, with three exceptions: it is declared a pair of photo and depth, it has no planes and
    /// `reading.quantity` declares it a depth image, or it is a stereo pair or its left picture.
    package init(
        storedIn path: String, reading: ReadingOptions = ReadingOptions(),
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        try self.init(
            storedIn: FileSource(path: path, limits: limits), named: path, reading: reading, limits: limits)
    }

    /// Opens a file in memory or in any other source; see ``DepthPhoto`` for the effect of its name. An open `picture` takes
    /// precedence over the reading's.
    package init(
        storedIn bytes: any ByteSource, named name: String? = nil,
        reading: ReadingOptions = ReadingOptions(), with picture: NamedPicture? = nil,
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        if let right = reading.rightPath {
            self.init(try PairedPictures(bytes, named: name, right: right, reading, limits: limits))
            return
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
            self.init(
                try DepthRaster(bytes, format: format, reading: reading, with: picture, limits: limits))
            return
        }
        var paired = try photo.paired(by: reading, with: picture, limits: limits)
        paired.noData = reading.noData
        try paired.span(reading.range)
        if let plane = paired.depthPlane?.description {
            paired.givenCamera = try reading.calibration(for: plane.uprightSize, limits: limits)
        }
        paired.description.stereo = try paired.description.stereo?.described(
            by: reading, leftPath: name, limits: limits)
        self.init(paired)
    }

    /// The scene, with depth that is computed from both pictures if it is a stereo pair without stored depth.
    package var matched: DepthScene {
        guard description.isMatchable, let pair = description.stereo else { return self }
        return DepthScene(StereoSource(self, pair))
    }

    /// The scene with depth that is computed from both pictures of a stereo photo, even if the file has depth. Throws
    /// ``SceneError/notStereo(_:)``.
    package func matchingEyes() throws -> DepthScene {
        guard let pair = description.stereo else { throw SceneError.notStereo("stereo pair") }
        return DepthScene(StereoSource(self, pair))
    }
}
