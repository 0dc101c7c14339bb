internal import ByteParsing
internal import DepthModel
internal import Glibc

/// A HEIF or AVIF photo and its auxiliary planes (ISO/IEC 23008-12).
struct HEIFContainer: PhotoContainer {
    static let format = ContainerFormat(
        recognizes: { start in
            start.count >= 8 && start[4..<8].elementsEqual("ftyp".utf8)
        },
        parse: { (source, start, limits) throws(ContainerError) in
            try HEIFContainer(source, start: start, limits: limits)
        })

    let format: String
    private(set) var photo: PhotoDescription
    private(set) var planes: [AuxiliaryPlane] = []
    private(set) var trailers: [FileTrailer] = []
    private(set) var diagnostics: [Diagnostic]
    private(set) var unreadablePlane: ContainerError?
    private let file: HEIFFile
    /// The bytes of XMP read so far.
    private var xmpBytes = 0

    init(_ source: any ByteSource, start: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        file = try HEIFFile(source, start: start, limits: limits)
        let brand = file.brands.first(where: HEIFFile.imageBrands.contains)
        format = brand == "avif" || brand == "avis" || file.brands.contains("avif") ? "avif" : "heif"
        diagnostics = file.diagnostics
        photo = PhotoDescription(
            width: 0, height: 0, codedWidth: 0, codedHeight: 0, location: .heifItem(file.primaryItem))
        try describePhoto()
        describePlanes()
        describeStereo()
        describeSamsungTrailer()
        planes.number()
    }

    private mutating func describePhoto() throws(ContainerError) {
        let id = file.primaryItem
        let path = StructurePath("meta").appending("pitm")
        guard file.item(id) != nil else {
            throw ContainerError(.malformed(rule: "the primary item \(id) does not exist"), in: path)
        }
        let shape = try shape(ofItem: id)
        diagnostics += shape.diagnostics
        photo.width = shape.width
        photo.height = shape.height
        (photo.codedWidth, photo.codedHeight) = (shape.fullWidth, shape.fullHeight)
        photo.crop = shape.crop
        photo.orientation = shape.orientation ?? .up
        photo.colorProfile = shape.colorProfile.map { [$0] } ?? []
        photo.readError = shape.readError
        describeCamera()
    }

    private mutating func describeCamera() {
        do throws(ContainerError) {
            let block = try photoExif()
            guard !block.bytes.isEmpty else { return }
            let exif = try ExifInformation(
                parsing: block.bytes, at: block.offset, in: StructurePath("Exif"), limits: file.limits)
            (photo.make, photo.model, photo.focalLength35mm) = (exif.make, exif.model, exif.focalLength35mm)
        } catch {
            diagnostics.append(error)
        }
    }

    func photoExif() throws(ContainerError) -> MetadataBlock {
        let described = file.references.first { reference in
            reference.type == "cdsc" && reference.to.contains(file.primaryItem)
                && file.item(reference.from)?.type == "Exif"
        }
        guard let described else { return MetadataBlock() }
        let (bytes, offset) = try file.data(ofItem: described.from, limit: .metadataBytes)
        var cursor = ByteCursor(bytes.span, base: offset, path: StructurePath("Exif"))
        // The offset of the TIFF header, counted behind itself (ISO/IEC 23008-12 §A.2.1).
        let skip = try cursor.readUInt32()
        try cursor.skip(skip)
        return MetadataBlock(bytes: Array(bytes[cursor.position...]), offset: cursor.offset)
    }

    private mutating func describePlanes() {
        var seen: Set<Int> = []
        for reference in file.references
        where reference.type == "auxl" && seen.insert(reference.from).inserted {
            do throws(ContainerError) {
                try file.limits.check(.images, seen.count, in: StructurePath("meta").appending("iref"))
                guard let plane = try describePlane(reference) else { continue }
                planes.append(plane)
            } catch {
                diagnostics.append(error)
                unreadablePlane = unreadablePlane ?? error
                if case .limitExceeded(.images, _, _) = error.reason { break }
            }
        }
    }

