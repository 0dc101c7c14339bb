package import Bytes
package import Codecs
internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats
internal import PhotoWriting

/// A picture ready to be written in a format: its samples and metadata, and a gain map if it keeps one.
package struct PictureCoding: Sendable {
    /// The samples, with the metadata that the file gets.
    package private(set) var raster: Raster
    private let format: PictureFormat
    /// The image after the photo of a JPEG file, and what the photo's own segment of ISO 21496-1 gets.
    private var gainMap: MultiPictureJPEG.Picture?
    private var photoSegment: [UInt8]?

    /// The quality of gain maps, whose cameras use less.
    private static let gainMapQuality = 95

    /// Prepares a picture. Only JPEG holds gain maps: for other formats, the numbers in maker notes that belong to it are
    /// removed, too. `stripsMetadata` omits Exif and XMP.
    ///
    /// Throws if the picture's XMP is not well-formed and has to be extended.
    package init(
        _ picture: Picture, as format: PictureFormat, stripsMetadata: Bool = false
    ) throws(WriteError) {
        self.format = format
        let keepsGainMap = format == .jpeg && picture.isOpaque
        let losesGainMap = picture.gainMap != nil && !keepsGainMap
        raster = (losesGainMap ? picture.withoutHDR() : picture).raster(with16Bits: format.holds16Bits)
        if stripsMetadata { raster.metadata = PictureMetadata() }
        guard keepsGainMap, let map = picture.gainMap else { return }
        do {
            try add(map)
        } catch let error as WriteError {
            throw error
        } catch let error as ContainerError {
            throw .unsuitable(error.message)
        } catch {
            throw .unsuitable("\(error)")
        }
    }

    /// Codes a gain map in the form of its parameters. Apple's headroom is in the map's XMP, unless the maker note has it.
    private mutating func add(_ map: GainMap) throws {
        var image = MultiPictureJPEG.Picture(jpeg: try map.jpeg(quality: Self.gainMapQuality))
        switch map.parameters {
        case .apple(let headroom):
            var properties = try PixelDataInfo(
                auxiliaryImageType: "urn:com:apple:photo:2020:aux:hdrgainmap", nativeFormat: "L008"
            ).properties()
            if case .stops = headroom, !raster.metadata.exif.isEmpty {
                properties.append(.hdrGainMapVersion())
            } else {
                properties += [.hdrGainMapVersion(131_072), try .hdrGainMapHeadroom(headroom.asLight)]
            }
            image.xmp = try XMPPacketBuilder(properties).serialized()
        case .standard(let standard):
            let metadata = GainMapMetadata(standard)
            var packet = XMPPacketBuilder(try metadata.properties())
            packet.usesAttributes = true
            image.xmp = try packet.serialized()
            image.gainMap = try metadata.serialized()
            photoSegment = GainMapMetadata.version
            let length = try MultiPictureJPEG.auxiliaryImage(image, imageCount: 2).count
            try addProperties(GainMapMetadata.photoProperties(gainMapLength: length))
        }
        gainMap = image
    }

    /// Adds properties to the photo's XMP.
    private mutating func addProperties(_ properties: [XMPProperty]) throws {
        var packet = XMPPacketBuilder(properties)
        packet.usesAttributes = true
        guard !raster.metadata.xmp.isEmpty else {
            raster.metadata.xmp = try packet.serialized()
            return
        }
        var document = try XMPDocument(raster.metadata.xmp, limits: DecodingLimits(), at: 0)
        try document.add(description: try packet.description(of: document.resource))
        raster.metadata.xmp = document.serialized
    }

    /// Writes the file to a seekable descriptor, which stays open. `quality` is for JPEG, 1…100.
    package func write(quality: Int, to descriptor: Int32) throws(WriteError) {
        guard let gainMap else { return try raster.write(as: format, quality: quality, to: descriptor) }
        let photo = try bytesWritten { (descriptor) throws(WriteError) in
            try raster.writeJPEG(to: descriptor, quality: quality)
        }
        var file = MultiPictureJPEG(primary: .init(jpeg: photo, gainMap: photoSegment))
        file.auxiliaries = [gainMap]
        let bytes: [UInt8]
        do {
            bytes = try file.serialized()
        } catch {
            throw .unsuitable("\(error)")
        }
        try writeAll(bytes, to: descriptor)
    }
}

extension GainMap {
    /// The stored values as a JPEG stream, in gray or in color.
    fileprivate func jpeg(quality: Int) throws -> [UInt8] {
        let planes = stored()
        let samples: Raster.Samples =
            planes.count == 1
            ? .gray8(planes[0])
            : .color(
                .uint8(
                    planes[0].indices.map {
                        RGB(red: planes[0][$0], green: planes[1][$0], blue: planes[2][$0])
                    }
                ))
        let raster = Raster(width: width, height: height, samples: samples)
        return try bytesWritten { (descriptor) throws(WriteError) in
            try raster.writeJPEG(to: descriptor, quality: quality)
        }
    }
}

extension GainMapMetadata {
    fileprivate init(_ map: StandardGainMap) {
        self.init(
            channels: map.channels.map { channel in
                Channel(
                    minimum: channel.minimum, maximum: channel.maximum, gamma: channel.gamma,
                    baseOffset: channel.baseOffset, alternateOffset: channel.alternateOffset)
            }, baseHeadroom: map.baseHeadroom, alternateHeadroom: map.alternateHeadroom)
    }
}
