public import ByteParsing
internal import DepthModel
public import ImageCodecs
internal import ImageContainers

extension DepthPhoto {
    /// The photo's Exif and XMP for a picture that is made of its upright pixels, and what of them is broken and
    /// therefore left out.
    ///
    /// Both are byte for byte as the camera wrote them (maker notes and GPS too), but for orientation and size, which become
    /// those of the upright photo, the thumbnail, and what describes planes and payloads of this file.
    public func metadata() -> (blocks: PictureMetadata, findings: [ContainerError]) {
        var metadata = PictureMetadata()
        var findings: [ContainerError] = []
        let size = description.orientation.size(width: description.width, height: description.height)
        do throws(ContainerError) {
            let block = try container.photoExif()
            metadata.exif = try carriedExif(
                block.bytes, width: size.width, height: size.height, limits: limits, at: block.offset)
        } catch {
            findings.append(error)
        }
        do throws(ContainerError) {
            let packet = try container.photoXMPPacket()
            metadata.xmp = try carriedXMP(
                packet.bytes, orientation: description.orientation, limits: limits, at: packet.offset)
        } catch {
            findings.append(error)
        }
        return (metadata, findings)
    }
}
