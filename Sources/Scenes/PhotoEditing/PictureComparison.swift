internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats
internal import Scenes
internal import Synchronization

/// Compares the pictures of a photo before and after an edit, which must be the same.
///
/// A picture whose decoder gets the same input has the same pixels and is not decoded: JPEG and HEIF photos. If the input
/// differs, or is not a stream of bytes (overlays), both photos are decoded at the same time.
struct PictureComparison {
    /// A parsed file, and its bytes.
    typealias File = (photo: DepthPhoto, bytes: [UInt8])

    let before: File
    let after: File

    /// Compares the photo and all planes except removed ones. Returns a warning if that was not possible.
    ///
    /// Throws ``PhotoEditingError/verification(_:)`` if something differs.
    func verify(without removed: Set<PlaneKind>) throws(PhotoEditingError) -> [Diagnostic] {
        try verifyPlanes(without: removed)
        let (old, new) = (before.photo.description, after.photo.description)
        guard old.crop == new.crop, profile(of: before) == profile(of: after) else {
            throw .verification("the photo's color profile or visible part has changed")
        }
        if let input = DecoderInput(old.location, in: before), input == DecoderInput(new.location, in: after)
        {
            return []
        }
        return try verifyPixels()
    }

    private func profile(of file: File) -> [ArraySlice<UInt8>] {
        file.photo.description.colorProfile.map { file.bytes[$0.clamped(to: 0..<file.bytes.count)] }
    }

    /// Inserted planes are beside old ones, so each old plane is searched among the planes of its kind.
    private func verifyPlanes(without removed: Set<PlaneKind>) throws(PhotoEditingError) {
        for kind in Set(before.photo.planes.map(\.kind)).subtracting(removed) {
            let found = after.photo.storedPlanes.filter { $0.kind == kind }
                .compactMap { DecoderInput($0.location, in: after) }
            for plane in before.photo.storedPlanes where plane.kind == kind && plane.readError == nil {
                guard let input = DecoderInput(plane.location, in: before) else { continue }
                guard found.contains(input) else {
                    throw .verification("the \(kind.rawValue) plane has changed")
                }
            }
        }
    }

    private func verifyPixels() throws(PhotoEditingError) -> [Diagnostic] {
        let images = Mutex<[Int: Result<ColorImage, ContainerError>]>([:])
        parallelFor(count: 2, minimum: 1) { numbers in
            for number in numbers {
                let photo = number == 0 ? before.photo : after.photo
                let image = Result { () throws(ContainerError) in try photo.opaqueImage(frame: .stored) }
                images.withLock { $0[number] = image }
            }
        }
        switch images.withLock({ ($0[0], $0[1]) }) {
        case (.success(let old), .success(let new)):
            guard old.pixels == new.pixels else { throw .verification("pixels of the photo have changed") }
            return []
        case (.success, .failure(let error)):
            throw .verification("the photo does not decode: \(error)")
        case (.failure(let error), _):
            return [
                .warning(
                    .uncheckedPicture,
                    "the photo cannot be decoded (\(error.message)), so its pixels were not compared with those before the edit"
                )
            ]
        case (nil, _), (_, nil): throw .verification("the photo was not decoded")
        }
    }
}

/// The input of an image's decoder: equal input gives equal samples.
private struct DecoderInput: Equatable {
    /// The arrangement of tiles, or the kind of image without tiles.
    private var layout: [Int] = []
    /// Each coded picture, without the offsets of its bytes.
    private var pictures: [CodedPicture] = []
    private var data: [[UInt8]] = []

    /// `nil` if an image is not a comparable stream of bytes.
    init?(_ location: ImageLocation, in file: PictureComparison.File) {
        guard let image = try? file.photo.container.codedImage(at: location) else { return nil }
        func append(_ picture: CodedPicture) {
            data.append(Self.bytes(picture.extents, file.bytes))
            var picture = picture
            picture.extents = []
            pictures.append(picture)
        }
        switch image {
        case .jpeg(.extents(let extents)): data = [Self.jpeg(extents, in: file)]
        case .png(.extents(let extents)): data = [Self.bytes(extents, file.bytes)]
        case .jpeg(.decoded(let bytes)), .png(.decoded(let bytes)): data = [bytes]
        case .raw(let samples):
            layout = [samples.width, samples.height, samples.orientation.rawValue]
            data = [Self.bytes([samples.range], file.bytes)]
        case .picture(let picture): append(picture)
        case .grid(let grid):
            layout = [grid.rows, grid.columns, grid.width, grid.height]
            for tile in grid.tiles { append(tile) }
        case .segments, .jpegXL, .overlay: return nil
        }
    }

    /// A stream without trailing bytes: the index of a photo may declare too many or too few bytes, which an edit corrects.
    private static func jpeg(_ extents: [Range<Int>], in file: PictureComparison.File) -> [UInt8] {
        let source = MemorySource(file.bytes)
        guard file.photo.format == .jpeg, let start = extents.first?.lowerBound else {
            return bytes(extents, file.bytes)
        }
        if start == 0, let layout = try? JPEGLayout(source, limits: DecodingLimits()) {
            return bytes(layout.decoded, file.bytes)
        }
        guard let end = try? JPEGLayout.endOfImage(at: start, in: source, limits: DecodingLimits()) else {
            return bytes(extents, file.bytes)
        }
        return bytes([start..<max(start, end)], file.bytes)
    }

    private static func bytes(_ extents: [Range<Int>], _ bytes: [UInt8]) -> [UInt8] {
        extents.flatMap { bytes[$0.clamped(to: 0..<bytes.count)] }
    }
}

extension JPEGLayout {
    /// The bytes that determine the samples: all except comments and application segments other than JFIF's and Adobe's,
    /// which describe the components (libjpeg.txt, "Special markers").
    fileprivate var decoded: [Range<Int>] {
        let read = segments.filter { segment in
            switch segment.marker {
            case 0xE1...0xED, 0xEF, 0xFE: false
            default: true
            }
        }
        return read.map(\.range) + [scan..<end]
    }
}

extension Diagnostic.Code {
    /// The photo could not be compared with its state before the edit.
    static let uncheckedPicture: Diagnostic.Code = "unchecked-picture"
}
