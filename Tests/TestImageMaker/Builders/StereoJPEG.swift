@testable import PhotoWriting

/// JPEG files that hold the two pictures of a stereo pair.
enum StereoJPEG {
    /// A multi-picture file (MPO, CIPA DC-007): the left picture, then the right one, `baseline` meters apart.
    ///
    /// - Throws: ``ContainerWritingError`` if a picture is not a complete JPEG stream.
    static func multiPicture(
        left: MultiPictureJPEG.Picture, right: MultiPictureJPEG.Picture, baseline: Double
    ) throws(ContainerWritingError) -> [UInt8] {
        let length = try Rational(baseline, field: "MPF BaselineLength")
        var second = try JPEGStream(right.jpeg)
        try second.replaceMetadata(with: right)
        _ = second.insert(index(nil, view: 2, length))
        let rightBytes = try second.serialized()
        func first(_ sizes: (left: Int, start: Int)) throws(ContainerWritingError) -> (
            bytes: [UInt8], start: Int
        ) {
            var stream = try JPEGStream(left.jpeg)
            try stream.replaceMetadata(with: left)
            let entries = [
                MultiPictureIndexBuilder.Entry(
                    attributes: 0x2002_0002, size: try narrow(sizes.left, field: "MPF image size"), offset: 0),
                MultiPictureIndexBuilder.Entry(
                    attributes: 0x2_0002, size: try narrow(rightBytes.count, field: "MPF image size"),
                    offset: try narrow(sizes.left - sizes.start, field: "MPF image offset")),
            ]
            let start = stream.insert(index(entries, view: 1, length))
            return (try stream.serialized(), start)
        }
        // The length of the index does not depend on its values, so a first run gives all positions.
        let draft = try first((0, 0))
        return try first((draft.bytes.count, draft.start)).bytes + rightBytes
    }

    /// A JPS file: both pictures in one frame, side by side, marked by an APP3 segment.
    ///
    /// - Throws: ``ContainerWritingError`` if the picture is not a complete JPEG stream.
    static func sideBySide(
        _ frame: MultiPictureJPEG.Picture, leftFirst: Bool
    ) throws(ContainerWritingError) -> [UInt8] {
        var stream = try JPEGStream(frame.jpeg)
        try stream.replaceMetadata(with: frame)
        let mark = Array("_JPSJPS_".utf8) + [0, 4, 0, leftFirst ? 4 : 0, 2, 1]
        stream.head.append(JPEGSegment(marker: 0xE3, payload: mark))
        return try stream.serialized()
    }

    /// An MPF block: the attributes of a view, and in the first one the index of images (§5.2.4).
    private static func index(
        _ entries: [MultiPictureIndexBuilder.Entry]?, view: UInt32, _ baseline: Rational
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.append("MM".utf8)
        writer.append(UInt16(42))
        writer.append(UInt32(8))
        let version = (tag: UInt16(0xB000), type: UInt16(7), count: UInt32(4), value: UInt32(0x3031_3030))
        if let entries {
            let list = UInt32(writer.count + 2 + 3 * 12 + 4)
            append(
                [
                    version, (0xB001, 4, 1, UInt32(entries.count)),
                    (0xB002, 7, UInt32(16 * entries.count), list),
                ],
                next: list + UInt32(16 * entries.count), to: &writer)
            for entry in entries {
                for value in [entry.attributes, entry.size, entry.offset, 0] { writer.append(value) }
            }
        }
        let rational = UInt32(writer.count + 2 + 4 * 12 + 4)
        append(
            [version, (0xB101, 4, 1, view), (0xB204, 4, 1, 1), (0xB206, 5, 1, rational)], next: 0, to: &writer
        )
        writer.append(baseline.numerator)
        writer.append(baseline.denominator)
        return writer.bytes
    }

    private static func append(
        _ fields: [(tag: UInt16, type: UInt16, count: UInt32, value: UInt32)], next: UInt32,
        to writer: inout ByteWriter
    ) {
        writer.append(UInt16(fields.count))
        for field in fields {
            writer.append(field.tag)
            writer.append(field.type)
            writer.append(field.count)
            writer.append(field.value)
        }
        writer.append(next)
    }
}
