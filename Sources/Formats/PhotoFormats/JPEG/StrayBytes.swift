internal import Bytes

/// Bytes between the marker segments of a JPEG image that belong to no segment. ITU-T T.81 allows only fill bytes (FF), but
/// some writers leave other bytes there, and libjpeg skips them ("extraneous bytes before marker").
struct StrayBytes: Equatable, Sendable {
    /// The offset of the first one in the file.
    var offset: Int
    /// Their number, between all segments of the image.
    var count: Int

    /// The maximum bytes that are skipped in one image. A file can list 256 images, and each could require a long
    /// search.
    static let maximumCount = 1 << 20

    /// The warning about them: nothing is lost.
    var remark: Diagnostic {
        let rule =
            count == 1
            ? "1 stray byte between marker segments is skipped"
            : "\(count) stray bytes between marker segments are skipped"
        return .warning("malformed", rule, at: offset, in: StructurePath("JPEG"))
    }
}
