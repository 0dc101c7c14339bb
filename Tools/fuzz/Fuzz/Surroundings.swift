/// A JPEG of 64 × 48 noughts as far as markers go, with these segments in front.
func minimalJPEG(_ segments: [[UInt8]]) -> [UInt8] {
    let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 48, 0, 64, 1, 1, 0x11, 0]
    let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0, 0xFF, 0xD9]
    return [0xFF, 0xD8] + segments.flatMap(\.self) + frame + scan
}

/// A marker segment.
func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count + 2
    return [0xFF, marker, UInt8(count >> 8), UInt8(count & 0xFF)] + payload
}

/// The segment of a main XMP packet.
func xmpSegment(_ packet: [UInt8]) -> [UInt8] {
    segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
}

/// A packet as extended XMP in two segments or more, and the main packet that names it.
func extendedXMPSegments(_ packet: [UInt8]) -> [[UInt8]] {
    let guid = String(repeating: "A", count: 32)
    let main = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
        <rdf:Description xmlns:n="http://ns.adobe.com/xmp/note/" n:HasExtendedXMP="\(guid)"/></rdf:RDF></x:xmpmeta>
        """
    var segments = [xmpSegment(Array(main.utf8))]
    let size = min(60_000, max(1, (packet.count + 1) / 2))
    for start in stride(from: 0, to: packet.count, by: size) {
        let head = Array(("http://ns.adobe.com/xmp/extension/\0" + guid).utf8)
        segments.append(
            segment(
                0xE1,
                head + word(packet.count) + word(start) + packet[start..<min(start + size, packet.count)]))
    }
    return segments
}

private func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
