package import ByteParsing
internal import DepthModel
package import ImageCodecs
internal import ImageContainers

extension DepthPhoto {
    /// The photo's Exif and XMP for a picture that is made of its upright pixels, and what of them is broken and
    /// therefore left out.
    ///
    /// Both are byte for byte as the camera wrote them (maker notes and GPS too), but for orientation and size, which become
    /// those of the upright photo, the thumbnail, and what describes planes and payloads of this file. Where the picture is
    /// another file than the depth, they are the picture's. A DNG's Exif is put together from its fields.
    package func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) {
        if let picture { return picture.metadata() }
        var metadata = PictureMetadata()
        var diagnostics: [Diagnostic] = []
        let size = description.orientation.size(width: description.width, height: description.height)
        do throws(ContainerError) {
            let block = try container.photoExif()
            metadata.exif = try exifForUprightCopy(
                block.bytes, width: size.width, height: size.height, limits: limits, at: block.offset)
        } catch {
            diagnostics.append(error)
        }
        do throws(ContainerError) {
            let packet = try container.photoXMPPacket()
            metadata.xmp = try xmpForUprightCopy(
                packet.bytes, orientation: description.orientation, limits: limits, at: packet.offset)
        } catch {
            diagnostics.append(error)
        }
        return (metadata, diagnostics)
    }
}

extension PictureFile {
    /// What a photo says of itself, as ``DepthPhoto/metadata()`` has it; rasters of colors are not asked for theirs.
    package func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) {
        photo?.metadata() ?? (PictureMetadata(), [])
    }
}
