internal import ByteParsing

/// Bytes between the marker segments of a JPEG image that are not part of any. ITU-T T.81 allows fill bytes (FF) only,
/// but some writers leave others there, and libjpeg skips them ("extraneous bytes before marker").
struct StrayBytes: Equatable, Sendable {
    /// The offset of the first in the file.
    var offset: Int
    /// How many there are, between all segments of the image.
    var count: Int

    /// The largest number that is skipped in one image. A file can name 256 images, and each could be a walk.
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
