/// A JPEG file with further JPEG images after the photo, as Apple's cameras store disparity, mattes and gain maps. The
/// photo's MPF segment has their offsets; each image's XMP declares its kind (CIPA DC-007).
///
/// ```swift
/// var file = MultiPictureJPEG(primary: .init(jpeg: photo, exif: try exif.serialized()))
/// file.auxiliaries.append(.init(jpeg: disparity, xmp: try packet.serialized()))
/// let bytes = try file.serialized()
/// ```
package struct MultiPictureJPEG: Hashable, Sendable {
    /// One image and the metadata to put into it.
    package struct Picture: Hashable, Sendable {
        /// A complete JPEG stream, SOI to EOI. Its pixels are never touched.
        package var jpeg: [UInt8]
        /// A TIFF stream for APP1; `nil` keeps the existing one.
        package var exif: [UInt8]?
        /// An XMP packet for APP1; `nil` keeps the existing one.
        package var xmp: [UInt8]?
        /// An ICC profile for APP2; `nil` keeps the existing one.
        package var iccProfile: [UInt8]?
        /// The metadata of a gain map for APP2, see ``GainMapMetadata``; `nil` keeps the existing one.
        package var gainMap: [UInt8]?

        /// An image with metadata.
        package init(
            jpeg: [UInt8], exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iccProfile: [UInt8]? = nil,
            gainMap: [UInt8]? = nil
        ) {
            (self.jpeg, self.exif, self.xmp, self.iccProfile) = (jpeg, exif, xmp, iccProfile)
            self.gainMap = gainMap
        }
    }

    /// The photo.
    package var primary: Picture
    /// The images that follow it, in order.
    package var auxiliaries: [Picture]

    /// A file of these images; without `auxiliaries` an ordinary JPEG.
    package init(primary: Picture, auxiliaries: [Picture] = []) {
        self.primary = primary
        self.auxiliaries = auxiliaries
    }

    /// The file: the photo with its MPF segment, then every auxiliary image, back to back.
    ///
    /// - Throws: ``ContainerWritingError`` if an image is not a complete JPEG stream or a segment gets too long.
    package func serialized() throws(ContainerWritingError) -> [UInt8] {
        guard !auxiliaries.isEmpty else { return try serializedPrimary(index: nil).bytes }
        var images: [[UInt8]] = []
        for auxiliary in auxiliaries {
            images.append(try serialized(auxiliary))
        }
        // The length of the index does not depend on its values, so a first run with zeros gives all positions.
        let blank = MultiPictureIndexBuilder.Entry(attributes: 0, size: 0, offset: 0)
        let draft = MultiPictureIndexBuilder(
            entries: Array(repeating: blank, count: images.count + 1), imageCount: images.count + 1)
        let layout = try serializedPrimary(index: draft)
        var index = draft
        index.entries = try entries(of: images, layout: layout)
        return try serializedPrimary(index: index).bytes + images.joined()
    }

    private func entries(
        of images: [[UInt8]], layout: (bytes: [UInt8], indexStart: Int)
    ) throws(ContainerWritingError) -> [MultiPictureIndexBuilder.Entry] {
        let primarySize: UInt32 = try narrow(layout.bytes.count, field: "MPF image size")
        var entries = [
            MultiPictureIndexBuilder.Entry(
                attributes: MultiPictureIndexBuilder.Entry.primaryAttributes, size: primarySize, offset: 0)
        ]
        var position = layout.bytes.count
        for image in images {
            entries.append(
                MultiPictureIndexBuilder.Entry(
                    attributes: MultiPictureIndexBuilder.Entry.auxiliaryAttributes,
                    size: try narrow(image.count, field: "MPF image size"),
                    offset: try narrow(position - layout.indexStart, field: "MPF image offset")))
            position += image.count
        }
        return entries
    }

    /// The photo, and where the TIFF header of its MPF segment is: MPF offsets are relative to it.
    private func serializedPrimary(
        index: MultiPictureIndexBuilder?
    ) throws(ContainerWritingError) -> (bytes: [UInt8], indexStart: Int) {
        var stream = try JPEGStream(primary.jpeg)
        try stream.replaceMetadata(with: primary)
        stream.head.removeAll { $0.identifier == .multiPicture }
        guard let index else {
            stream.markAsSinglePicture()
            return (try stream.serialized(), 0)
        }
        stream.markAsMultiPicture()
        let indexStart = stream.insert(try index.serialized())
        return (try stream.serialized(), indexStart)
    }

    /// An auxiliary image: its metadata, and an MPF segment with nothing but the number of images.
    private func serialized(_ picture: Picture) throws(ContainerWritingError) -> [UInt8] {
        try Self.auxiliaryImage(picture, imageCount: auxiliaries.count + 1)
    }

    /// An image after the photo of a file with `imageCount` images, including the photo.
    package static func auxiliaryImage(
        _ picture: Picture, imageCount: Int
    ) throws(ContainerWritingError) -> [UInt8] {
        var stream = try JPEGStream(picture.jpeg)
        try stream.replaceMetadata(with: picture)
        stream.head.removeAll { $0.identifier == .multiPicture }
        let index = MultiPictureIndexBuilder(entries: [], imageCount: imageCount)
        _ = stream.insert(try index.serialized())
        return try stream.serialized()
    }
}
