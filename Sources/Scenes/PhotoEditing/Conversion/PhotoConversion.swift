package import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats
internal import PhotoWriting
package import Scenes

/// Converts a photo with depth to one that carries it in another form.
///
/// The coded photo is kept if the target can hold it, which is the case for JPEG. Others are decoded and recoded, in their
/// stored pixels if Exif can state their orientation, otherwise upright.
package struct PhotoConversion: Hashable, Sendable {
    /// The form to convert the photo to.
    package var form: DepthForm
    /// How the depth is coded.
    package var coding: DepthCoding
    /// The quality of a recoded photo, 1…100.
    package var quality = Raster.defaultJPEGQuality

    package init(form: DepthForm, coding: DepthCoding = DepthCoding()) {
        (self.form, self.coding) = (form, coding)
    }

    /// Converts the photo in `bytes`. `scene` has its depth: the same file, or a map in a file beside it.
    ///
    /// Throws ``PhotoEditingError``, ``DepthCodingError``, ``SceneError``, and errors of decoding.
    package func convert(
        _ scene: DepthScene, photo bytes: [UInt8], limits: DecodingLimits = DecodingLimits()
    ) throws -> EditedPhoto {
        let coded = try scene.coded(form.adapted(coding))
        let base = try form == .appleHEIC ? BasePhoto(bytes: bytes) : jpegPhoto(bytes, limits: limits)
        var edit = PhotoEdit(form: form)
        edit.depth = coded
        edit.replaces = true
        var diagnostics = coded.diagnostics + base.diagnostics
        if form.holdsConfidence {
            edit.confidence = try scene.confidence()
        } else if scene.description.storedPlanes.contains(where: { $0.kind == .confidence }) {
            diagnostics.append(
                .note(.omittedMetadata, "\(form.rawValue) has no place for confidence; it is omitted"))
        }
        edit.gainMap = base.gainMap
        if form.holdsMattes {
            edit.mattes = base.mattes
        } else if !base.mattes.isEmpty {
            let kinds = base.mattes.map(\.kind.rawValue).joined(separator: ", ")
            diagnostics.append(
                .note(.omittedMetadata, "\(form.rawValue) has no place for mattes; omitted: \(kinds)"))
        }
        var edited = try edit.apply(to: base.bytes, limits: limits)
        edited.diagnostics = diagnostics + edited.diagnostics
        return edited
    }

    /// The photo as JPEG, without planes that could not be removed later.
    package func jpegPhoto(_ bytes: [UInt8], limits: DecodingLimits) throws -> BasePhoto {
        let found = try photo(in: bytes, limits: limits)
        guard let photo = found, photo.format == .jpeg else {
            return try coded(found, bytes, limits: limits)
        }
        if let error = photo.description.readError { throw error }
        guard
            let fixed = photo.storedPlanes.first(where: { $0.kind.isDepth && !JPEGPhotoEditor.canRemove($0) })
        else { return BasePhoto(bytes: bytes) }
        var editor = try JPEGPhotoEditor(photo, bytes, limits: limits)
        let lost = Set(photo.planes.map(\.kind)).subtracting([fixed.kind]).map(\.rawValue).sorted()
        let names = photo.trailers.map { $0.name ?? $0.type }
        var base = BasePhoto(bytes: try editor.alone())
        let rest = (lost + names).joined(separator: ", ")
        base.diagnostics.append(
            .note(
                .omittedMetadata,
                "the data after the photo (\(fixed.source)) is omitted"
                    + (rest.isEmpty ? "" : ": \(rest)")))
        return base
    }

    /// The photo in a file; `nil` if it is a raster.
    private func photo(in bytes: [UInt8], limits: DecodingLimits) throws(ContainerError) -> DepthPhoto? {
        do throws(ContainerError) {
            return try DepthPhoto(MemorySource(bytes), limits: limits)
        } catch {
            guard case .unrecognized = error.reason else { throw error }
            return nil
        }
    }

    /// The photo as JPEG without depth and mattes.
    package func photoWithoutDepth(_ bytes: [UInt8], limits: DecodingLimits) throws -> BasePhoto {
        var base = try jpegPhoto(bytes, limits: limits)
        let kinds = Set(
            try DepthPhoto(MemorySource(base.bytes), limits: limits).planes.map(\.kind)
                .filter { $0.isDepth || $0.isMatte })
        guard !kinds.isEmpty else { return base }
        var edit = PhotoEdit(form: form)
        edit.removedKinds = kinds
        let edited = try edit.apply(to: base.bytes, limits: limits)
        base.bytes = edited.bytes
        base.diagnostics += edited.diagnostics
        return base
    }

    /// Apple's single-channel gain map of a photo; `nil` for others, which other metadata describe.
    private func gainMap(of photo: DepthPhoto) throws -> PhotoEdit.GainMapPlane? {
        guard let plane = photo.storedPlane(.gainMap), plane.readError == nil,
            plane.type == "urn:com:apple:photo:2020:aux:hdrgainmap"
        else { return nil }
        let codes = try photo.codes(of: plane.description)
        guard codes.bitDepth == 8 else { return nil }
        return PhotoEdit.GainMapPlane(
            codes: codes, carried: AppleMetadata.carried(from: try photo.container.planeXMP(plane)))
    }

    /// Metadata for a copy of a photo in stored pixels if Exif can state their orientation, otherwise upright. Adds the
    /// omitted parts to the diagnostics of `base`.
    private func carriedMetadata(
        of photo: DepthPhoto, to base: inout BasePhoto, limits: DecodingLimits
    ) throws -> (PictureMetadata, PixelOrientation) {
        let description = photo.description
        let exif = try photo.container.photoExif()
        let oriented =
            exif.bytes.isEmpty
            ? []
            : try exifForStoredCopy(
                exif.bytes, orientation: description.orientation.rawValue, width: description.width,
                height: description.height, limits: limits, at: exif.offset)
        guard let oriented else {
            let (metadata, diagnostics) = photo.metadata()
            base.diagnostics += diagnostics
            return (metadata, .upright)
        }
        var metadata = PictureMetadata()
        metadata.exif = oriented
        metadata.xmp = try xmpForUprightCopy(
            photo.container.photoXMPPacket().bytes, orientation: .up, limits: limits)
        return (metadata, .stored)
    }

    /// Adds mattes and the gain map to a copy of a photo, and reports omitted planes.
    private func carryPlanes(of photo: DepthPhoto, to base: inout BasePhoto) throws {
        base.mattes = try photo.storedPlanes.filter {
            $0.kind.isMatte && $0.index == 0 && $0.readError == nil
        }
        .map { plane in
            var matte = PhotoEdit.MattePlane(
                kind: plane.kind, matte: Matte(try photo.codes(of: plane.description)))
            if let xmp = try? photo.container.planeXMP(plane) {
                matte.carried = AppleMetadata.carried(from: xmp)
            }
            return matte
        }
        if form == .appleJPEG { base.gainMap = try gainMap(of: photo) }
        if let stereo = photo.description.stereo, stereo.left.location != stereo.right.location {
            base.diagnostics.append(
                .note(
                    .omittedMetadata, "the other picture of the stereo pair (\(stereo.source)) is dropped"))
        }
        let hasGainMap = base.gainMap != nil
        let lost = photo.planes.map(\.kind).filter { kind in
            !kind.isDepth && !kind.isMatte && kind != .confidence && !(kind == .gainMap && hasGainMap)
        }
        guard !lost.isEmpty else { return }
        base.diagnostics.append(
            .note(
                .omittedMetadata,
                "omitted planes: \(lost.map(\.rawValue).joined(separator: ", "))"))
    }

    /// A photo of another format, recoded as JPEG.
    private func coded(_ photo: DepthPhoto?, _ bytes: [UInt8], limits: DecodingLimits) throws -> BasePhoto {
        var base = BasePhoto(bytes: [])
        var (frame, orientation) = (PixelOrientation.upright, Orientation.up)
        var metadata = PictureMetadata()
        if let photo {
            (metadata, frame) = try carriedMetadata(of: photo, to: &base, limits: limits)
            if frame == .stored { orientation = photo.description.orientation }
            try carryPlanes(of: photo, to: &base)
        }
        let picture: any SceneSource = try photo ?? openPicture(MemorySource(bytes), limits: limits)
        let image = try picture.image(frame: frame)
        var raster = Raster(image.in8Bits)
        if metadata.exif.isEmpty { metadata.exif = try madeExif(for: image, orientation: orientation) }
        raster.metadata = metadata
        for block in metadata.blocksTooLargeForJPEG {
            base.diagnostics.append(
                .note(.omittedMetadata, "the photo's \(block.rawValue) is too large for JPEG, and is omitted")
            )
        }
        let quality = quality
        base.bytes = try bytesWritten { (descriptor) throws(WriteError) in
            try raster.writeJPEG(to: descriptor, quality: quality)
        }
        base.isCodedAgain = true
        return base
    }
}

/// A photo during conversion to another form.
package struct BasePhoto: Sendable {
    /// The file.
    package var bytes: [UInt8]
    /// Upright mattes that are not in the file itself.
    package var mattes: [PhotoEdit.MattePlane] = []
    /// Apple's gain map, upright, if it is not in the file itself.
    package var gainMap: PhotoEdit.GainMapPlane?
    /// Whether the photo was recoded.
    package var isCodedAgain = false
    /// The omitted parts of the photo.
    package var diagnostics: [Diagnostic] = []
}

/// An Exif block for a JPEG of a picture without one: the mandatory fields, and the orientation.
func madeExif(for image: ColorImage, orientation: Orientation) throws(ContainerWritingError) -> [UInt8] {
    try ExifBlock(
        orientation: UInt16(orientation.rawValue),
        picture: .init(width: image.width, height: image.height, isSRGB: image.colorProfile.isEmpty)
    ).serialized()
}
