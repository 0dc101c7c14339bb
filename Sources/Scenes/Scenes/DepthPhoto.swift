package import Bytes
internal import Codecs
package import DepthMaps
package import DepthTypes
package import PhotoFormats

/// A photo with the planes that its camera stored beside it.
///
/// Opening one reads structure only. Each call that returns samples decodes what it returns and nothing else.
///
/// ```swift
/// let photo = try DepthPhoto(contentsOf: "portrait.heic")
/// let depth = try photo.depthMap()          // meters, upright
/// let matte = try photo.matte(.matte)       // nil where the file has none
/// ```
package struct DepthPhoto: Sendable {
    private let source: any ByteSource
    /// The file as it was parsed.
    package let container: any PhotoContainer
    let limits: DecodingLimits
    /// Size, orientation and camera of the photo itself.
    package internal(set) var description: PhotoDescription
    /// The picture that belongs to a depth image; `nil` if the photo itself is the picture.
    let picture: PictureFile?
    /// An additional turn of upright pixels, given by the caller.
    private var turn = Orientation.up
    /// Assumptions made because a reading declares the photo a pair.
    private let assumptions: [Diagnostic]
    /// Whether the file leaves open which side of the depth is near.
    let isNearSideAssumed: Bool
    /// The focal length and principal point given by the caller, in upright samples of the depth.
    var givenCamera: (focalLength: Double, principalPoint: SIMD2<Double>?)?

    /// Opens a file and reads its structure.
    ///
    /// Throws ``ContainerError`` when the file cannot be read, is not an image, or is broken beyond use.
    package init(contentsOf path: String, limits: DecodingLimits = DecodingLimits()) throws(ContainerError) {
        try self.init(FileSource(path: path, limits: limits), named: path, limits: limits)
    }

    /// Reads the structure of an image file in memory or in any other source.
    ///
    /// A `name` that ends in `.jps` makes a JPEG that has no other stereo metadata a stereo pair: side by side, right eye
    /// first. Other names have no effect.
    package init(
        _ source: any ByteSource, named name: String? = nil, limits: DecodingLimits = DecodingLimits()
    ) throws(ContainerError) {
        self.source = source
        self.limits = limits
        container = try parseContainer(source, limits: limits)
        // A read error of the disk takes precedence over the parsed content.
        if let failure = source.failure { throw failure }
        var description = container.photo
        if description.stereo == nil, container.format == .jpeg, name?.lowercased().hasSuffix(".jps") == true
        {
            description.stereo = StereoPair(crossEyed: description)
        }
        description.stereo?.focalLength35mm = description.focalLength35mm
        self.description = description
        picture = nil
        assumptions = []
        isNearSideAssumed = false
    }

    /// A photo read as a pair.
    init(
        _ photo: DepthPhoto, layout: PairLayout, quantity: DepthQuantity, isAssumed: Bool,
        picture: PictureFile?
    ) {
        source = photo.source
        limits = photo.limits
        self.picture = picture
        givenCamera = photo.givenCamera
        container = DeclaredDepthContainer(photo.container, layout: layout, quantity: quantity)
        description = container.photo
        isNearSideAssumed = isAssumed
        assumptions = isAssumed ? [.assumedNearSide(quantity)] : []
        turnMore(by: photo.turn)
    }

    /// The photo with its pictures and planes turned as if the file declared this orientation.
    func oriented(_ orientation: Orientation) -> DepthPhoto {
        var photo = self
        photo.turnMore(by: description.orientation.inverse.followed(by: orientation))
        return photo
    }

    private mutating func turnMore(by more: Orientation) {
        turn = turn.followed(by: more)
        description.orientation = description.orientation.followed(by: more)
        if var pair = description.stereo {
            pair.left.orientation = pair.left.orientation.followed(by: more)
            pair.right.orientation = pair.right.orientation.followed(by: more)
            description.stereo = pair
        }
    }

    /// The container's format.
    package var format: ContainerKind { container.format }

    /// Every auxiliary plane, in file order.
    package var planes: [PlaneDescription] { storedPlanes.map(\.description) }

    /// Every auxiliary plane with the location of its samples, in file order.
    package var storedPlanes: [AuxiliaryPlane] {
        guard turn != .up else { return container.planes }
        return container.planes.map { plane in
            var plane = plane
            plane.orientation = plane.orientation.followed(by: turn)
            return plane
        }
    }

    /// The plane that ``PlaneSource/plane(_:)`` describes, with the location of its samples; `nil` if missing.
    package func storedPlane(_ kind: PlaneKind) -> AuxiliaryPlane? {
        storedPlanes.first { $0.kind == kind && $0.index == 0 }
    }

    /// Data in the file or after its image that is not an image and is not interpreted.
    package var trailers: [FileTrailer] { container.trailers }

    /// Defects that leave the rest of the file readable, ``readErrors`` included, and what was assumed.
    package var diagnostics: [Diagnostic] {
        let found = container.diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            // A plane whose description could not be read.
            if let error = diagnostic.error, error == container.unreadablePlane {
                diagnostic.code = .unreadablePlane
            }
            return diagnostic
        }
        return found + assumptions + readErrors
    }

    /// Why the photo itself or some of its planes cannot be read.
    package var readErrors: [Diagnostic] {
        let photo = description.readError.map { Diagnostic($0, .unreadablePhoto, "the photo itself") }
        let planes = planes.compactMap { plane in
            plane.readError.map { Diagnostic($0, .unreadablePlane, "the \(plane.kind.rawValue) plane") }
        }
        return [photo].compactMap(\.self) + planes
    }

    /// The photo's own XMP, extended XMP included; empty if missing.
    ///
    /// Read on demand: ``planes`` and `info` do not need it. Throws when the packet is broken.
    package func xmp() throws(ContainerError) -> XMPProperties { try container.photoXMP() }

    /// The plane that ``depthMap(frame:)`` and ``disparityMap(frame:)`` read: the first that stores depth or disparity.
    ///
    /// Throws ``SceneError``, or the file's error if that may be the reason.
    package func depthPlane() throws -> PlaneDescription { try storedDepthPlane().description }

    /// As ``depthPlane()``, with the location of its samples.
    package func storedDepthPlane() throws -> AuxiliaryPlane {
        let candidates = storedPlanes.filter { $0.kind.isDepth }
        if let plane = candidates.first(where: { $0.belongsToPhoto && $0.readError == nil })
            ?? candidates.first
        {
            return plane
        }
        throw absence(of: nil)
    }

    /// The error for a missing plane of a kind (`nil`: neither depth nor disparity).
    package func absence(of kind: PlaneKind?) -> any Error {
        // The wanted plane may be one that could not be described or identified.
        if let lost = container.unreadablePlane { return lost }
        if planes.contains(where: { $0.kind == .unknown }),
            let error = diagnostics.lazy.compactMap(\.error).first
        {
            return error
        }
        return SceneError.noPlane(kind, available: planes.map(\.kind))
    }

    /// The photo's depth in meters, converted if the file stores disparity.
    ///
    /// Throws ``SceneError`` when the file has neither, ``ContainerError`` when the plane cannot be read.
    package func depthMap(frame: PixelOrientation = .upright) throws -> DepthMap {
        try depthMap(of: try depthPlane(), frame: frame)
    }

    /// The photo's disparity in 1/meters, converted if the file stores depth.
    ///
    /// Throws as ``depthMap(frame:)`` does.
    package func disparityMap(frame: PixelOrientation = .upright) throws -> DisparityMap {
        let plane = try depthPlane()
        if plane.isMeasuredAlongRay { return try DisparityMap(depthMap(of: plane, frame: frame)) }
        return DisparityMap(
            try codes(of: plane, frame: frame), mapping: Self.mapping(of: plane), scale: plane.scale,
            calibration: plane.calibration(in: frame))
    }

    /// The depth of one plane along the optical axis, converted if it was measured along rays.
    func depthMap(of plane: PlaneDescription, frame: PixelOrientation) throws(ContainerError) -> DepthMap {
        let map = DepthMap(
            try codes(of: plane, frame: frame), mapping: Self.mapping(of: plane), scale: plane.scale,
            calibration: plane.calibration(in: frame))
        return plane.isAlongRay ? map.alongAxis() : map
    }

    /// The stored sample values of a plane; luma, if the plane has color.
    package func codes(of plane: PlaneDescription, frame: PixelOrientation = .upright) throws(ContainerError)
        -> SamplePlane
    {
        let (plane, coded) = try coded(plane)
        let codes = try ImageDecoder(source, limits: limits)
            .codes(
                of: coded, width: plane.codedWidth, height: plane.codedHeight, crop: plane.crop,
                expandsRange: plane.kind == .alpha || plane.hasDeclaredRange)
        return frame == .upright ? codes.oriented(by: plane.orientation) : codes
    }

    /// The coded bytes of a plane that is a separate stream; empty for other planes.
    package func codedBytes(of plane: PlaneDescription) throws(ContainerError) -> [UInt8] {
        guard case .jpeg(let bytes) = try coded(plane).image else { return [] }
        switch bytes {
        case .decoded(let bytes): return bytes
        case .extents(let extents):
            var joined: [UInt8] = []
            for extent in extents { joined += try source.read(extent) }
            return joined
        }
    }

    /// The colors of a plane that has them, such as some gain maps; `nil` for a single channel.
    package func color(of plane: PlaneDescription, frame: PixelOrientation = .upright) throws(ContainerError)
        -> ColorImage?
    {
        let (plane, coded) = try coded(plane)
        guard coded.hasChroma || (plane.components ?? 1) >= 3 || plane.kind == .original else { return nil }
        let image = try ImageDecoder(source, limits: limits)
            .color(
                of: coded, width: plane.codedWidth, height: plane.codedHeight, crop: plane.crop,
                colorProfile: plane.kind == .original ? colorProfile(of: coded) : [])
        return frame == .upright ? image.oriented(by: plane.orientation) : image
    }

    /// The photo itself, with its ICC profile.
    ///
    /// CMYK is converted to sRGB.
    package func image(frame: PixelOrientation = .upright) throws(ContainerError) -> ColorImage {
        if let picture { return try picture.image(frame: frame) }
        return try image(of: CodedView(description), frame: frame, eighths: 8)
    }

    /// The photo at full size, or reduced if that is faster to decode and still at least `width` × `height` pixels in
    /// that frame: JPEG to a half, a quarter or an eighth, rounded up; HEVC and AV1 to a half, unless their tiles have
    /// an odd side. HEVC is decoded without deblocking if a half is enough.
    package func image(
        frame: PixelOrientation = .upright, atLeastWidth width: Int, height: Int
    ) throws(ContainerError) -> ColorImage {
        let photo = description
        guard picture == nil, photo.crop == nil else { return try image(frame: frame) }
        let isTurned = frame == .upright && photo.orientation.swapsAxes
        let wanted = isTurned ? (width: height, height: width) : (width: width, height: height)
        let eighths = eighths(atLeastWidth: wanted.width, height: wanted.height)
        return try image(of: CodedView(photo), frame: frame, eighths: eighths)
    }

    /// The decoding size of the photo for this many pixels, in eighths of its stored size: 1, 2, 4 or 8.
    private func eighths(atLeastWidth width: Int, height: Int) -> Int {
        [1, 2, 4].first {
            (description.codedWidth * $0 + 7) / 8 >= width && (description.codedHeight * $0 + 7) / 8 >= height
        } ?? 8
    }

    /// The photo's stored pixels, to be decoded into the caller's memory; `nil` unless it is a JPEG stream without a profile.
    func storedPixels(atLeastWidth width: Int?, height: Int?) throws(ContainerError) -> StoredPixels? {
        let photo = description
        guard picture == nil, photo.crop == nil, photo.colorProfile.isEmpty, photo.readError == nil,
            case .jpeg(let coded) = try container.codedImage(at: photo.location)
        else { return nil }
        var share = 8
        if let width, let height { share = eighths(atLeastWidth: width, height: height) }
        return StoredPixels(
            ImageDecoder(source, limits: limits), coded, width: photo.codedWidth, height: photo.codedHeight,
            eighths: share)
    }

    /// A quick view of the photo, at `width` × `height` pixels of the upright frame or more: the smallest preview in the file
    /// that is large enough and has the photo's shape, otherwise the photo as ``image(frame:atLeastWidth:height:)`` decodes
    /// it.
    ///
    /// Do not measure in a preview: it may be outdated, if a program edited the photo only.
    package func glance(atLeastWidth width: Int, height: Int) throws(ContainerError) -> ColorImage {
        guard picture == nil, !isPair else { return try image(atLeastWidth: width, height: height) }
        let size = PixelSize(width: description.width, height: description.height)
        let isTurned = description.orientation.swapsAxes
        let wanted = isTurned ? (width: height, height: width) : (width: width, height: height)
        let fitting = container.previews().filter { preview in
            preview.width >= wanted.width && preview.height >= wanted.height
                && preview.orientation == description.orientation && preview.width < size.width
                && PixelSize(width: preview.width, height: preview.height).hasSameAspect(as: size)
        }
        if let preview = fitting.min(by: { $0.width < $1.width }), let image = try? image(of: preview) {
            return image
        }
        return try image(atLeastWidth: width, height: height)
    }

    /// One picture of a stereo pair, with its ICC profile.
    package func image(of view: CodedView, frame: PixelOrientation = .upright) throws(ContainerError)
        -> ColorImage
    {
        try image(of: view, frame: frame, eighths: 8)
    }

    private func image(
        of view: CodedView, frame: PixelOrientation, eighths: Int
    ) throws(ContainerError) -> ColorImage {
        if let readError = view.readError { throw readError }
        var profile: [UInt8] = []
        for range in view.colorProfile {
            try limits.check(.metadataBytes, profile.count + range.count, at: range.lowerBound)
            profile += try source.read(range)
        }
        let coded = try container.codedImage(at: view.location)
        let image = try ImageDecoder(source, limits: limits)
            .color(
                of: coded, width: view.codedWidth, height: view.codedHeight, crop: view.crop,
                colorProfile: profile, eighths: eighths)
        return frame == .upright ? image.oriented(by: view.orientation) : image
    }

    /// The ICC profile inside a JPEG stream; empty if missing or unreadable.
    private func colorProfile(of coded: CodedImage) -> [UInt8] {
        guard case .jpeg(let bytes) = coded else { return [] }
        return (try? colorProfileOfJPEG(bytes, source: source, limits: limits)) ?? []
    }

    /// The location of the samples of one of ``planes``.
    private func coded(
        _ plane: PlaneDescription
    ) throws(ContainerError) -> (plane: AuxiliaryPlane, image: CodedImage) {
        if let readError = plane.readError { throw readError }
        guard let stored = storedPlanes.first(where: { $0.kind == plane.kind && $0.index == plane.index })
        else { throw ContainerError(.unsupported(feature: "a plane of another photo")) }
        return (stored, try container.codedImage(at: stored.location))
    }

    /// The mapping of a depth plane (every depth plane has one), for maps that have reciprocals.
    private static func mapping(of plane: PlaneDescription) -> SampleMapping {
        let mapping =
            plane.mapping
            ?? SampleMapping(
                undeclared: plane.kind == .depth ? .depth : .disparity, bitDepth: plane.bitDepth ?? 8)
        return mapping.withReciprocals
    }
}

extension PlaneDescription {
    /// Whether distances are along rays and the camera is known, so that they can be converted.
    var isMeasuredAlongRay: Bool { isAlongRay && calibration != nil }

    /// The camera in a frame.
    func calibration(in frame: PixelOrientation) -> CameraCalibration? {
        frame == .upright ? calibration?.oriented(by: orientation) : calibration
    }
}
