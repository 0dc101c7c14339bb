internal import ByteParsing
internal import DepthModel

/// A JPEG photo with the images behind it, as Apple's cameras write them: found by MPF (CIPA DC-007), told apart by
/// their own XMP and by nothing else.
struct JPEGContainer: PhotoContainer {
    static let format = ContainerFormat(
        recognizes: { start in start.starts(with: [0xFF, 0xD8, 0xFF]) },
        parse: { (source, start, limits) throws(ContainerError) in
            try JPEGContainer(source, start: start, limits: limits)
        })

    let format = "jpeg"
    /// Readers of makers' planes may add to it: the second view of a stereo pair, say.
    var photo: PhotoDescription
    private(set) var planes: [AuxiliaryPlane] = []
    private(set) var trailers: [FileTrailer] = []
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var unreadablePlane: ContainerError?
    let source: any ByteSource
    let limits: DecodingLimits
    let header: JPEGHeader

    init(_ source: any ByteSource, start: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        self.source = source
        self.limits = limits
        var bytes = WindowedBytes(source, window: start)
        let header = try JPEGHeader(&bytes, at: 0, limits: limits)
        self.header = header
        photo = PhotoDescription(
            width: header.width, height: header.height, codedWidth: header.width, codedHeight: header.height,
            location: .jpegStream(0..<source.byteCount))
        photo.colorProfile = header.colorProfile.sorted { $0.number < $1.number }.map(\.range)
        describeCamera(header, bytes)
        if let block = header.multiPicture {
            do {
                let index = try MultiPictureIndex(
                    parsing: try bytes.read(block), at: block.lowerBound, limits: limits)
                try describePlanes(index, header)
            } catch {
                diagnostics.append(error)
                unreadablePlane = error
            }
        }
        var file = JPEGFile(source: source, limits: limits, header: header)
        for maker in jpegPlaneSources {
            do throws(ContainerError) {
                try maker.look(&file, &self)
            } catch {
                add(lost: error)
            }
        }
        // Last: an earlier one may say why a plane is missing, and these bytes never do.
        if let stray = header.strayBytes { diagnostics.append(stray.error) }
        planes.number()
    }

    /// Adds a plane that a maker's reader found; it turns as the photo does.
    mutating func add(_ plane: AuxiliaryPlane) {
        planes.append(plane)
    }

    /// Adds what a maker's reader found and did not interpret.
    mutating func add(_ trailer: FileTrailer) {
        trailers.append(trailer)
    }

    /// Adds a plane that is a JPEG stream behind the photo, in place of what the multi-picture index made of the same
    /// image; that the photo ends before it is noted, too.
    mutating func add(_ plane: AuxiliaryPlane, behindPhotoAt place: Int) {
        if let known = planes.firstIndex(where: { $0.location.start == place }) {
            planes[known] = plane
        } else {
            planes.append(plane)
        }
        if let end = photo.location.end, place < end { photo.location = .jpegStream(0..<place) }
    }

    /// Names what put a plane behind the photo, if one is known there.
    mutating func nameSource(_ source: String, ofPlaneAt place: Int) -> Bool {
        guard let known = planes.firstIndex(where: { $0.location.start == place && $0.kind == .gainMap })
        else {
            return false
        }
        planes[known].source = source
        return true
    }

    /// Notes why a plane that the file announces could not be described.
    mutating func add(lost error: ContainerError) {
        let warning = Diagnostic(error)
        if !diagnostics.contains(warning) { diagnostics.append(warning) }
        unreadablePlane = unreadablePlane ?? error
    }

    /// Warns of an error that does not keep the rest from being read.
    mutating func add(_ error: ContainerError) {
        add(Diagnostic(error))
    }

    /// Adds what is wrong without keeping the rest from being read, or what was assumed.
    mutating func add(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
    }

