package import ByteParsing
package import DepthCore
package import DepthModel
package import EmbeddedFormats
package import ImageCodecs
package import ImageContainers
internal import RasterContainers

/// Where a depth map comes from: a photo that carries one, or a plain raster, behind one interface.
///
/// ```swift
/// var reading = RasterInterpretation()
/// reading.scale = 1000                                     // a PNG of millimeters
/// let input = try DepthInput(contentsOf: "scan.png", reading: reading)
/// let depth = try input.depthMap()                         // meters, upright
/// ```
package enum DepthInput: Sendable {
    /// A photo with its planes.
    case photo(DepthPhoto)
    /// A plain raster.
    case raster(DepthRaster)

    /// Opens a file, recognized by its bytes and never by its name, and reads its structure.
    ///
    /// Throws ``ContainerError`` when the file cannot be read, ``SceneError`` where `reading` makes no sense for
    /// a raster. A photo ignores `reading`, unless it is a pair of photo and depth, or has no planes and a
    /// `reading.quantity` says that it is a depth image itself.
    package init(
        contentsOf path: String, reading: RasterInterpretation = RasterInterpretation(),
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        try self.init(FileSource(path: path, limits: limits), named: path, reading: reading, limits: limits)
    }

    /// Reads the structure of a file in memory, or in any other place; see ``DepthPhoto`` for what its name may mean.
    package init(
        _ source: any ByteSource, named name: String? = nil,
        reading: RasterInterpretation = RasterInterpretation(),
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        try self.init(source, named: name, reading: reading, with: nil, limits: limits)
    }

    /// The same with a picture that is open already, and takes the place of the reading's.
    init(
        _ source: any ByteSource, named name: String?, reading: RasterInterpretation,
        with picture: NamedPicture?, limits: DecodingLimits
    ) throws {
        let photo: DepthPhoto
        do throws(ContainerError) {
            let stored = try DepthPhoto(source, named: name, limits: limits)
            photo = reading.orientation.map(stored.oriented) ?? stored
        } catch {
            guard case .unrecognized = error.reason else { throw error }
            guard let format = RasterFileFormat(recognizing: try source.readPrefix(at: 0, count: 16)) else {
                throw unrecognizedFile(source)
            }
            self = .raster(
                try DepthRaster(
                    source, format: format, reading: reading, with: picture, limits: limits))
            return
        }
        var paired = try photo.paired(by: reading, with: picture, limits: limits)
        paired.givenCamera = reading.focalLength.map { focalLength in
            (focalLength, reading.principalPoint.map { SIMD2($0.x, $0.y) })
        }
        if let baseline = reading.baseline, let focalLength = reading.focalLength {
            let pair = paired.description.stereo?.described(baseline: baseline, focalLength: focalLength)
            paired.description.stereo = pair
        }
        self = .photo(paired)
    }

    /// The name of the file's format, as in `info --json`.
    package var format: String {
        switch self {
        case .photo(let photo): photo.format.rawValue
        case .raster(let raster): raster.description.format.rawValue
        }
    }

    /// Every plane, in file order.
    package var planes: [AuxiliaryPlane] {
        switch self {
        case .photo(let photo): photo.planes
        case .raster(let raster): raster.plane.map { [$0] } ?? []
        }
    }

    /// What is wrong in the file without keeping the rest from being read, and what was assumed. Samples that are read may
    /// add warnings of the library that decodes them.
    package var diagnostics: [Diagnostic] {
        switch self {
        case .photo(let photo): photo.diagnostics
        case .raster(let raster): raster.diagnostics
        }
    }

    /// Whether the reading applies: to rasters, and to photos that it makes a pair. Other photos ignore it.
    package var usesReading: Bool {
        if case .photo(let photo) = self { photo.isPair } else { true }
    }

    /// The first plane of a kind; `nil` when there is none.
    package func plane(_ kind: PlaneKind) -> AuxiliaryPlane? {
        switch self {
        case .photo(let photo): photo.plane(kind)
        case .raster(let raster): raster.plane?.kind == kind ? raster.plane : nil
        }
    }

    /// The plane that ``depthMap(frame:)`` and ``disparityMap(frame:)`` read. Throws ``SceneError``.
    package func depthPlane() throws -> AuxiliaryPlane {
        switch self {
        case .photo(let photo): return try photo.depthPlane()
        case .raster(let raster):
            guard let plane = raster.plane else { throw raster.absence(of: nil) }
            return plane
        }
    }

    /// Why there is no plane of a kind (`nil`: neither depth nor disparity).
    package func absence(of kind: PlaneKind?) -> any Error {
        switch self {
        case .photo(let photo): photo.absence(of: kind)
        case .raster(let raster): raster.absence(of: kind)
        }
    }

    /// The depth in meters, whichever of depth and disparity is stored, with its camera.
    package func depthMap(frame: PixelOrientation = .upright) throws -> DepthMap {
        switch self {
        case .photo(let photo): try photo.depthMap(frame: frame)
        case .raster(let raster): try raster.depthMap(frame: frame)
        }
    }

    /// The disparity in 1/meters, whichever of depth and disparity is stored, with its camera.
    package func disparityMap(frame: PixelOrientation = .upright) throws -> DisparityMap {
        switch self {
        case .photo(let photo): try photo.disparityMap(frame: frame)
        case .raster(let raster): try raster.disparityMap(frame: frame)
        }
    }

    /// The photo itself, or the one that was named for a raster; `nil` where none was.
    package func image(frame: PixelOrientation = .upright) throws(ContainerError) -> ColorImage? {
        switch self {
        case .photo(let photo): try photo.image(frame: frame)
        case .raster(let raster): try raster.image(frame: frame)
        }
    }

    /// The size of the photo itself, or of the one that was named for a raster; `nil` where none was.
    package func imageSize(frame: PixelOrientation = .upright) -> (width: Int, height: Int)? {
        switch self {
        case .photo(let photo): PictureFile(photo).size(frame)
        case .raster(let raster): raster.color?.size(frame)
        }
    }

    /// A matte of the photo; `nil` when there is none of that kind.
    package func matte(
        _ kind: PlaneKind = .matte, frame: PixelOrientation = .upright
    ) throws(ContainerError) -> Matte? {
        if case .photo(let photo) = self { try photo.matte(kind, frame: frame) } else { nil }
    }

    /// What planes are read from.
    var planeSource: any PlaneSource {
        switch self {
        case .photo(let photo): photo
        case .raster(let raster): raster
        }
    }

    /// Decodes a plane and brings it into the form in which it is written. Throws as ``PlaneSource/export(_:as:)`` does.
    package func export(_ plane: AuxiliaryPlane, as export: PlaneExport) throws -> ExportedPlane {
        try planeSource.export(plane, as: export)
    }

    /// The photo itself, or the one that was named for a raster, as a raster. Throws ``SceneError``.
    package func exportPhoto(frame: PixelOrientation) throws -> Raster {
        guard let image = try image(frame: frame) else {
            throw SceneError.noPicture
        }
        return Raster(image)
    }

    /// Whether it is a photo that is a stereo pair.
    package var isStereo: Bool {
        if case .photo(let photo) = self { photo.description.stereo != nil } else { false }
    }

    /// The picture for one eye, of a photo that is a stereo pair, as a raster. Throws ``SceneError``.
    package func exportView(_ eye: Eye, frame: PixelOrientation) throws -> Raster {
        guard case .photo(let photo) = self, let pair = photo.description.stereo else {
            throw SceneError.notStereo("\(eye.rawValue) picture")
        }
        return Raster(try photo.image(of: eye == .left ? pair.left : pair.right, frame: frame))
    }

    /// The file and its planes in the schema `isobath.info/1`; `describing` makes the lines of `warnings`. Nothing is decoded.
    package func record(
        path: String, describing: (Diagnostic) -> String = { $0.description }
    ) -> JSONValue {
        switch self {
        case .photo(let photo): photo.record(path: path, describing: describing)
        case .raster(let raster): raster.record(path: path, describing: describing)
        }
    }

    /// The focal length of a full-frame camera with the same diagonal field of view, in millimeters; `nil` where no Exif tells it.
    package var focalLength35mm: Int? {
        switch self {
        case .photo(let photo): (photo.picture?.photo ?? photo).description.focalLength35mm
        case .raster(let raster): raster.focalLength35mm
        }
    }
}
