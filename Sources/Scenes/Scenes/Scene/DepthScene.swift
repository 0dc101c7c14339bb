public import Bytes
public import Codecs
public import DepthMaps
public import DepthTypes
internal import Synchronization

/// One view: a picture, its depth, mattes, camera and metadata. Upright.
///
/// Every effect takes a scene, whatever its source:
///
/// ```swift
/// let scene = try DepthScene(contentsOf: "portrait.heic")
/// try scene.blurred().write(to: "soft.jpg")
/// try scene.composited(over: .color(.white)).write(to: "white.jpg")
/// try scene.cloud().write(to: "portrait.ply")
/// ```
///
/// Making a scene decodes nothing. Each throwing property decodes only its result, and only once: reading the depth
/// decodes no picture.
public struct DepthScene: Sendable {
    /// The description of the scene, which requires no decoding.
    public let description: SceneDescription
    package let source: any DepthSceneSource
    private let store: Store
    private let pictureOrigin: PictureOrigin

    /// Whether the picture is the photo, and not the original from before an effect.
    var showsPhoto: Bool { pictureOrigin == .photo }

    /// The results that have been decoded so far. A second thread that needs the same plane waits for the first.
    private final class Store: Sendable {
        let colors = Mutex<[PictureOrigin: ColorImage?]>([:])
        let depth = Mutex<DepthMap?>(nil)
        let disparity = Mutex<DisparityMap?>(nil)
        let mattes = Mutex<[PlaneKind: Matte?]>([:])
    }

    /// The scene that a source describes.
    public init(_ source: any DepthSceneSource) {
        self.init(source, source.describe(), .photo, Store())
    }

    private init(
        _ source: any DepthSceneSource, _ description: SceneDescription, _ origin: PictureOrigin,
        _ store: Store
    ) {
        self.source = source
        self.description = description
        pictureOrigin = origin
        self.store = store
    }

    /// The scene with one of its pictures. By default, this is the picture from before the camera's effect, if the
    /// source has one with the depth's aspect ratio; otherwise the photo. Throws ``SceneError`` if the original is
    /// chosen and missing.
    package func showing(_ choice: PictureOrigin?) throws -> (scene: DepthScene, origin: PictureOrigin) {
        guard choice != .photo, let size = description.originalSize else {
            if choice == .original { throw source.absence(of: .original) }
            return (self, .photo)
        }
        if choice == nil, let depth = description.depth, !size.hasSameAspect(as: depth.size) {
            return (self, .photo)
        }
        var description = description
        description.colorSize = size
        return (DepthScene(source, description, .original, store), .original)
    }

    /// The scene's picture, at full size or reduced if that is faster and still at least `size`; `nil` if missing.
    package func picture(atLeast size: PixelSize?) throws -> ColorImage? {
        pictureOrigin == .original ? try source.original() : try source.color(atLeast: size)
    }

    /// Opens a photo or a depth raster, recognized by its bytes, and reads its structure. If a stereo pair stores no depth,
    /// depth is computed from its pictures when first used.
    ///
    /// Throws ``ContainerError``, with the path, when the file cannot be read, ``SceneError`` where `reading` does not fit it.
    public init(
        contentsOf path: String, reading: RasterInterpretation = RasterInterpretation(),
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        self.init(
            try opening(path) {
                try Self.source(contentsOf: path, reading: reading, limits: limits).sceneSource
            })
    }

    /// Reads the structure of a photo or a depth raster in memory; otherwise as ``init(contentsOf:reading:limits:)``.
    public init(
        _ bytes: [UInt8], reading: RasterInterpretation = RasterInterpretation(),
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        self.init(try Self.source(MemorySource(bytes), reading: reading, limits: limits).sceneSource)
    }

    /// Reads the structure of a photo or a depth raster from any source, such as an object store; otherwise as
    /// ``init(contentsOf:reading:limits:)``.
    ///
    /// `read` gets ranges of bytes, in order, not empty and inside `0..<byteCount`, and returns the bytes of each. It is
    /// called by one thread at a time, as rarely as possible: opening most phone photos takes one or two calls, their depth
    /// one more. The scene keeps the returned bytes. An error from `read` becomes a ``ContainerError``.
    ///
    /// ```swift
    /// let scene = try DepthScene(byteCount: size) { ranges in try ranges.map { try download(url, $0) } }
    /// ```
    public init(
        byteCount: Int, reading: RasterInterpretation = RasterInterpretation(),
        limits: DecodingLimits = DecodingLimits(),
        read: @escaping @Sendable (_ ranges: [Range<Int>]) throws -> [[UInt8]]
    ) throws {
        let source = CachingSource(byteCount: max(0, byteCount), limits: limits) {
            (ranges) throws(ContainerError) in
            do {
                return try read(ranges)
            } catch let error as ContainerError {
                throw error
            } catch {
                throw ContainerError(.unreadable(detail: "\(error)"), at: ranges.first?.lowerBound)
            }
        }
        self.init(try Self.source(source, reading: reading, limits: limits).sceneSource)
    }