    func codedImage(at location: ImageLocation) throws(ContainerError) -> CodedImage {
        switch location {
        case .jpegStream(let range):
            try limits.check(.codedBytes, range.count, at: range.lowerBound)
            return .jpeg(.extents([range]))
        case .pngStream(let range):
            try limits.check(.codedBytes, range.count, at: range.lowerBound)
            return .png(.extents([range]))
        case .rawSamples(let samples): return .raw(samples)
        case .xmpPayload(let path):
            var file = JPEGFile(source: source, limits: limits, header: header)
            return try file.embeddedImage(at: path)
        default:
            throw ContainerError(.malformed(rule: "a JPEG file has no items"))
        }
    }

    func photoXMP() throws(ContainerError) -> XMPProperties {
        var file = JPEGFile(source: source, limits: limits, header: header)
        return try file.xmp()
    }

    func photoExif() throws(ContainerError) -> MetadataBlock {
        guard let range = header.exif else { return MetadataBlock() }
        return MetadataBlock(bytes: try source.read(range), offset: range.lowerBound)
    }

    func photoXMPPacket() throws(ContainerError) -> MetadataBlock {
        guard let range = header.xmp else { return MetadataBlock() }
        return MetadataBlock(bytes: try source.read(range), offset: range.lowerBound)
    }

    private mutating func describeCamera(_ header: JPEGHeader, _ bytes: WindowedBytes) {
        guard let range = header.exif else { return }
        do throws(ContainerError) {
            let exif = try ExifInformation(
                parsing: try bytes.read(range), at: range.lowerBound, in: StructurePath("Exif"),
                limits: limits)
            (photo.make, photo.model, photo.focalLength35mm) = (exif.make, exif.model, exif.focalLength35mm)
            if let value = exif.orientation, value != 0 {  // 0 is how some writers say unknown
                if let orientation = Orientation(rawValue: value) {
                    photo.orientation = orientation
                } else {
                    diagnostics.append(
                        .warning(
                            .invalidOrientation,
                            "orientation \(value) is not one of 1 to 8; the photo is taken as upright",
                            at: range.lowerBound, in: StructurePath("Exif")))
                }
            }
        } catch {
            diagnostics.append(error)
        }
    }

    /// Goes to every image that the index names. Where an offset lands on none, the images are looked for back to
    /// back from the end of the photo: indexes go stale when a file is edited. What the index says of those that moved
    /// holds for the images found in their stead, in file order, where there are as many.
    private mutating func describePlanes(
        _ index: MultiPictureIndex, _ primary: JPEGHeader
    ) throws(ContainerError) {
        var starts: [Int: MultiPictureIndex.Entry] = [:]
        var moved: [MultiPictureIndex.Entry] = []
        for entry in index.entries.dropFirst() {
            if isImage(at: entry.offset) {
                starts[entry.offset] = entry
            } else {
                moved.append(entry)
                let rule =
                    entry.offset < source.byteCount
                    ? "the index (MPF) names an image here, but there is none"
                    : "the index (MPF) names an image here, past the end of the file"
                diagnostics.append(
                    ContainerError(.malformed(rule: rule), at: entry.offset, in: StructurePath("MPF")))
            }
        }
        if !moved.isEmpty {
            let found = try imagesBehind(primary).filter { starts[$0] == nil }
            moved.sort { $0.offset < $1.offset }
            for (number, place) in found.enumerated() {
                let isKnown = found.count == moved.count
                starts[place] = MultiPictureIndex.Entry(
                    attributes: isKnown ? moved[number].attributes : 0,
                    size: isKnown ? moved[number].size : 0, offset: place)
            }
        }
        // Every image that the index announces was found somewhere, or one is lost.
        if starts.count < Set(index.entries.dropFirst().map(\.offset)).count {
            unreadablePlane = diagnostics.last?.error
        }
        let ordered = starts.values.sorted { $0.offset < $1.offset }
        if let first = ordered.first { photo.location = .jpegStream(0..<first.offset) }
        let ends = ordered.dropFirst().map(\.offset) + [source.byteCount]
        let second = describeStereo(index, zip(ordered, ends))
        for (entry, next) in zip(ordered, ends) where entry.offset != second {
            do {
                if let plane = try describePlane(entry, limit: next) { planes.append(plane) }
            } catch {
                diagnostics.append(error)
                unreadablePlane = unreadablePlane ?? error
            }
        }
    }

