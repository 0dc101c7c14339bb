public import DepthTypes

/// Why depth cannot be inserted into a photo, although both can be read.
public enum PhotoEditingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The photo has such a plane, which is not to be replaced.
    case exists(PlaneKind)
    /// The photo's format cannot carry depth in this form.
    case unsuitableFormat(String, DepthForm)
    /// The photo itself would have to be coded as HEVC, which is not supported.
    case notHEVC(String)
    /// The map does not show the same view as the photo.
    case differentView(photo: PixelSize, map: PixelSize)
    /// A plane is stored in a way that cannot be changed; `source` names it.
    case cannotRemove(PlaneKind, source: String)
    /// The form does not hold planes of this kind.
    case noPlace(PlaneKind, DepthForm)
    /// A part of the file is too small for the addition.
    case noRoom(String)
    /// The map has no unit, and readers would assume meters: only photos of Lens Blur may have a range without a unit.
    case takenForMeters
    /// The file has tracks, such as a sequence of pictures, whose samples an edit would move.
    case hasTracks
    /// The data of an item (its number) overlaps the `meta` box, which lists the items and is rewritten.
    case overlapsItems(Int)
    /// The directory of files after the photo has a form that cannot be edited.
    case unusableDirectory
    /// The directory of files after the photo lists more bytes than there are.
    case brokenDirectory
    /// The result does not read back correctly, and is discarded.
    case verification(String)

    /// What is wrong.
    public var description: String {
        switch self {
        case .exists(let kind): "the photo has a \(kind.rawValue) plane already"
        case .unsuitableFormat(let format, let form):
            "a \(format) photo cannot carry depth as \(form.rawValue)"
        case .notHEVC(let format):
            "a \(format) photo cannot become HEIC: its picture would have to be coded as HEVC, and only planes are"
        case .differentView(let photo, let map):
            "the photo is \(photo) and the map \(map): they do not show the same view"
                + ((photo.width > photo.height) == (map.width > map.height) ? "" : "; is one of them turned?")
        case .cannotRemove(let kind, let source):
            "the photo's \(kind.rawValue) plane is kept as '\(source)', which cannot be changed"
        case .noPlace(let kind, let form): "\(form.rawValue) has no place for a \(kind.rawValue) plane"
        case .noRoom(let what): "\(what) has no room for the addition"
        case .takenForMeters:
            "the map has no unit, and readers would take GDepth's range for meters unless the photo is of Lens Blur"
        case .hasTracks:
            "the file has tracks beside the photo ('moov'), whose samples an edit would move"
        case .overlapsItems(let item):
            "the data of item \(item) overlaps the list of items ('meta'), which an edit writes again; "
                + "save the photo with another program first"
        case .unusableDirectory:
            "the directory in the photo's XMP has a form that cannot be extended"
        case .brokenDirectory:
            "the directory in the photo's XMP names files behind the photo that are missing"
        case .verification(let detail): "the result does not read back: \(detail)"
        }
    }
}