    private mutating func describePlane(_ reference: ItemReference) throws(ContainerError) -> AuxiliaryPlane?
    {
        let id = reference.from
        let path = StructurePath("meta").appending("iref").appending("auxl")
        guard let item = file.item(id) else {
            throw ContainerError(
                .malformed(rule: "'auxl' is from item \(id), which does not exist"), in: path)
        }
        let shape = try shape(ofItem: id)
        diagnostics += shape.diagnostics
        guard let type = shape.auxiliaryType else {
            throw ContainerError(
                .malformed(rule: "auxiliary item \(id) has no type ('auxC')"),
                in: StructurePath("meta").appending("iprp"))
        }
        var plane = AuxiliaryPlane(
            kind: planeKind(ofAuxiliaryType: type), width: shape.width, height: shape.height,
            codedWidth: shape.fullWidth, codedHeight: shape.fullHeight, bitDepth: shape.bitDepth,
            codec: codec(of: item), source: "heif-auxiliary", type: type,
            location: .heifItem(id), crop: shape.crop, readError: shape.readError)
        plane.belongsToPhoto = reference.to.contains { target in
            target == file.primaryItem || file.item(target)?.type == "tmap"
        }
        plane.orientation = shape.orientation ?? photo.orientation
        let (metadata, offset) = appleMetadata(ofItem: id)
        if plane.kind == .depth {
            let quantity = metadata?.quantity ?? shape.depthRepresentation?.quantity ?? .depth
            plane.kind = quantity == .depth ? .depth : .disparity
        }
        plane.describe(
            metadata, representation: shape.depthRepresentation, at: offset, in: StructurePath("XMP"))
        if plane.kind.isDepth, plane.mapping?.isDeclared == false {
            diagnostics.append(
                .note(
                    .undeclaredRange,
                    "\(plane.kind.rawValue) item \(id) declares no range of values; codes are read as 0…1",
                    at: offset, in: offset == nil ? StructurePath("meta") : StructurePath("XMP")))
        }
        if let crop = shape.crop, let calibration = plane.calibration {
            plane.calibration = calibration.scaled(toWidth: shape.fullWidth, height: shape.fullHeight)
                .cropped(left: crop.left, top: crop.top, width: crop.width, height: crop.height)
        }
        warnOfAspect(plane, id)
        return plane
    }

    /// Warns when a depth plane cannot cover the same view as the photo.
    private mutating func warnOfAspect(_ plane: AuxiliaryPlane, _ id: Int) {
        guard plane.kind.isDepth, plane.belongsToPhoto, photo.height > 0, plane.height > 0 else { return }
        let upright = plane.orientation.size(width: plane.width, height: plane.height)
        let whole = photo.orientation.size(width: photo.width, height: photo.height)
        let size = PixelSize(width: upright.width, height: upright.height)
        guard !size.hasSameAspect(as: PixelSize(width: whole.width, height: whole.height)) else { return }
        diagnostics.append(
            .warning(
                .differentView,
                "\(plane.kind.rawValue) item \(id) is \(upright.width) × \(upright.height) upright, "
                    + "the photo \(whole.width) × \(whole.height): they do not show the same view",
                in: StructurePath("meta")))
    }

    /// What the XMP of an auxiliary item says, and where it stands.
    private mutating func appleMetadata(ofItem id: Int) -> (AppleAuxiliaryMetadata?, offset: Int?) {
        do throws(ContainerError) {
            guard let item = xmpItem(describing: id) else { return (nil, nil) }
            // The limit counts for all packets together: many items may share the same bytes.
            xmpBytes += try file.extents(ofItem: item).reduce(0) { $0 + $1.count }
            try file.limits.check(.xmpBytes, xmpBytes, in: StructurePath("XMP"))
            let (xmp, offset) = try xmp(inItem: item)
            let metadata = AppleAuxiliaryMetadata(
                xmp, limits: file.limits, at: offset, in: StructurePath("XMP"))
            diagnostics += metadata.diagnostics
            return (metadata, offset)
        } catch {
            diagnostics.append(error)
            return (nil, error.offset)
        }
    }

    /// The XMP item that describes an item; `nil` when there is none.
    private func xmpItem(describing id: Int) -> Int? {
        file.references.first { reference in
            guard reference.type == "cdsc", reference.to.contains(id), let item = file.item(reference.from)
            else {
                return false
            }
            return item.type == "mime" && item.contentType == "application/rdf+xml"
        }?.from
    }

    private func xmp(inItem item: Int) throws(ContainerError) -> (XMPProperties, offset: Int) {
        let (bytes, offset) = try file.data(ofItem: item, limit: .xmpBytes)
        let path = StructurePath("XMP")
        return (try XMPProperties(parsing: bytes, limits: file.limits, at: offset, in: path), offset)
    }

    func photoXMP() throws(ContainerError) -> XMPProperties {
        guard let item = xmpItem(describing: file.primaryItem) else { return XMPProperties() }
        return try xmp(inItem: item).0
    }

