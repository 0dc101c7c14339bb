package import DepthIO
internal import DepthModel
internal import ImageCodecs

/// A small picture of a scene: the photo, or depth in colors where there is none.
package struct SceneThumbnail: Sendable {
    /// The JPEG file.
    package let jpeg: [UInt8]

    /// How well thumbnails are coded.
    static let quality = 78

    /// Decodes the scene, no larger than needed. Throws what decoding throws, ``SceneError/noPicture`` where there is nothing to show.
    package init(_ scene: DepthScene, longestSide: Int) throws {
        let photo = try scene.description.colorSize.flatMap {
            try scene.picture(atLeast: $0.within(longestSide))
        }
        guard photo != nil || scene.description.depth != nil else { throw SceneError.noPicture }
        let picture = try PagePicture(
            photo ?? SceneParts.colored(scene), longestSide: longestSide, quality: Self.quality,
            maximumBytes: 0)
        jpeg = picture.jpeg
    }
}
