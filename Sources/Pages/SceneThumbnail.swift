package import DepthIO
internal import DepthModel
internal import ImageCodecs

/// A small picture of a scene or a recording: the photo, or depth in colors without one.
package struct SceneThumbnail: Sendable {
    /// The JPEG file.
    package let jpeg: [UInt8]

    /// The JPEG quality of thumbnails.
    static let quality = 78

    /// Decodes a preview in the file, if there is one of this size, otherwise the photo, no larger than needed. Throws errors
    /// of decoding, ``SceneError/noPicture`` if there is nothing to show.
    package init(_ scene: DepthScene, longestSide: Int) throws {
        let photo = try scene.description.colorSize.flatMap {
            try scene.source.glance(atLeast: $0.within(longestSide))
        }
        guard photo != nil || scene.description.depth != nil else { throw SceneError.noPicture }
        let picture = try PagePicture(
            photo ?? SceneParts.colored(scene), longestSide: longestSide, quality: Self.quality,
            maximumBytes: 0)
        jpeg = picture.jpeg
    }

    /// A small picture of the depth in colors. Decodes it; throws errors of decoding, and ``SceneError`` without depth.
    package init(depthOf scene: DepthScene, longestSide: Int) throws {
        let picture = try PagePicture(
            SceneParts.colored(scene), longestSide: longestSide, quality: Self.quality, maximumBytes: 0)
        jpeg = picture.jpeg
    }

    /// The JPEG file with the album entry in a comment (ITU-T T.81 §B.2.4.5), for an album without a page of the photo.
    package func jpeg(saying entry: AlbumEntry) -> [UInt8] {
        let comment = entry.element
        let length = comment.count + 2
        guard length <= 0xFFFF, jpeg.count > 6 else { return jpeg }
        // JFIF requires its segment to be the first.
        let start = jpeg[2...].starts(with: [0xFF, 0xE0]) ? 4 + (Int(jpeg[4]) << 8) + Int(jpeg[5]) : 2
        guard start <= jpeg.count else { return jpeg }
        let head = [0xFF, 0xFE, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)]
        return jpeg[..<start] + head + comment + jpeg[start...]
    }
}
