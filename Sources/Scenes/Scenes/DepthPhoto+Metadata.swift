package import Bytes
package import Codecs
internal import DepthTypes
internal import PhotoFormats

extension DepthPhoto {
    /// The photo's Exif and XMP for a picture that is made of its upright pixels, and diagnostics on broken metadata, which
    /// is omitted.
    ///
    /// Both are kept byte for byte, maker notes and GPS included, with these exceptions: orientation and size become those of
    /// the upright photo; the thumbnail and descriptions of planes and payloads are removed. If the picture is in another
    /// file than the depth, its metadata is used. A DNG's Exif is assembled from its fields.
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