    private func isImage(at offset: Int) -> Bool {
        (try? source.read(offset..<offset + 3)) == [0xFF, 0xD8, 0xFF]
    }

    private func imagesBehind(_ primary: JPEGHeader) throws(ContainerError) -> [Int] {
        var wide = WindowedBytes(source, size: 1 << 18)
        var images: [Int] = []
        var end = try wide.endOfImage(afterScan: primary.scan)
        while let place = end, let next = try wide.nextImage(from: place) {
            try limits.check(.images, images.count + 1, at: next)
            do throws(ContainerError) {
                let header = try JPEGHeader(&wide, at: next, limits: limits)
                images.append(next)
                end = try wide.endOfImage(afterScan: header.scan)
            } catch {
                // No image after all. What was walked over is not walked over again.
                end = max(next + 3, error.offset ?? 0)
            }
        }
        return images
    }

    private mutating func describePlane(
        _ entry: MultiPictureIndex.Entry, limit: Int
    ) throws(ContainerError) -> AuxiliaryPlane? {
        var bytes = WindowedBytes(source)
        let header = try JPEGHeader(&bytes, at: entry.offset, limits: limits)
        if let stray = header.strayBytes { diagnostics.append(stray.error) }
        let path = StructurePath("XMP")
        var metadata: AppleAuxiliaryMetadata?
        if let range = header.xmp {
            do {
                let xmp = try XMPProperties(
                    parsing: try bytes.read(range), limits: limits, at: range.lowerBound, in: path)
                metadata = AppleAuxiliaryMetadata(xmp, limits: limits, at: range.lowerBound, in: path)
                diagnostics += metadata?.diagnostics ?? []
            } catch {
                diagnostics.append(error)
            }
        }
        let (kind, type) = Self.classify(metadata, entry)
        var plane = AuxiliaryPlane(
            kind: kind, width: header.width, height: header.height, codedWidth: header.width,
            codedHeight: header.height, bitDepth: header.bitDepth, components: header.components,
            codec: "jpeg",
            source: metadata?.type == nil ? "mpf" : "apple-mpf", type: type, orientation: photo.orientation,
            location: .jpegStream(entry.offset..<end(of: entry, limit: limit)))
        let place = header.xmp?.lowerBound ?? entry.offset
        plane.describe(metadata, representation: nil, at: place, in: path)
        if kind.isDepth, plane.mapping?.isDeclared == false {
            diagnostics.append(
                .note(
                    .undeclaredRange,
                    "the \(kind.rawValue) plane declares no range of values; codes are read as 0…1",
                    at: place, in: path))
        }
        return plane
    }

    /// Where an image's bytes end: at the size in the index if an end-of-image marker stands there, else at the next
    /// image or the end of the file.
    func end(of entry: MultiPictureIndex.Entry, limit: Int) -> Int {
        let claimed = entry.offset + entry.size
        guard entry.size > 4, claimed < limit, (try? source.read(claimed - 2..<claimed)) == [0xFF, 0xD9]
        else {
            return limit
        }
        return claimed
    }

    /// What an image is, by its own XMP: the portrait matte first, whose type says `depth`.
    private static func classify(
        _ metadata: AppleAuxiliaryMetadata?, _ entry: MultiPictureIndex.Entry
    ) -> (PlaneKind, type: String) {
        let raw = metadata?.type ?? "mpf:0x" + hexadecimal(entry.attributes)
        guard let metadata else { return (.unknown, raw) }
        if metadata.subtype == "portraiteffectsmatte" || metadata.hasPortraitMatte {
            return (.matte, metadata.subtype ?? raw)
        }
        if let type = metadata.type, planeKind(ofAuxiliaryType: type) != .unknown {
            let kind = planeKind(ofAuxiliaryType: type)
            return (kind == .depth && metadata.quantity == .disparity ? .disparity : kind, raw)
        }
        if let quantity = metadata.quantity { return (quantity == .depth ? .depth : .disparity, raw) }
        return (metadata.hasGainMap ? .gainMap : .unknown, raw)
    }

    private static func hexadecimal(_ value: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }
}
