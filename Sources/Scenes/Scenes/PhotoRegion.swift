internal import DepthTypes
internal import PhotoFormats

/// A part of a photo that its camera marked (Metadata Working Group, `mwg-rs`), in fractions of the upright photo: x to the
/// right and y down from its top left corner, 0…1.
package struct PhotoRegion: Hashable, Sendable {
    /// What the region shows.
    package enum Kind: String, Hashable, Sendable {
        case face = "Face"
        /// The area that the camera focused on.
        case focus = "Focus"
    }

    /// What the region shows.
    package var kind: Kind
    /// The center, as a fraction of the width from the left.
    package var x: Double
    /// The center, as a fraction of the height from the top.
    package var y: Double
    package var width: Double
    package var height: Double

    /// A region; lengths are fractions of the upright photo.
    package init(kind: Kind, x: Double, y: Double, width: Double, height: Double) {
        self.kind = kind
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The region of the photo turned by an orientation.
    func oriented(by orientation: Orientation) -> PhotoRegion {
        let middle = orientation.point(x, y, width: 1, height: 1)
        let size = orientation.swapsAxes ? (height, width) : (width, height)
        return PhotoRegion(kind: kind, x: middle.x, y: middle.y, width: size.0, height: size.1)
    }
}

extension DepthPhoto {
    /// Faces and the point of focus that the camera marked, in file order; empty if the XMP is broken or lists none.
    package func regions() -> [PhotoRegion] {
        guard let xmp = try? xmp() else { return [] }
        return PhotoRegion.regions(in: xmp, of: description)
    }
}

extension PhotoRegion {
    private static let namespace = "http://www.metadataworkinggroup.com/schemas/regions/"
    private static let area = "http://ns.adobe.com/xmp/sType/Area#"
    private static let dimensions = "http://ns.adobe.com/xap/1.0/sType/Dimensions#"

    /// Areas are centers and sizes in the frame of `AppliedToDimensions`: in all files that we have seen, this is the
    /// frame of the stored pixels.
    static func regions(in xmp: XMPProperties, of photo: PhotoDescription) -> [PhotoRegion] {
        guard case .structure(let regions)? = xmp[namespace, "Regions"] else { return [] }
        let isUpright = countsUprightPixels(regions, photo)
        guard let cut = cut(regions, photo, isUpright: isUpright) else { return [] }
        return (regions[namespace, "RegionList"]?.items ?? []).compactMap { item in
            guard case .structure(let fields) = item, let region = PhotoRegion(fields)?.moved(out: cut) else {
                return nil
            }
            return isUpright ? region : region.oriented(by: photo.orientation)
        }
    }

    /// The frame that the regions refer to, in the photo; `nil` if it was turned.
    private static func cut(
        _ regions: XMPProperties, _ photo: PhotoDescription, isUpright: Bool
    ) -> CutFrame? {
        let stored = PixelSize(width: photo.width, height: photo.height)
        let frame = frame(of: regions) ?? stored
        let upright = photo.orientation.size(width: photo.width, height: photo.height)
        return CutFrame(
            frame, around: isUpright ? PixelSize(width: upright.width, height: upright.height) : stored)
    }

    /// The region in a photo that was cut from its frame; `nil` if its center was cut off.
    private func moved(out cut: CutFrame) -> PhotoRegion? {
        let (center, size) = (cut.photoFraction(of: [x, y]), cut.photoSize(of: [width, height]))
        guard (0...1).contains(center.x), (0...1).contains(center.y) else { return nil }
        return PhotoRegion(kind: kind, x: center.x, y: center.y, width: size.x, height: size.y)
    }

    private init?(_ fields: XMPProperties) {
        guard let kind = fields[Self.namespace, "Type"]?.text.flatMap(Kind.init),
            case .structure(let area)? = fields[Self.namespace, "Area"],
            area[Self.area, "unit"]?.text ?? "normalized" == "normalized"
        else { return nil }
        let numbers = ["x", "y", "w", "h"].compactMap { Self.number($0, in: area, Self.area) }
        guard numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }) else { return nil }
        self.init(kind: kind, x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// Whether the frame has the shape of the upright photo and not of the stored one, because a program turned the pixels.
    private static func countsUprightPixels(_ regions: XMPProperties, _ photo: PhotoDescription) -> Bool {
        guard photo.orientation.swapsAxes, let frame = frame(of: regions) else { return false }
        return (frame.width < frame.height) != (photo.width < photo.height)
    }

    /// The size that the regions refer to; `nil` if missing.
    private static func frame(of regions: XMPProperties) -> PixelSize? {
        guard case .structure(let size)? = regions[namespace, "AppliedToDimensions"],
            let width = number("w", in: size, dimensions).flatMap({ Int(exactly: $0.rounded()) }),
            let height = number("h", in: size, dimensions).flatMap({ Int(exactly: $0.rounded()) })
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    private static func number(_ name: String, in fields: XMPProperties, _ namespace: String) -> Double? {
        fields[namespace, name]?.text.flatMap(Double.init)
    }
}
