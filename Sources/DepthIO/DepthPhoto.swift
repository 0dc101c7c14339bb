public import ByteParsing
public import DepthCore
public import DepthModel
internal import ImageCodecs
public import ImageContainers

/// A photo with the planes that its camera stored beside it.
///
/// Opening one reads structure only. Each call that returns samples decodes what it returns and nothing else.
///
/// ```swift
/// let photo = try DepthPhoto(contentsOf: "portrait.heic")
/// let depth = try photo.depthMap()          // meters, upright
/// let matte = try photo.matte(.matte)       // nil when the file has none
/// ```
public struct DepthPhoto: Sendable {
    /// How samples leave the photo.
    public enum Frame: Sendable {
        /// Turned as the photo is meant to be seen, calibration included.
        case upright
        /// As stored.
        case stored
    }

    private let source: any ByteSource
    private let container: any PhotoContainer
    private let limits: DecodingLimits
    /// The picture that goes with a depth image; `nil` where the photo itself is the picture.
    private let picture: ColorSource?
    /// What was assumed.
    let remarks: [String]

    /// Opens a file and reads its structure.
    ///
    /// Throws ``ContainerError`` when the file cannot be read, is no image, or is broken beyond use.
    public init(contentsOf path: String, limits: DecodingLimits = DecodingLimits()) throws(ContainerError) {
        try self.init(FileSource(path: path), limits: limits)
    }

    /// Reads the structure of an image file in memory, or in any other place.
    public init(_ source: any ByteSource, limits: DecodingLimits = DecodingLimits()) throws(ContainerError) {
        self.source = source
        self.limits = limits
        self.container = try parseContainer(source, limits: limits)
        picture = nil
        remarks = []
    }

    /// A photo taken for a pair.
    init(_ photo: DepthPhoto, layout: PairLayout, quantity: DepthQuantity, picture: ColorSource?) {
        source = photo.source
        limits = photo.limits
        self.picture = picture
        container = PairContainer(photo.container, layout: layout, quantity: quantity)
        remarks = [
            quantity == .disparity
                ? "white is taken for near, without a unit; --quantity depth takes it for far"
                : "white is taken for far, without a unit; --quantity disparity takes it for near"
        ]
    }

    /// The name of the container's format: `jpeg`, `heif`, `avif`, `dng` or `jxl`.
    public var format: String { container.format }

    /// Size, orientation and camera of the photo itself.
    public var description: PhotoDescription { container.photo }

    /// Every auxiliary plane, in file order.
    public var planes: [AuxiliaryPlane] { container.planes }

    /// What is wrong in the file without keeping the rest from being read.
    public var findings: [ContainerError] { container.findings }

    /// The photo's own XMP, extended XMP included; empty when it has none.
    ///
    /// Read on demand: ``planes`` and `info` do without it. Throws when the packet is broken.
    public func xmp() throws(ContainerError) -> XMPProperties { try container.photoXMP() }

    /// The first plane of a kind, those of the photo itself before those of its thumbnails; `nil` when there is none.
    public func plane(_ kind: PlaneKind) -> AuxiliaryPlane? {
        planes.first { $0.kind == kind && $0.index == 0 }
    }

    /// The plane that ``depthMap(frame:)`` and ``disparityMap(frame:)`` read: the first that holds depth or disparity.
    ///
    /// Throws ``PlaneNotFound``, or what is wrong with the file when that may be why.
    public func depthPlane() throws -> AuxiliaryPlane {
        let candidates = planes.filter { $0.kind.isDepth }
        if let plane = candidates.first(where: { $0.belongsToPhoto && $0.defect == nil }) ?? candidates.first
        {
            return plane
        }
        throw absence(of: nil)
    }

    /// Why there is no plane of a kind (`nil`: neither depth nor disparity).
    public func absence(of kind: PlaneKind?) -> any Error {
        // A plane that could not even be described, or not be told apart, may be the wanted one.
        if let lost = container.lostPlane { return lost }
        if planes.contains(where: { $0.kind == .unknown }), let finding = findings.first { return finding }
        return PlaneNotFound(wanted: kind, available: planes.map(\.kind))
    }

