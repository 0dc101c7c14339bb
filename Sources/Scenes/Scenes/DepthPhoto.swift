package import Bytes
internal import Codecs
package import DepthMaps
package import DepthTypes
package import PhotoFormats
internal import Synchronization

/// A photo with the planes that its camera stored beside it.
///
/// Opening one reads structure only. Each call that returns samples decodes what it returns and nothing else.
///
/// ```swift
/// let photo = try DepthPhoto(contentsOf: "portrait.heic")
/// let matte = try photo.storedPlane(.matte).map { try photo.codes(of: $0.description) }
/// ```
package struct DepthPhoto: Sendable {
    private let source: any ByteSource
    /// The file as it was parsed.
    package let container: any PhotoContainer
    let limits: DecodingLimits
    /// Size, orientation and camera of the photo itself.
    package internal(set) var description: PhotoDescription { didSet { described = KnownDescription() } }
    /// The picture that belongs to a depth image; `nil` if the photo itself is the picture.
    let picture: (any SceneSource)?
    /// An additional turn of upright pixels, given by the caller.
    private var turn = Orientation.up
    /// Assumptions made because a reading declares the photo a pair.
    private let assumptions: [Diagnostic]
    /// Whether the file leaves open which side of the depth is near.
    let isNearSideAssumed: Bool
    /// The camera given by the caller, of the upright depth.
    var givenCamera: CameraCalibration? {
        didSet { described = KnownDescription() }
    }
    /// Which codes of a plane without a declared range are unknown.
    var noData: ReadingOptions.NoData?
    /// The distances of a plane without a unit, given by the caller.
    private(set) var range: ClosedRange<Double>?
    /// The scene's description, once it was asked for.
    private(set) var described = KnownDescription()

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
        picture: (any SceneSource)?
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

    /// Gives the plane of depth these distances if it has no unit. Throws ``SceneError/infiniteRange``.
    mutating func span(_ range: ClosedRange<Double>?) throws(SceneError) {
        guard let range, let mapping = depthPlane?.description.mapping, !mapping.hasUnit else { return }
        guard mapping.quantity == .disparity || range.upperBound.isFinite else { throw .infiniteRange }
        self.range = range
        described = KnownDescription()
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
        guard turn != .up || range != nil else { return container.planes }
        return container.planes.map { plane in
            var plane = plane
            plane.orientation = plane.orientation.followed(by: turn)
            if let range, plane.kind.isDepth { plane.span(range) }
            return plane
        }
    }

    /// The plane that ``SceneDescription/storedPlane(_:)`` describes, with the location of its samples; `nil` if missing.
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
        return found + assumptions + readErrors + described.notes
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
    /// Read for the scene's description; ``planes`` do not need it. Throws when the packet is broken.
    package func xmp() throws(ContainerError) -> XMPProperties { try container.photoXMP() }

    /// The plane that depth and disparity are read from: the first of them; `nil` without one.
    package var depthPlane: AuxiliaryPlane? {
        let candidates = storedPlanes.filter { $0.kind.isDepth }
        return candidates.first { $0.belongsToPhoto && $0.readError == nil } ?? candidates.first
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

    /// The photo itself, with its ICC profile; at full size, or reduced if that is faster to decode and it is still at least
    /// as large as `size` in that frame: JPEG to a half, a quarter or an eighth, rounded up; HEVC and AV1 to a half, unless
    /// their tiles have an odd side. HEVC is decoded without deblocking if a half is enough.
    ///
    /// CMYK is converted to sRGB. Opacity is ignored. PQ and HLG stay so in 16 bits if `keepsHDR` is set.
    package func opaqueImage(
        frame: PixelOrientation = .upright, atLeast size: PixelSize? = nil, keepsHDR: Bool = false
    ) throws(ContainerError) -> ColorImage {
        try image(
            of: CodedView(description), frame: frame, eighths: eighths(frame, atLeast: size),
            keepsHDR: keepsHDR)
    }

    /// The decoding size of the photo for this many pixels, in eighths of its stored size: 1, 2, 4 or 8.
    private func eighths(_ frame: PixelOrientation, atLeast size: PixelSize?) -> Int {
        guard let size, description.crop == nil else { return 8 }
        let isTurned = frame == .upright && description.orientation.swapsAxes
        let (width, height) = isTurned ? (size.height, size.width) : (size.width, size.height)
        return [1, 2, 4].first {
            (description.codedWidth * $0 + 7) / 8 >= width && (description.codedHeight * $0 + 7) / 8 >= height
        } ?? 8
    }

    /// The photo's JPEG stream, if its pixels are in 8-bit sRGB as they are stored; `nil` for others.
    private func plainStream() throws(ContainerError) -> CodedBytes? {
        guard description.crop == nil, description.colorProfile.isEmpty, description.readError == nil,
            case .jpeg(let coded) = try container.codedImage(at: description.location)
        else { return nil }
        return coded
    }

    /// Whether the photo is a JPEG file whose pixels are in 8-bit sRGB as they are stored.
    var isPlain: Bool { format == .jpeg && (try? plainStream()) != nil }

    /// Decodes the pixels of the photo as they are stored into the memory of `plane`. Returns `false` where only
    /// ``opaqueImage(frame:atLeast:)`` decodes them.
    func decodePixels(atLeast size: PixelSize?, into plane: inout DecodedPlane) throws(ContainerError) -> Bool
    {
        guard let coded = try plainStream() else { return false }
        let eighths = eighths(.stored, atLeast: size)
        let (width, height) = (description.codedWidth, description.codedHeight)
        let size = PixelSize(width: (width * eighths + 7) / 8, height: (height * eighths + 7) / 8)
        return try plane.overwrite(size, limits, other: source.byteCount) {
            (pixels) throws(ContainerError) in
            try ImageDecoder(source, limits: limits).readJPEG(
                coded, width: width, height: height, eighths: eighths, into: &pixels)
        }
    }

    /// A quick view of the photo, upright, at `size` or more: the smallest preview in the file that is large enough and has
    /// the photo's shape, otherwise the photo as ``opaqueImage(frame:atLeast:)`` decodes it.
    func glance(atLeast size: PixelSize) throws(ContainerError) -> ColorImage {
        guard !isPair else { return try opaqueImage(atLeast: size) }
        let full = PixelSize(width: description.width, height: description.height)
        let isTurned = description.orientation.swapsAxes
        let wanted =
            isTurned ? (width: size.height, height: size.width) : (width: size.width, height: size.height)
        let fitting = container.previews().filter { preview in
            preview.width >= wanted.width && preview.height >= wanted.height
                && preview.orientation == description.orientation && preview.width < full.width
                && PixelSize(width: preview.width, height: preview.height).hasSameAspect(as: full)
        }
        if let preview = fitting.min(by: { $0.width < $1.width }), let image = try? image(of: preview) {
            return image
        }
        return try opaqueImage(atLeast: size)
    }

    /// One picture of a stereo pair, with its ICC profile.
    package func image(of view: CodedView, frame: PixelOrientation = .upright) throws(ContainerError)
        -> ColorImage
    {
        try image(of: view, frame: frame, eighths: 8)
    }

    private func image(
        of view: CodedView, frame: PixelOrientation, eighths: Int, keepsHDR: Bool = false
    ) throws(ContainerError) -> ColorImage {
        if let readError = view.readError { throw readError }
        var profile: [UInt8] = []
        for range in view.colorProfile {
            try limits.check(.metadataBytes, profile.count + range.count, at: range.lowerBound)
            profile += try source.read(range)
        }
        let coded = try container.codedImage(at: view.location)
        let image = try ImageDecoder(source, limits: limits, keepsHDR: keepsHDR)
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
}

extension AuxiliaryPlane {
    /// Gives codes without a unit distances: all codes of a declared range, or those from 1.
    fileprivate mutating func span(_ range: ClosedRange<Double>) {
        guard let known = self.mapping, !known.hasUnit else { return }
        let (least, most) = (Float(range.lowerBound), Float(range.upperBound))
        let ends = known.quantity == .depth ? (least, most) : (1 / most, 1 / least)
        let (isFalling, usesAll) = (known.low > known.high, known.isDeclared || known.usesAllCodes)
        var mapping = SampleMapping(
            known.quantity, codes: (usesAll ? known.lowCode : 1)...known.highCode,
            low: isFalling ? ends.1 : ends.0, high: isFalling ? ends.0 : ends.1)
        if !usesAll { mapping.knownCodes = 1...known.highCode }
        (self.mapping, self.accuracy) = (mapping, .absolute)
        self.blur?.focalDistance = nil
    }
}

extension PlaneDescription {
    /// Whether distances are along rays and the camera is known, so that they can be converted.
    var isMeasuredAlongRay: Bool { isAlongRay && calibration != nil }
}

/// The description of a scene that is made once.
final class KnownDescription: Sendable {
    private let known = Mutex<SceneDescription?>(nil)
    private let noted = Mutex<[Diagnostic]>([])

    /// Remarks on samples that were decoded.
    var notes: [Diagnostic] { noted.withLock(\.self) }

    /// Adds a remark once.
    func note(_ remark: Diagnostic) { noted.withLock { if !$0.contains(remark) { $0.append(remark) } } }

    /// The description that `make` returns, called the first time.
    func description(_ make: () -> SceneDescription) -> SceneDescription {
        known.withLock { known in
            if let known { return known }
            let description = make()
            known = description
            return description
        }
    }
}