    func photoXMPPacket() throws(ContainerError) -> MetadataBlock {
        guard let item = xmpItem(describing: file.primaryItem) else { return MetadataBlock() }
        let (bytes, offset) = try file.data(ofItem: item, limit: .xmpBytes)
        return MetadataBlock(bytes: bytes, offset: offset)
    }

    private func codec(of item: ItemInformation) -> String {
        switch item.type {
        case "hvc1", "hev1": return "hevc"
        case "av01": return "av1"
        case "avc1": return "avc"
        case "jpeg": return "jpeg"
        case "grid", "iden":
            // The codec of the first input; inputs that are derived themselves keep their own name.
            guard let input = file.targets(of: "dimg", from: item.id).first.flatMap(file.item),
                input.type != "grid", input.type != "iden"
            else { return item.type.description }
            return codec(of: input)
        default: return item.type.description
        }
    }
}

extension HEIFContainer {
    /// The stereo pair (`ster`, ISO/IEC 23008-12 §6.8.5): the one that the photo belongs to, or else, as in photos that
    /// are spatial only by the side, the first of the file.
    private mutating func describeStereo() {
        let pairs = file.groups.filter { $0.type == "ster" && $0.entities.count >= 2 }
        guard let pair = pairs.first(where: { $0.entities.contains(file.primaryItem) }) ?? pairs.first else {
            return
        }
        do throws(ContainerError) {
            let (left, right) = (try stereoView(pair.entities[0]), try stereoView(pair.entities[1]))
            photo.stereo = StereoPair(left: left, right: right, source: "heif-stereo")
            if let camera = left.calibration {
                let half = Double(left.width) / 2 / camera.focalLengthX
                photo.stereo?.horizontalFieldOfView = 2 * atan(half) * 180 / .pi
            }
            if let a = left.calibration?.extrinsics?.translation,
                let b = right.calibration?.extrinsics?.translation
            {
                let squares = zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
                photo.stereo?.baseline = squares > 0 ? squares.squareRoot() : nil
            }
        } catch {
            diagnostics.append(error)
        }
    }

    private mutating func stereoView(_ id: Int) throws(ContainerError) -> StereoView {
        let shape = try shape(ofItem: id)
        if id != file.primaryItem { diagnostics += shape.diagnostics }
        var view = StereoView(
            location: .heifItem(id), codedWidth: shape.fullWidth, codedHeight: shape.fullHeight,
            crop: shape.crop)
        view.orientation = shape.orientation ?? .up
        view.colorProfile = shape.colorProfile.map { [$0] } ?? []
        view.readError = shape.readError
        view.calibration = shape.camera
        return view
    }

    /// Samsung's trailer stands in a box of its own.
    private mutating func describeSamsungTrailer() {
        guard let range = file.samsungTrailer else { return }
        do throws(ContainerError) {
            let trailer = try SamsungTrailer(
                file.source, mark: range.upperBound - 4, floor: range.lowerBound, limits: file.limits)
            let found = trailer.described(photo, file.source, file.limits)
            planes += found.planes
            trailers += found.trailers
            diagnostics += trailer.diagnostics + found.diagnostics
        } catch {
            diagnostics.append(error)
            unreadablePlane = unreadablePlane ?? error
        }
    }

    /// What properties say of an image item, put together.
    private struct Shape {
        /// The size after the clean aperture.
        var width, height: Int
        /// The size before it.
        var fullWidth, fullHeight: Int
        var crop: PixelCrop?
        var orientation: Orientation?
        var bitDepth: Int?
        var auxiliaryType: String?
        var depthRepresentation: DepthRepresentation?
        var colorProfile: Range<Int>?
        var camera: CameraCalibration?
        var diagnostics: [Diagnostic]
        var readError: ContainerError?
    }

