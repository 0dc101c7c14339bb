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
    package let source: any SceneSource
    private let store: Store
    private let pictureOrigin: PictureOrigin

    /// Whether the picture is the photo, and not the original from before an effect.
    var showsPhoto: Bool { pictureOrigin == .photo }

    /// The results that have been decoded so far. A second thread that needs the same plane waits for the first.
    private final class Store: Sendable {
        let colors = Mutex<[PictureOrigin: ColorImage?]>([:])
        let decodedDepth = Mutex<DecodedPlane?>(nil)
        let depth = Mutex<DepthMap?>(nil)
        let disparity = Mutex<DisparityMap?>(nil)
        let mattes = Mutex<[PlaneKind: Matte?]>([:])
    }

    /// The scene that a source describes.
    package init(_ source: any SceneSource) {
        self.init(source, source.describe(), .photo, Store())
    }

    private init(
        _ source: any SceneSource, _ description: SceneDescription, _ origin: PictureOrigin,
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
            if choice == .original { throw description.absence(of: .original) }
            return (self, .photo)
        }
        if choice == nil, let depth = description.depth, !size.hasSameAspect(as: depth.size) {
            return (self, .photo)
        }
        var description = description
        description.colorSize = size
        return (DepthScene(source, description, .original, store), .original)
    }

    /// Decodes a plane; an empty one if the scene lacks it. The upright picture and depth stay in memory.
    package func plane(_ id: PlaneID, as request: PlaneRequest = PlaneRequest()) throws -> DecodedPlane {
        if request == PlaneRequest() {
            if id == .picture { return try knownColor().map { DecodedPlane($0) } ?? DecodedPlane() }
            if id == description.depthPlane?.id { return try decodedDepth() }
        }
        return try cancellable { try decoded(id, as: request) }
    }

    private func decoded(_ id: PlaneID, as request: PlaneRequest = PlaneRequest()) throws -> DecodedPlane {
        var plane = DecodedPlane()
        let shown = id == .picture && pictureOrigin == .original ? .plane(.original, 0) : id
        try source.decode(shown, as: request, into: &plane)
        return plane
    }

    /// The scene's picture, at full size or reduced if that is faster and still at least `size`; `nil` if missing. Does not
    /// keep it.
    package func picture(atLeast size: PixelSize?) throws -> ColorImage? {
        try decoded(.picture, as: PlaneRequest(atLeast: size)).image
    }

    /// Opens a photo or a depth raster, recognized by its bytes, and reads its structure. If a stereo pair stores no depth,
    /// depth is computed from its pictures when first used.
    ///
    /// Throws ``ContainerError``, with the path, when the file cannot be read, ``SceneError`` where `reading` does not fit it.
    public init(
        contentsOf path: String, reading: ReadingOptions = ReadingOptions(),
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        self = try opening(path) {
            try Self(storedIn: path, reading: reading, limits: limits).matched
        }
    }

    /// Reads the structure of a photo or a depth raster in memory; otherwise as ``init(contentsOf:reading:limits:)``.
    public init(
        _ bytes: [UInt8], reading: ReadingOptions = ReadingOptions(),
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        self = try Self(storedIn: MemorySource(bytes), reading: reading, limits: limits).matched
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
        byteCount: Int, reading: ReadingOptions = ReadingOptions(),
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
        self = try Self(storedIn: source, reading: reading, limits: limits).matched
    }

    /// The picture with its opacity; `nil` if the scene's picture is opaque.
    func translucentPicture() throws -> Picture? {
        guard pictureOrigin == .photo, description.planes.contains(.alpha) else { return nil }
        guard case .translucent(let image) = try plane(.picture, as: PlaneRequest(.kept)).content else {
            return nil
        }
        return Picture(image)
    }

    /// The picture at full size. Throws ``SceneError/noPicture`` without one, ``ContainerError`` if it cannot be read.
    public func color() throws -> ColorImage {
        guard let color = try knownColor() else { throw SceneError.noPicture }
        return color
    }

    /// The picture, decoded once; `nil` if missing.
    private func knownColor() throws -> ColorImage? {
        try store.colors.withLock { stored in
            if let known = stored[pictureOrigin] { return known }
            let color = try cancellable { try picture(atLeast: nil) }
            stored[pictureOrigin] = .some(color)
            return color
        }
    }

    /// The depth as stored, decoded once. Throws ``SceneError`` without depth.
    private func decodedDepth() throws -> DecodedPlane {
        let id = try description.requirePlane(nil).id
        return try store.decodedDepth.withLock { stored in
            if let stored { return stored }
            let plane = try cancellable { try decoded(id) }
            guard !plane.isEmpty else { throw description.absence(of: nil) }
            stored = plane
            return plane
        }
    }

    /// The depth in its ``DepthScale``, `nan` where unknown. Throws ``SceneError``, ``DepthScaleError`` if the file stores
    /// disparity with a meaningless reciprocal, and ``ContainerError``.
    public func depth() throws -> DepthMap {
        try store.depth.withLock { stored in
            if let stored { return stored }
            let map = try decodedDepth().depthMap()
            // Single frames of a recording may be without any.
            if description.index == nil { try map.meters.requireKnown() }
            stored = map
            return map
        }
    }

    /// The disparity in its ``DepthScale``, `nan` where unknown. Throws as ``depth()`` does.
    public func disparity() throws -> DisparityMap {
        try store.disparity.withLock { stored in
            if let stored { return stored }
            let map = try decodedDepth().disparityMap()
            if description.index == nil { try map.reciprocalMeters.requireKnown() }
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
            let matte = try kind == .alpha ? translucentPicture()?.alpha : samples(of: kind).map { Matte($0) }
            stored[kind] = .some(matte)
            return matte
        }
    }

    /// The gain map of the photo, upright: how much brighter than the picture its HDR rendition is; `nil` without one. An original
    /// from before an effect has the gain map of the photo.
    ///
    /// Decodes it on each call. Throws ``ContainerError`` if it cannot be read, or its parameters are missing or unsupported.
    package func gainMap() throws -> GainMap? {
        guard case .gainMap(let map) = try plane(.gainMap).content else { return nil }
        return map
    }

    /// The confidence in each sample of the depth; `nil` if the source has no confidence plane. Throws
    /// ``ContainerError``.
    public func confidence() throws -> SamplePlane? { try samples(of: .confidence) }

    /// The stored samples of a plane; `nil` if there is no plane of that kind, and for planes in color. Throws
    /// ``ContainerError``.
    public func samples(of kind: PlaneKind) throws -> SamplePlane? {
        var request = PlaneRequest()
        request.codesOnly = true
        return try plane(.plane(kind, 0), as: request).codes
    }

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
        guard let depth = description.depth else { throw description.absence(of: nil) }
        return depth
    }

    /// Throws ``SceneError/noPicture`` without a picture.
    package func requireColorSize() throws -> PixelSize {
        guard let size = description.colorSize else { throw SceneError.noPicture }
        return size
    }
}
