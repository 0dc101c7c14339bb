internal import Bytes
internal import DepthTypes

/// A JPEG photo with the images after it: the images of the multi-picture index (MPF, CIPA DC-007), described only by
/// their XMP, and images of vendors.
struct JPEGContainer: ParsedContainer, VendorDiscoveryTarget {
    static func recognizes(_ start: [UInt8], of source: any ByteSource) -> Bool {
        start.starts(with: [0xFF, 0xD8, 0xFF])
    }

    let format = ContainerKind.jpeg
    var photo: PhotoDescription
    var planes: [AuxiliaryPlane] = []
    var trailers: [FileTrailer] = []
    var diagnostics: [Diagnostic] = []
    var unreadablePlane: ContainerError?
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
                try describePlanes(index)
            } catch {
                diagnostics.append(error)
                unreadablePlane = error
            }
        }
        describeVendors()
        // This comes last, because earlier diagnostics may explain why a plane is missing, and this one never does.
        if let stray = header.strayBytes { diagnostics.append(stray.remark) }
        describeDoubts()
        planes.number()
    }

    /// Adds the findings of vendors' readers.
    private mutating func describeVendors() {
        var file = JPEGFile(source: source, limits: limits, header: header)
        var trailer: Range<Int>?
        for reader in VendorReaders.metadata + VendorReaders.trailers {
            if let range = read(reader, &file) { trailer = range }
        }
        for reader in VendorReaders.searches where trailer == nil { trailer = read(reader, &file) }
        var rest = VendorDiscovery()
        rest.collect { (rest) throws(ContainerError) in
            rest = try UnknownTrailer.discover(in: &file, behind: trailer)
            if trailer == nil, unreadablePlane == nil { try file.checkEnd() }
        }
        merge(rest)
    }

    /// Adds the findings of one reader, and returns the range of its trailer.
    private mutating func read(_ reader: any VendorReader.Type, _ file: inout JPEGFile) -> Range<Int>? {
        var found = VendorDiscovery()
        found.collect { (found) throws(ContainerError) in
            found = try reader.discover(in: &file, DescribedPhoto(photo: photo, planes: planes))
        }
        merge(found)
        return found.trailerRange
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
            throw ContainerError(.malformed(rule: "a JPEG file has no such image"))
        }
    }

    func photoXMP() throws(ContainerError) -> XMPProperties {
        var file = JPEGFile(source: source, limits: limits, header: header)
        return try file.xmp()
    }

    func planeXMP(_ plane: AuxiliaryPlane) throws(ContainerError) -> XMPProperties {
        guard case .jpegStream(let range) = plane.location else { return XMPProperties() }
        var bytes = WindowedBytes(source)
        guard let packet = try JPEGHeader(&bytes, at: range.lowerBound, limits: limits).xmp else {
            return XMPProperties()
        }
        try limits.check(.xmpBytes, packet.count, at: packet.lowerBound)
        return try XMPProperties(
            parsing: try bytes.read(packet), limits: limits, at: packet.lowerBound, in: StructurePath("XMP"))
    }

    func gainMapBlock(of plane: AuxiliaryPlane) throws(ContainerError) -> MetadataBlock {
        guard case .jpegStream(let range) = plane.location else { return MetadataBlock() }
        var bytes = WindowedBytes(source)
        guard let block = try JPEGHeader(&bytes, at: range.lowerBound, limits: limits).gainMap else {
            return MetadataBlock()
        }
        return MetadataBlock(bytes: try bytes.read(block), offset: block.lowerBound)
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
            photo.subject = exif.subject
            photo.captureTime = exif.captureTime
            if let value = exif.orientation, value != 0 {  // some writers write 0 for unknown
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
}
