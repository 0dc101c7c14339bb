package import Scenes

/// A small picture of a scene or a recording: the photo, or depth in colors without one.
package struct SceneThumbnail: Sendable {
    package let jpeg: [UInt8]

    /// The JPEG quality of thumbnails.
    static let quality = 78

    /// A small picture of the depth in colors. Decodes it; throws errors of decoding, and ``SceneError`` without depth.
    package init(depthOf scene: DepthScene, longestSide: Int) throws {
        let picture = try PagePicture(
            SceneParts.colored(scene), longestSide: longestSide, quality: Self.quality, maximumBytes: 0)
        jpeg = picture.jpeg
    }
}