    /// The photo's depth in meters, whichever of depth and disparity is stored.
    ///
    /// Throws ``PlaneNotFound`` when the file has neither, ``ContainerError`` when the plane cannot be read.
    public func depthMap(frame: Frame = .upright) throws -> DepthMap {
        let plane = try depthPlane()
        return DepthMap(
            try codes(of: plane, frame: frame), mapping: Self.mapping(of: plane), accuracy: plane.accuracy,
            calibration: plane.calibration(in: frame))
    }

    /// The photo's disparity in 1/meters, whichever of depth and disparity is stored.
    ///
    /// Throws as ``depthMap(frame:)`` does.
    public func disparityMap(frame: Frame = .upright) throws -> DisparityMap {
        let plane = try depthPlane()
        return DisparityMap(
            try codes(of: plane, frame: frame), mapping: Self.mapping(of: plane), accuracy: plane.accuracy,
            calibration: plane.calibration(in: frame))
    }

    /// A matte of the photo; `nil` when the file has none of that kind.
    ///
    /// Throws ``ContainerError`` when it is there and cannot be read.
    public func matte(_ kind: PlaneKind = .matte, frame: Frame = .upright) throws(ContainerError) -> Matte? {
        precondition(kind.isMatte, "\(kind) is no matte")
        guard let plane = plane(kind) else { return nil }
        return Matte(try codes(of: plane, frame: frame))
    }

    /// The samples of a plane as they are coded; luma, where a plane has color.
    public func codes(of plane: AuxiliaryPlane, frame: Frame = .upright) throws(ContainerError) -> CodePlane {
        let (coded, size) = try coded(plane)
        let codes = try ImageDecoder(source, limits: limits)
            .codes(
                of: coded, width: size.width, height: size.height, crop: plane.crop,
                expandsRange: plane.kind == .alpha || plane.codec == "av1")
        return frame == .upright ? codes.oriented(by: plane.orientation) : codes
    }

    /// The colors of a plane that has some (a gain map may); `nil` for one with a single channel.
    public func color(of plane: AuxiliaryPlane, frame: Frame = .upright) throws(ContainerError) -> ColorImage?
    {
        let (coded, size) = try coded(plane)
        guard coded.hasChroma || plane.components == 3 else { return nil }
        let image = try ImageDecoder(source, limits: limits)
            .color(of: coded, width: size.width, height: size.height, crop: plane.crop)
        return frame == .upright ? image.oriented(by: plane.orientation) : image
    }

    /// The photo itself, with its ICC profile.
    public func image(frame: Frame = .upright) throws(ContainerError) -> ColorImage {
        if let picture { return try picture.image(frame) }
        let photo = container.photo
        if let defect = photo.defect { throw defect }
        var profile: [UInt8] = []
        for range in photo.colorProfile {
            try limits.check(.metadataBytes, profile.count + range.count, at: range.lowerBound)
            profile += try source.read(range)
        }
        let coded = try container.codedImage(at: photo.location)
        let image = try ImageDecoder(source, limits: limits)
            .color(
                of: coded, width: photo.codedWidth, height: photo.codedHeight, crop: photo.crop,
                colorProfile: profile)
        return frame == .upright ? image.oriented(by: photo.orientation) : image
    }

    private func coded(_ plane: AuxiliaryPlane) throws(ContainerError) -> (
        CodedImage, (width: Int, height: Int)
    ) {
        if let defect = plane.defect { throw defect }
        return (try container.codedImage(at: plane.location), (plane.codedWidth, plane.codedHeight))
    }

    /// The mapping of a depth plane; every one has it.
    private static func mapping(of plane: AuxiliaryPlane) -> SampleMapping {
        plane.mapping
            ?? SampleMapping(
                undeclared: plane.kind == .depth ? .depth : .disparity, bitDepth: plane.bitDepth ?? 8)
    }
}

extension AuxiliaryPlane {
    /// The camera in a frame.
    func calibration(in frame: DepthPhoto.Frame) -> CameraCalibration? {
        frame == .upright ? calibration?.oriented(by: orientation) : calibration
    }
}
