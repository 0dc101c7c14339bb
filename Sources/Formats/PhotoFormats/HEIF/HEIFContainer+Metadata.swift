internal import Bytes
internal import DepthTypes

extension HEIFContainer {
    /// Adds the camera's make, model and focal length to the photo. Exif orientation is not used: in HEIF, `irot` and `imir`
    /// apply. If the file has neither and Exif says that the photo is turned, a remark reports it.
    mutating func describeCamera(isTurned: Bool) {
        do throws(ContainerError) {
            let block = try photoExif()
            guard !block.bytes.isEmpty else { return }
            let exif = try ExifInformation(
                parsing: block.bytes, at: block.offset, in: StructurePath("Exif"), limits: file.limits)
            (photo.make, photo.model, photo.focalLength35mm) = (exif.make, exif.model, exif.focalLength35mm)
            photo.subject = exif.subject
            photo.captureTime = exif.captureTime
            if !isTurned, let orientation = exif.orientation.flatMap(Orientation.init), orientation != .up {
                diagnostics.append(
                    .note(
                        .assumedOrientation,
                        "Exif says orientation \(orientation.rawValue), but in HEIF 'irot' and 'imir' turn a photo, and this one "
                            + "has neither; it is read as stored; --orientation \(orientation.rawValue) turns it",
                        at: block.offset, in: StructurePath("Exif")))
            }
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
        // The offset of the TIFF header, relative to the end of this field (ISO/IEC 23008-12 §A.2.1).
        let skip = try cursor.readUInt32()
        try cursor.skip(skip)
        return MetadataBlock(bytes: Array(bytes[cursor.position...]), offset: cursor.offset)
    }

    func photoXMP() throws(ContainerError) -> XMPProperties {
        guard let item = xmpItem(describing: file.primaryItem) else { return XMPProperties() }
        return try xmp(inItem: item).0
    }

    func planeXMP(_ plane: AuxiliaryPlane) throws(ContainerError) -> XMPProperties {
        guard case .heifItem(let id) = plane.location, let item = xmpItem(describing: id) else {
            return XMPProperties()
        }
        return try xmp(inItem: item).0
    }

    func photoXMPPacket() throws(ContainerError) -> MetadataBlock {
        guard let item = xmpItem(describing: file.primaryItem) else { return MetadataBlock() }
        let (bytes, offset) = try file.data(ofItem: item, limit: .xmpBytes)
        return MetadataBlock(bytes: bytes, offset: offset)
    }

    /// Reads the XMP of an auxiliary item, and its offset in the file. `nil` if it is missing or damaged, which is
    /// reported.
    mutating func appleMetadata(ofItem id: Int) -> (AppleAuxiliaryMetadata?, offset: Int?) {
        do throws(ContainerError) {
            guard let item = xmpItem(describing: id) else { return (nil, nil) }
            // The limit applies to all packets together: many items may use the same bytes.
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

    /// The XMP item that describes an item; `nil` if missing.
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
}