    private func shape(ofItem id: Int) throws(ContainerError) -> Shape {
        let path = StructurePath("meta").appending("iprp")
        let properties = try file.properties(ofItem: id)
        var shape = Shape(
            width: 0, height: 0, fullWidth: 0, fullHeight: 0, orientation: properties.orientation,
            auxiliaryType: properties.auxiliaryType, depthRepresentation: properties.depthRepresentation,
            colorProfile: properties.colorProfile, diagnostics: properties.diagnostics)
        guard let size = properties.size else {
            throw ContainerError(.malformed(rule: "image item \(id) has no size ('ispe')"), in: path)
        }
        _ = try file.limits.pixelCount(
            width: size.width, height: size.height, in: path.appending("ispe"))
        (shape.width, shape.height) = size
        (shape.fullWidth, shape.fullHeight) = size
        if let aperture = properties.cleanAperture {
            if let crop = aperture.crop(width: size.width, height: size.height) {
                if (crop.width, crop.height) != size { shape.crop = crop }
                (shape.width, shape.height) = (crop.width, crop.height)
            } else {
                shape.readError = ContainerError(
                    .malformed(rule: "the clean aperture of item \(id) is outside the image"),
                    in: path.appending("clap"))
            }
        }
        shape.camera = properties.cameraIntrinsics?.calibration(
            width: size.width, height: size.height, position: properties.cameraPosition)
        if let crop = shape.crop {
            shape.camera = shape.camera?.cropped(
                left: crop.left, top: crop.top, width: crop.width, height: crop.height)
        }
        shape.bitDepth =
            bitDepthOfJPEG(inItem: id) ?? properties.bitDepths.first ?? properties.codedBitDepth
        if let bitDepth = shape.bitDepth, !(1...16).contains(bitDepth) {
            shape.bitDepth = nil
            shape.readError = ContainerError(
                .unsupported(feature: "an image of \(bitDepth) bits a sample (item \(id))"),
                in: path.appending("pixi"))
        }
        if let type = properties.unknownEssential {
            shape.readError = ContainerError(
                .unsupported(feature: "essential property '\(type)' of item \(id)"), in: path)
        }
        // An identity derivation has no data of its own.
        if file.item(id)?.type == "iden" { return shape }
        do {
            let extents = try file.extents(ofItem: id)
            for extent in extents { try file.source.check(extent, in: StructurePath("iloc")) }
            try file.limits.check(
                .codedBytes, extents.reduce(0) { $0 + $1.count }, at: extents.first?.lowerBound)
        } catch {
            shape.readError = shape.readError ?? error
        }
        return shape
    }

    /// Bits of a sample of a `jpeg` item, by its frame header: `pixi` may be missing, and only the header counts for the
    /// decoder. `nil` for other items, and where there is no such header: the decoder will say so.
    private func bitDepthOfJPEG(inItem id: Int) -> Int? {
        guard file.item(id)?.type == "jpeg", let extents = try? file.extents(ofItem: id),
            let first = extents.first
        else { return nil }
        var bytes = WindowedBytes(file.source)
        return try? JPEGHeader(&bytes, at: first.lowerBound, limits: file.limits).bitDepth
    }

    func codedImage(at location: ImageLocation) throws(ContainerError) -> CodedImage {
        switch location {
        case .jpegStream(let range): return .jpeg(.extents([range]))
        case .pngStream(let range): return .png(.extents([range]))
        case .rawSamples(let samples): return .raw(samples)
        case .heifItem(let id):
            return try codedImage(ofItem: id, derivedTo: [])
        default: throw ContainerError(.unsupported(feature: "this kind of image in a HEIF file"))
        }
    }

    /// `outer` are the images that are derived from this one.
    private func codedImage(ofItem id: Int, derivedTo outer: [Int]) throws(ContainerError) -> CodedImage {
        let path = StructurePath("meta").appending("iinf")
        guard !outer.contains(id) else {
            throw ContainerError(
                .malformed(rule: "image item \(id): derivation is circular"),
                in: path)
        }
        try file.limits.check(.nesting, outer.count + 1, in: path)
        guard let item = file.item(id) else {
            throw ContainerError(.malformed(rule: "image item \(id) does not exist"), in: path)
        }
        switch item.type {
        case "hvc1", "hev1", "av01":
            var configurations: [Range<Int>: HEVCConfiguration] = [:]
            return .picture(try picture(ofItem: id, isAV1: item.type == "av01", &configurations))
        case "jpeg": return .jpeg(.extents(try file.extents(ofItem: id)))
        case "grid": return .grid(try gridImage(ofItem: id))
        case "iden":
            let inputs = file.targets(of: "dimg", from: id)
            guard inputs.count == 1 else {
                throw ContainerError(
                    .malformed(rule: "identity item \(id) has \(inputs.count) inputs, not one"),
                    in: path)
            }
            return try codedImage(ofItem: inputs[0], derivedTo: outer + [id])
        default:
            throw ContainerError(
                .unsupported(feature: "an image item of type '\(item.type)' (item \(id))"), in: path)
        }
    }

