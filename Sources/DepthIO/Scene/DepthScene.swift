public import ByteParsing
public import DepthCore
public import DepthModel
public import ImageCodecs
internal import Synchronization

/// What is known of one view: a picture, its depth, mattes, the camera and what the picture says of itself. Upright.
///
/// A scene is what every effect takes, wherever it comes from:
///
/// ```swift
/// let scene = try DepthScene(contentsOf: "portrait.heic")
/// try scene.blurred().write(to: "soft.jpg")
/// try scene.composited(over: .color(.white)).write(to: "white.jpg")
/// try scene.cloud().write(to: "portrait.ply")
/// ```
///
/// Making one decodes nothing. Each property that throws decodes what it returns, once, and nothing else: asking for the depth
/// decodes no picture.
public struct DepthScene: Sendable {
    /// What is known without decoding anything.
    public let description: SceneDescription
    package let source: any DepthSceneSource
    private let store: Store
    private let pictureOrigin: PictureOrigin

    /// What was decoded so far. Another thread that asks for the same waits for it.
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

    /// The scene with one of its pictures. Without a choice, it is the picture from before the camera's own effect, where the
    /// source has one of the depth's shape; otherwise the photo. Throws ``SceneError`` where an original is chosen and the
    /// source lacks it.
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

    /// The picture that the scene shows, at its own size or at less where that is quicker and still at least `size`; `nil` where
    /// there is none.
    package func picture(atLeast size: PixelSize?) throws -> ColorImage? {
        pictureOrigin == .original ? try source.original() : try source.color(atLeast: size)
    }

    /// Opens a photo or a depth raster, recognized by its bytes, and reads its structure. The depth of a stereo pair that stores none
    /// is computed from its pictures when it is asked for.
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

    /// Reads the structure of a photo or a depth raster that is anywhere, such as in an object store; otherwise as
    /// ``init(contentsOf:reading:limits:)``.
    ///
    /// `read` gets some ranges of bytes, in order, not empty and inside `0..<byteCount`, and returns the bytes of each. It is
    /// called by one thread at a time, as rarely as possible: opening most photos of phones takes one or two calls, their
    /// depth one more. What it returned is kept as long as the scene. What it throws becomes a ``ContainerError``.
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

    /// The picture with its opacity; `nil` where the picture that the scene shows is opaque.
    func translucentPicture() throws -> Picture? {
        guard pictureOrigin == .photo, description.planes.contains(.alpha) else { return nil }
        return try cancellable { try source.translucentPicture() }
    }

    /// The picture at its own size. Throws ``SceneError/noPicture`` where there is none, ``ContainerError`` where it cannot be read.
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

    /// The depth in its ``DepthScale``, `nan` where unknown. Throws ``SceneError``, ``DepthScaleError`` where disparity is
    /// stored whose reciprocal means nothing, and ``ContainerError``.
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

    /// A matte at its own size, or the picture's opacity; `nil` for a kind that the scene lacks. Throws
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

    /// How far each sample of the depth can be trusted; `nil` where nothing says so. Throws ``ContainerError``.
    public func confidence() throws -> SamplePlane? { try samples(of: .confidence) }

    /// The samples of a plane as the file holds them; `nil` where there is none of that kind, and for planes in color. Throws
    /// ``ContainerError``.
    public func samples(of kind: PlaneKind) throws -> SamplePlane? { try source.samples(of: kind) }

    /// The camera that the depth was seen by, on the grid of the depth: ``SceneDescription/calibration``, otherwise what follows from
    /// ``SceneDescription/focalLength35mm``, otherwise one with a usual field of view. Throws ``SceneError`` without depth.
    public func camera() throws -> CameraCalibration { try resolvedCamera().calibration }

    /// As ``camera()``, and where it is known from.
    package func resolvedCamera() throws -> ResolvedCamera {
        let size = try requireDepth().size
        var camera = description.cameras.camera(for: size)
        camera.calibration = camera.calibration.scaled(toWidth: size.width, height: size.height)
        return camera
    }

    /// What a picture made of the scene keeps of the picture's Exif and XMP, and what of it cannot be kept.
    public func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { source.metadata() }

    /// What is wrong with the source or was assumed of it, so far: decoders may add to it.
    public var diagnostics: [Diagnostic] { source.diagnostics }

    /// What the depth's values mean. Throws ``SceneError`` without depth.
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
