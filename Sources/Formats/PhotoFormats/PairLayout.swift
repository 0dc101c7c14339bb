package import Bytes
package import DepthTypes

/// Which part of a picture holds the depth of the other part, for photo and depth side by side.
package enum PairLayout: String, CaseIterable, Hashable, Sendable {
    /// The right half is the depth of the left half.
    case right
    /// The left half is the depth of the right half.
    case left
    /// The lower half is the depth of the upper half.
    case below
    /// The upper half is the depth of the lower half.
    case above
    /// All of it is depth; the photo is another file.
    case whole
}

extension PairLayout {
    /// The part of a picture that is the photo, and the part that is its depth.
    func parts(width: Int, height: Int) -> (photo: PixelCrop, depth: PixelCrop) {
        let (half, rest) = (width / 2, height / 2)
        let whole = PixelCrop(left: 0, top: 0, width: width, height: height)
        let first = PixelCrop(left: 0, top: 0, width: half, height: height)
        let second = PixelCrop(left: width - half, top: 0, width: half, height: height)
        let upper = PixelCrop(left: 0, top: 0, width: width, height: rest)
        let lower = PixelCrop(left: 0, top: height - rest, width: width, height: rest)
        switch self {
        case .right: return (first, second)
        case .left: return (second, first)
        case .below: return (upper, lower)
        case .above: return (lower, upper)
        case .whole: return (whole, whole)
        }
    }
}

/// A picture that is or contains a depth map, as the caller declares, because the file does not.
package struct DeclaredDepthContainer: PhotoContainer {
    /// The format of the picture.
    package var format: ContainerKind { whole.format }
    /// The part that is the photo.
    package let photo: PhotoDescription
    /// The part that is the depth.
    package let planes: [AuxiliaryPlane]
    /// Problems of the picture, and assumptions.
    package var diagnostics: [Diagnostic] { whole.diagnostics }
    /// Uninterpreted data in or after the picture's file.
    package var trailers: [FileTrailer] { whole.trailers }
    /// Why a plane of the picture could not be described.
    package var unreadablePlane: ContainerError? { whole.unreadablePlane }
    private let whole: any PhotoContainer

    /// Splits a picture. `layout` applies to the picture as stored. Its shades are linear in `quantity`, white being the
    /// largest, and have no unit. An odd size leaves one line in the middle unused.
    package init(_ whole: any PhotoContainer, layout: PairLayout, quantity: DepthQuantity) {
        self.whole = whole
        var photo = whole.photo
        let parts = layout.parts(width: photo.width, height: photo.height)
        let origin = photo.crop ?? PixelCrop(left: 0, top: 0, width: 0, height: 0)
        func placed(_ part: PixelCrop) -> PixelCrop? {
            guard layout != .whole || photo.crop != nil else { return nil }
            return PixelCrop(
                left: part.left + origin.left, top: part.top + origin.top, width: part.width,
                height: part.height)
        }
        var plane = AuxiliaryPlane(
            kind: quantity == .depth ? .depth : .disparity, width: parts.depth.width,
            height: parts.depth.height, codedWidth: photo.codedWidth, codedHeight: photo.codedHeight,
            bitDepth: nil, codec: whole.format.rawValue,
            carrier: layout == .whole ? .depthImage : .sideBySide,
            type: layout.rawValue, orientation: photo.orientation, location: photo.location,
            crop: placed(parts.depth),
            readError: photo.readError ?? Self.withoutHalves(parts.depth, of: photo))
        plane.mapping = SampleMapping(undeclared: quantity, bitDepth: 8)
        planes = [plane]
        photo.readError = plane.readError
        photo.crop = placed(parts.photo)
        (photo.width, photo.height) = (parts.photo.width, parts.photo.height)
        self.photo = photo
    }

    private static func withoutHalves(_ part: PixelCrop, of photo: PhotoDescription) -> ContainerError? {
        guard part.width == 0 || part.height == 0 else { return nil }
        return ContainerError(
            .malformed(
                rule:
                    "a picture of \(photo.width) × \(photo.height) has no halves side by side or one above the other"
            ))
    }

    /// The complete picture; its parts are crops of it.
    package func codedImage(at location: ImageLocation) throws(ContainerError) -> CodedImage {
        try whole.codedImage(at: location)
    }

    /// The picture's XMP.
    package func photoXMP() throws(ContainerError) -> XMPProperties { try whole.photoXMP() }

    /// The picture's Exif block.
    package func photoExif() throws(ContainerError) -> MetadataBlock { try whole.photoExif() }

    /// The picture's XMP packet.
    package func photoXMPPacket() throws(ContainerError) -> MetadataBlock { try whole.photoXMPPacket() }
}
