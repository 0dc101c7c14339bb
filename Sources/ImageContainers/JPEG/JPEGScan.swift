internal import ByteParsing

extension WindowedBytes {
    /// The place after the end-of-image marker of the image whose first scan starts at `scan`.
    ///
    /// Follows markers through all scans (ITU-T T.81 §B.1.1.2): FF 00 and restart markers are data, so a thumbnail's
    /// FF D9 inside a segment does not end anything. `nil` when the file ends first.
    mutating func endOfImage(afterScan scan: Int) throws(ContainerError) -> Int? {
        var place = scan
        while place + 1 < source.byteCount {
            guard try byte(at: place) == 0xFF else {
                place += 1
                continue
            }
            switch try byte(at: place + 1) {
            case 0x00, 0xD0...0xD7: place += 2
            case 0xFF: place += 1
            case 0xD9: return place + 2
            default:
                guard place + 3 < source.byteCount else { return nil }
                place += 2 + max(2, try uint16(at: place + 2))
            }
        }
        return nil
    }

    /// The place of the next FF D8 FF at or after `place`; `nil` when there is none.
    mutating func nextImage(from place: Int) throws(ContainerError) -> Int? {
        var place = place
        while place + 2 < source.byteCount {
            if try byte(at: place) == 0xFF, try byte(at: place + 1) == 0xD8, try byte(at: place + 2) == 0xFF {
                return place
            }
            place += 1
        }
        return nil
    }
}