    /// The picture with its opacity; `nil` if the scene's picture is opaque.
    func translucentPicture() throws -> Picture? {
        guard pictureOrigin == .photo, description.planes.contains(.alpha) else { return nil }
        return try cancellable { try source.translucentPicture() }
    }

    /// The picture at full size. Throws ``SceneError/noPicture`` without one, ``ContainerError`` if it cannot be read.
    public func color() throws -> ColorImage {
        let color = try store.colors.withLock { stored in
            if let known = stored[pictureOrigin] { return known }
            let color = try cancellable { try picture(atLeast: nil) }
            stored[pictureOrigin] = .some(color)
            return color
        }
        guard let color else { throw SceneError.noPicture }
        return color
    }

    /// The depth in its ``DepthScale``, `nan` where unknown. Throws ``SceneError``, ``DepthScaleError`` if the file stores
    /// disparity with a meaningless reciprocal, and ``ContainerError``.
    public func depth() throws -> DepthMap {
        try store.depth.withLock { stored in
            if let stored { return stored }
            let map = try cancellable { try source.depth() }
            stored = map
            return map
        }
    }

    /// The disparity in its ``DepthScale``, `nan` where unknown. Throws as ``depth()`` does.
    public func disparity() throws -> DisparityMap {
        try store.disparity.withLock { stored in
            if let stored { return stored }
            let map = try cancellable { try source.disparity() }
            stored = map
            return map
        }
    }

    /// A matte at its stored size, or the picture's opacity; `nil` for a kind that the scene lacks. Throws
    /// ``SceneError/notCoverage(_:)`` for kinds that are neither, and ``ContainerError``.
    public func matte(_ kind: PlaneKind = .matte) throws -> Matte? {
        guard kind.isCoverage else { throw SceneError.notCoverage(kind) }
        return try store.mattes.withLock { stored in
            if let known = stored[kind] { return known }
            let matte = try cancellable { try source.matte(kind) }
            stored[kind] = .some(matte)
            return matte
        }
    }

    /// The confidence in each sample of the depth; `nil` if the source has no confidence plane. Throws
    /// ``ContainerError``.
    public func confidence() throws -> SamplePlane? { try samples(of: .confidence) }

    /// The stored samples of a plane; `nil` if there is no plane of that kind, and for planes in color. Throws
    /// ``ContainerError``.
    public func samples(of kind: PlaneKind) throws -> SamplePlane? { try source.samples(of: kind) }

    /// The camera of the depth, on the depth's grid: ``SceneDescription/calibration``, otherwise derived from
    /// ``SceneDescription/focalLength35mm``, otherwise one with a usual field of view. Throws ``SceneError`` without depth.
    public func camera() throws -> CameraCalibration { try resolvedCamera().calibration }

    /// As ``camera()``, with the origin of its values.
    package func resolvedCamera() throws -> ResolvedCamera {
        let size = try requireDepth().size
        var camera = description.cameras.camera(for: size)
        camera.calibration = camera.calibration.scaled(toWidth: size.width, height: size.height)
        return camera
    }

    /// The Exif and XMP that a picture made of the scene keeps, and diagnostics on what cannot be kept.
    public func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { source.metadata() }

    /// Defects and assumptions so far. Decoding may add more.
    public var diagnostics: [Diagnostic] { source.diagnostics }

    /// The scale of the depth's values. Throws ``SceneError`` without depth.
    public func scale() throws -> DepthScale { try requireDepth().scale }

    /// Throws ``SceneError`` without depth.
    func requireDepth() throws -> SceneDescription.Depth {
        guard let depth = description.depth else { throw source.absence(of: nil) }
        return depth
    }

    /// Throws ``SceneError/noPicture`` without a picture.
    package func requireColorSize() throws -> PixelSize {
        guard let size = description.colorSize else { throw SceneError.noPicture }
        return size
    }
}
