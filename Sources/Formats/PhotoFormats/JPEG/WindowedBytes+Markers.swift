internal import Bytes

extension WindowedBytes {
    /// The element at an offset of a JPEG stream (ITU-T T.81 §B.1.1.2).
    private enum Element {
        /// A marker: FF and this code.
        case marker(UInt8)
        /// One FF before another, which may precede a marker.
        case fill
        /// Bytes that are not part of a marker, and their number: one, or two for FF 00.
        case data(Int)
    }

    private mutating func element(at offset: Int) throws(ContainerError) -> Element {
        guard try byte(at: offset) == 0xFF else { return .data(1) }
        switch try byte(at: offset + 1) {
        case 0xFF: return .fill
        case 0x00: return .data(2)
        case let code: return .marker(code)
        }
    }

    /// The next marker's code at or after `offset`, which moves to the marker's FF, and the stray bytes so far: those before
    /// the marker and the `known` ones. Fill bytes are not stray.
    mutating func nextMarker(
        from offset: inout Int, limits: DecodingLimits, after known: StrayBytes?
    ) throws(ContainerError) -> (marker: UInt8, stray: StrayBytes?) {
        var stray = known
        var start = offset
        while true {
            switch try element(at: offset) {
            case .marker(let code): return (code, stray)
            case .fill: offset += 1
            case .data(let count):
                offset += count
                stray = StrayBytes(
                    offset: stray?.offset ?? start, count: (stray?.count ?? 0) + offset - start)
                try check(stray, at: offset, limits: limits)
                start = offset
            }
        }
    }

    /// The offset after the end-of-image marker of the image whose first scan starts at `scan`.
    ///
    /// Follows markers through all scans. FF 00 and restart markers are data, and a segment is skipped with its contents, so
    /// the FF D9 of a thumbnail does not end the image. `nil` if the file ends first.
    mutating func endOfImage(afterScan scan: Int) throws(ContainerError) -> Int? {
        var offset = scan
        while offset + 1 < source.byteCount {
            switch try element(at: offset) {
            case .data(let count): offset = indexOfMark(from: offset + count)
            case .fill: offset += 1
            case .marker(0xD0...0xD7): offset += 2
            case .marker(0xD9): return offset + 2
            case .marker:
                guard offset + 3 < source.byteCount else { return nil }
                offset += 2 + max(2, try uint16(at: offset + 2))
            }
        }
        return nil
    }

    /// The offset of the next FF D8 FF at or after `offset`; `nil` if not found.
    mutating func nextImage(from offset: Int) throws(ContainerError) -> Int? {
        var offset = offset
        while offset + 2 < source.byteCount {
            if try byte(at: offset) == 0xFF, try byte(at: offset + 1) == 0xD8,
                try byte(at: offset + 2) == 0xFF
            {
                return offset
            }
            offset += 1
        }
        return nil
    }

    private func check(_ stray: StrayBytes?, at offset: Int, limits: DecodingLimits) throws(ContainerError) {
        let path = StructurePath("JPEG")
        let count = stray?.count ?? 0
        try limits.check(.metadataBytes, count, at: offset, in: path)
        guard count <= StrayBytes.maximumCount else {
            throw ContainerError(
                .malformed(
                    rule: "more than \(StrayBytes.maximumCount) stray bytes between marker segments"),
                at: offset, in: path)
        }
    }
}
