@testable import PhotoWriting

/// A JPEG photo with more XMP than one segment holds, and with the data that a camera appends to the image.
struct ExtendedXMPJPEG {
    /// A complete JPEG file, whose main packet is replaced.
    var photo: [UInt8]
    /// The properties of the main packet; `HasExtendedXMP` is added.
    var properties: [XMPProperty]
    /// The properties of the extended packet; empty for a photo without one.
    var extendedProperties: [XMPProperty] = []
    /// The data that follows the image, back to back.
    var trailer: [[UInt8]] = []
    /// The maximum bytes of the extended packet in one segment. Adobe's toolkit writes packets that fit one.
    var pieceSize = 65_400

    /// The file.
    ///
    /// - Throws: ``ContainerWritingError`` if the photo is not one complete JPEG stream, or a packet is too long.
    func serialized() throws(ContainerWritingError) -> [UInt8] {
        var stream = try JPEGStream(photo)
        var properties = properties
        var segments: [JPEGSegment] = []
        if !extendedProperties.isEmpty {
            let packet = try XMPPacketBuilder(extendedProperties).serialized()
            let name = MD5.hexadecimal(of: packet)
            properties.append(XMPProperty(.note, "HasExtendedXMP", .text(name)))
            segments = try self.segments(packet, name: name)
        }
        let picture = MultiPictureJPEG.Picture(
            jpeg: photo, xmp: try XMPPacketBuilder(properties).serialized())
        try stream.replaceMetadata(with: picture)
        let place = stream.head.lastIndex { $0.identifier == .xmp }.map { $0 + 1 } ?? stream.head.count
        stream.head.insert(contentsOf: segments, at: place)
        return try stream.serialized() + trailer.joined()
    }

    /// The extended packet in pieces, each after the packet's GUID, its size and the piece's offset (XMP specification part
    /// 3, §1.1.3.1).
    private func segments(
        _ packet: [UInt8], name: String
    ) throws(ContainerWritingError) -> [JPEGSegment] {
        let total: UInt32 = try narrow(packet.count, field: "extended XMP size")
        var segments: [JPEGSegment] = []
        for start in stride(from: 0, to: packet.count, by: pieceSize) {
            var writer = ByteWriter()
            writer.append(name.utf8)
            writer.append(total)
            writer.append(UInt32(start))
            writer.append(packet[start..<min(start + pieceSize, packet.count)])
            segments.append(JPEGSegment(.extendedXMP, writer.bytes))
        }
        return segments
    }
}
