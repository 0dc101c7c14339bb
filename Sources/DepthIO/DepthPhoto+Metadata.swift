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

extension DepthInput {
    /// The picture that belongs to the depth: the photo itself, or the one that was named for a raster. What a picture says of
    /// itself is its own, wherever the depth is from. `nil` where none was named.
    private var picture: PictureFile? {
        switch self {
        case .photo(let photo): PictureFile(photo)
        case .raster(let raster): raster.color
        }
    }

    /// The picture's Exif and XMP, as ``DepthPhoto/metadata()`` has them; empty where there is no picture.
    package func pictureMetadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) {
        picture?.metadata() ?? (PictureMetadata(), [])
    }

    /// When the picture was taken, as `2026-11-22T15:49:17`, in the time of its place; `nil` where that is not said.
    package var captureTime: String? { picture?.photo?.description.captureTime }

    /// Where the picture's camera says that its subject is: upright, 0…1, and in meters.
    package func pictureSubject() -> (
        point: SIMD2<Double>?, distance: Double?, isBackgroundBlurred: Bool
    ) {
        guard let photo = picture?.photo else { return (nil, nil, false) }
        let (subject, orientation) = (photo.description.subject, photo.description.orientation)
        let point = subject.point.map { point in
            let upright = orientation.point(point.x, point.y, width: 1, height: 1)
            return SIMD2(upright.x, upright.y)
        }
        return (point, subject.distance, subject.isBackgroundBlurred)
    }

    /// Faces and the point of focus that the picture's camera marked; none where there is no picture.
    package func pictureRegions() -> [PhotoRegion] { picture?.photo?.regions() ?? [] }
}
