internal import ByteParsing

/// Bytes between the marker segments of a JPEG image that belong to none. ITU-T T.81 allows fill bytes (FF) only, but
/// some writers leave others there, and libjpeg skips them ("extraneous bytes before marker").
struct StrayBytes: Equatable, Sendable {
    /// The offset of the first in the file.
    var offset: Int
    /// How many there are, between all segments of the image.
    var count: Int

    /// The largest number that is skipped in one image. A file can name 256 images, and each could be a walk.
    static let maximumCount = 1 << 20

    /// The warning about them.
    var error: ContainerError {
        let rule =
            count == 1
            ? "1 stray byte between marker segments is skipped"
            : "\(count) stray bytes between marker segments are skipped"
        return ContainerError(.malformed(rule: rule), at: offset, in: StructurePath("JPEG"))
    }
}

extension WindowedBytes {
    /// The next marker's code at or after `place`, which moves to the marker's last FF, and the stray bytes found until
    /// then: those before it and the `known` ones.
    ///
    /// FF 00 is no marker, but two stray bytes; further FF are fill bytes, which are allowed.
    mutating func nextMarker(
        from place: inout Int, limits: DecodingLimits, after known: StrayBytes?
    ) throws(ContainerError) -> (marker: UInt8, stray: StrayBytes?) {
        var stray = known
        while true {
            let start = place
            if try byte(at: place) != 0xFF {
                place += 1
            } else {
                var marker = try byte(at: place + 1)
                while marker == 0xFF {
                    place += 1
                    marker = try byte(at: place + 1)
                }
                guard marker == 0 else { return (marker, stray) }
                place += 2
            }
            stray = StrayBytes(offset: stray?.offset ?? start, count: (stray?.count ?? 0) + place - start)
            try check(stray, at: place, limits: limits)
        }
    }

    private func check(_ stray: StrayBytes?, at place: Int, limits: DecodingLimits) throws(ContainerError) {
        let path = StructurePath("JPEG")
        let count = stray?.count ?? 0
        try limits.check(.metadataBytes, count, at: place, in: path)
        guard count <= StrayBytes.maximumCount else {
            throw ContainerError(
                .malformed(
                    rule: "more than \(StrayBytes.maximumCount) stray bytes stand between marker segments"),
                at: place, in: path)
        }
    }
}
