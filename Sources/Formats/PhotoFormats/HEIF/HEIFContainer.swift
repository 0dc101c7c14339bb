internal import Bytes
internal import DepthTypes

/// A HEIF or AVIF photo and its auxiliary planes (ISO/IEC 23008-12).
struct HEIFContainer: ParsedContainer, VendorDiscoveryTarget {
    static func recognizes(_ start: [UInt8], of source: any ByteSource) -> Bool {
        start.count >= 8 && start[4..<8].elementsEqual("ftyp".utf8)
    }

    let format: ContainerKind
    var photo: PhotoDescription
    var planes: [AuxiliaryPlane] = []
    var trailers: [FileTrailer] = []
    var diagnostics: [Diagnostic]
    var unreadablePlane: ContainerError?
    let file: HEIFFile
    /// The bytes of XMP read so far.
    var xmpBytes = 0

    init(_ source: any ByteSource, start: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        file = try HEIFFile(source, start: start, limits: limits)
        let brand = file.brands.first(where: HEIFFile.imageBrands.contains)
        format = brand == "avif" || brand == "avis" || file.brands.contains("avif") ? .avif : .heif
        diagnostics = file.diagnostics
        photo = PhotoDescription(
            width: 0, height: 0, codedWidth: 0, codedHeight: 0, location: .heifItem(file.primaryItem))
        try describePhoto()
        describePlanes()
        describeToneMap()
        describeStereo()
        describeSamsungTrailer()
        describeDoubts()
        planes.number()
    }

    /// Resolves items of the file to sizes and coded bytes.
    var images: ImageResolver { ImageResolver(file: file) }

    private mutating func describePhoto() throws(ContainerError) {
        let id = file.primaryItem
        let path = StructurePath("meta").appending("pitm")
        guard file.item(id) != nil else {
            throw ContainerError(.malformed(rule: "the primary item \(id) does not exist"), in: path)
        }
        let shape = try images.shape(ofItem: id)
        diagnostics += shape.diagnostics
        photo.width = shape.width
        photo.height = shape.height
        (photo.codedWidth, photo.codedHeight) = (shape.codedWidth, shape.codedHeight)
        photo.crop = shape.crop
        photo.orientation = shape.orientation ?? .up
        photo.colorProfile = shape.colorProfile.map { [$0] } ?? []
        if shape.colorProfile == nil, let loss = shape.codedColor?.lossInStandardRange {
            diagnostics.append(.note(.lostHDR, loss, in: StructurePath("meta").appending("colr")))
        }
        photo.readError = shape.readError
        describeCamera(isTurned: shape.orientation != nil)
    }

    /// Reads Samsung's trailer, which is in a separate box.
    private mutating func describeSamsungTrailer() {
        guard let range = file.samsungTrailer else { return }
        do throws(ContainerError) {
            let trailer = try SamsungTrailer(
                file.source, mark: range.upperBound - 4, floor: range.lowerBound, limits: file.limits)
            merge(trailer.discovery(photo, file.source, file.limits))
        } catch {
            diagnostics.append(error)
            unreadablePlane = unreadablePlane ?? error
        }
    }

    func codedImage(at location: ImageLocation) throws(ContainerError) -> CodedImage {
        switch location {
        case .jpegStream(let range): return .jpeg(.extents([range]))
        case .pngStream(let range): return .png(.extents([range]))
        case .rawSamples(let samples): return .raw(samples)
        case .heifItem(let id): return try images.codedImage(ofItem: id)
        default: throw ContainerError(.unsupported(feature: "this kind of image in a HEIF file"))
        }
    }
}
