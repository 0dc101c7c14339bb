/// A marker segment with a length (ITU-T T.81 §B.1.1.4).
struct JPEGSegment: Hashable, Sendable {
    /// The second byte of the marker, e.g. `0xE1` for APP1.
    var marker: UInt8
    /// The bytes after the length field.
    var payload: [UInt8]

    /// The length field includes itself: 2…65535.
    static let maximumPayload = 65533

    func append(to writer: inout ByteWriter) throws(ContainerWritingError) {
        guard payload.count <= Self.maximumPayload else {
            throw .tooLarge(field: name, limit: Self.maximumPayload, actual: payload.count)
        }
        writer.append(UInt8(0xFF))
        writer.append(marker)
        writer.append(UInt16(payload.count + 2))
        writer.append(payload)
    }

    /// The kind of the segment, if its first bytes show it.
    var identifier: Identifier? {
        Identifier.allCases.first { $0.marker == marker && payload.starts(with: $0.signature) }
    }

    private var name: String {
        identifier.map { "\($0) segment" } ?? "JPEG segment \(marker)"
    }

    /// The kinds of segments that this module writes.
    enum Identifier: CaseIterable {
        case jfif, exif, xmp, extendedXMP, multiPicture, iccProfile, gainMap

        var marker: UInt8 {
            switch self {
            case .jfif: 0xE0
            case .exif, .xmp, .extendedXMP: 0xE1
            case .multiPicture, .iccProfile, .gainMap: 0xE2
            }
        }

        /// The bytes that distinguish segments with the same marker.
        var signature: [UInt8] {
            switch self {
            case .jfif: Array("JFIF\0".utf8)
            case .exif: Array("Exif\0\0".utf8)
            case .xmp: Array("http://ns.adobe.com/xap/1.0/\0".utf8)
            case .extendedXMP: Array("http://ns.adobe.com/xmp/extension/\0".utf8)
            case .multiPicture: Array("MPF\0".utf8)
            case .iccProfile: Array("ICC_PROFILE\0".utf8)
            case .gainMap: Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
            }
        }
    }
}

extension JPEGSegment {
    /// A segment of a known kind.
    init(_ identifier: Identifier, _ content: [UInt8]) {
        self.init(marker: identifier.marker, payload: identifier.signature + content)
    }

    /// APP2 segments for a profile of any size, numbered from 1 (ICC.1 §B.4).
    static func iccProfile(_ profile: [UInt8]) throws(ContainerWritingError) -> [JPEGSegment] {
        let room = maximumPayload - Identifier.iccProfile.signature.count - 2
        let starts = Array(stride(from: 0, to: profile.count, by: room))
        let count: UInt8 = try narrow(starts.count, field: "ICC_PROFILE chunk count")
        return starts.enumerated().map { index, start in
            let chunk = profile[start..<min(start + room, profile.count)]
            return JPEGSegment(.iccProfile, [UInt8(index + 1), count] + chunk)
        }
    }
}