    private func picture(
        ofItem id: Int, isAV1: Bool, _ configurations: inout [Range<Int>: HEVCConfiguration]
    ) throws(ContainerError) -> CodedPicture {
        let path = StructurePath("meta").appending("iprp")
        let properties = try file.properties(ofItem: id)
        guard let size = properties.size else {
            throw ContainerError(.malformed(rule: "image item \(id) has no size ('ispe')"), in: path)
        }
        _ = try file.limits.pixelCount(
            width: size.width, height: size.height, in: path.appending("ispe"))
        let configuration: PictureConfiguration
        if isAV1 {
            guard let found = properties.av1Configuration else {
                throw ContainerError(
                    .malformed(rule: "AV1 item \(id) has no decoder configuration ('av1C')"), in: path
                )
            }
            configuration = .av1(found)
        } else {
            guard let range = properties.hevcConfiguration else {
                throw ContainerError(
                    .malformed(rule: "HEVC item \(id) has no decoder configuration ('hvcC')"),
                    in: path)
            }
            // Tiles share one configuration: it is read once, and held once.
            let found: HEVCConfiguration
            if let known = configurations[range] {
                found = known
            } else {
                found = try file.hevcConfiguration(at: range)
                configurations[range] = found
            }
            configuration = .hevc(found)
        }
        let extents = try file.extents(ofItem: id)
        try file.limits.check(
            .codedBytes, extents.reduce(0) { $0 + $1.count }, at: extents.first?.lowerBound)
        return CodedPicture(
            configuration: configuration, extents: extents, width: size.width, height: size.height,
            color: properties.codedColor, itemID: id)
    }

    /// A grid's own data and its tiles (ISO/IEC 23008-12 §6.6.2.3); tiles are coded images, never derived ones.
    private func gridImage(ofItem id: Int) throws(ContainerError) -> GridImage {
        let path = StructurePath("grid")
        let (bytes, offset) = try file.data(ofItem: id, limit: .metadataBytes)
        var cursor = ByteCursor(bytes.span, base: offset, path: path)
        guard try cursor.readByte() == 0 else {
            throw cursor.failure(.unsupported(feature: "this version of grid"))
        }
        let sizeBytes = try cursor.readByte() & 1 == 1 ? 4 : 2
        let (rows, columns) = (Int(try cursor.readByte()) + 1, Int(try cursor.readByte()) + 1)
        let width = try cursor.readUnsigned(byteCount: sizeBytes)
        let height = try cursor.readUnsigned(byteCount: sizeBytes)
        _ = try file.limits.pixelCount(width: width, height: height, at: offset, in: path)
        try file.limits.check(.tiles, rows * columns, at: offset, in: path)
        let inputs = file.targets(of: "dimg", from: id)
        guard inputs.count == rows * columns else {
            throw ContainerError(
                .malformed(rule: "grid item \(id) of \(rows) × \(columns) tiles refers to \(inputs.count)"),
                at: offset, in: path)
        }
        var tiles: [CodedPicture] = []
        var configurations: [Range<Int>: HEVCConfiguration] = [:]
        tiles.reserveCapacity(inputs.count)
        // A tile may be there many times; what is known of it need not be read again.
        var known: [Int: CodedPicture] = [:]
        for input in inputs {
            if let tile = known[input] {
                tiles.append(tile)
                continue
            }
            guard let type = file.item(input)?.type, ["hvc1", "hev1", "av01"].contains(type) else {
                let found = file.item(input).map { "of type '\($0.type)'" } ?? "missing"
                throw ContainerError(
                    .unsupported(feature: "a grid tile that is \(found) (item \(input))"), at: offset,
                    in: path)
            }
            let tile = try picture(ofItem: input, isAV1: type == "av01", &configurations)
            known[input] = tile
            tiles.append(tile)
        }
        for tile in tiles where (tile.width, tile.height) != (tiles[0].width, tiles[0].height) {
            throw ContainerError(
                .malformed(rule: "the tiles of grid item \(id) differ in size"), at: offset, in: path)
        }
        for tile in tiles where !tile.configuration.hasSameFormat(as: tiles[0].configuration) {
            throw ContainerError(
                .malformed(rule: "the tiles of grid item \(id) differ in bit depth or chroma format"),
                at: offset, in: path)
        }
        guard tiles[0].width * columns >= width, tiles[0].height * rows >= height else {
            throw ContainerError(
                .malformed(
                    rule: "\(columns) × \(rows) tiles of \(tiles[0].width) × \(tiles[0].height) do not cover "
                        + "\(width) × \(height)"),
                at: offset, in: path)
        }
        return GridImage(rows: rows, columns: columns, width: width, height: height, tiles: tiles)
    }
}

extension [AuxiliaryPlane] {
    /// Numbers the planes of each kind, those of the photo itself first.
    mutating func number() {
        var counts: [PlaneKind: Int] = [:]
        for own in [true, false] {
            for index in indices where self[index].belongsToPhoto == own {
                self[index].index = counts[self[index].kind, default: 0]
                counts[self[index].kind, default: 0] += 1
            }
        }
    }
}
