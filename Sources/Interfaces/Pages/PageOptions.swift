internal import Embedded
package import Scenes

/// How to make a page.
package struct PageOptions: Hashable, Sendable {
    /// Maximum pixels on the longer side of the photo.
    package var longestSide = 2048
    /// The quality of the photo's JPEG, 1…100; `nil` for the best one within ``PageOptions/usualBytes``.
    package var quality: Int?
    /// The picture to show; `nil` for the photo, refocused as the original if there is one.
    package var pictureOrigin: PictureOrigin?
    /// Maximum number of frames in the page of a recording.
    package var frameCount = 48
    /// Maximum pixels on the longer side of these frames.
    package var frameSide = 640
    /// Whether ``frameSide`` was given by the caller, and takes precedence over the page's size.
    package var hasOwnFrameSide = false
    /// The program to name in the page.
    package var tool = "isobath \(isobathVersion)"
    /// The relative address of the page's album; `nil` without an album.
    package var album: String?
    /// Pixels on the longer side of a thumbnail; `nil` for no thumbnail.
    package var thumbnailSide: Int?

    /// The maximum size of a page if no quality is given, unless its depth alone needs more.
    package static let usualBytes = 1_500_000
    /// The bytes of the document without its data.
    private static let documentBytes = 145_000
    /// The maximum bytes of each picture of a photo, if its planes leave less.
    private static let leastBytes = 120_000
    /// The maximum bytes of the picture of a frame.
    private static let frameBytes = 40_000

    /// The default page.
    package init() {}

    /// The link back to the album; empty without an album.
    var navigation: [UInt8] {
        album.map { Array("<nav><a href=\"\($0.asAddress.forPage)\">All photos</a></nav>\n".utf8) } ?? []
    }

    /// The maximum bytes of each of a photo's pictures, which share the bytes of a page that remain after `planeBytes`; base64 needs
    /// four bytes for three.
    func pictureBytes(besides planeBytes: Int, count: Int) -> Int {
        let budget = (Self.usualBytes - Self.documentBytes) / 4 * 3 - planeBytes
        return max(budget / count, Self.leastBytes)
    }

    /// The maximum bytes of the picture of a frame.
    var frameBytes: Int { hasOwnFrameSide ? .max : Self.frameBytes }
}
