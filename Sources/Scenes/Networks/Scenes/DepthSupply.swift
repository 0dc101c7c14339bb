internal import Bytes
package import DepthMaps
internal import DepthTypes
internal import PhotoFormats
package import Scenes

/// Depth that a scene does not store: of a network, or of a caller.
package struct DepthSupply: Sendable {
    var size: PixelSize
    var quantity: DepthQuantity
    /// The scale of its values before they are aligned.
    var scale: DepthScale
    /// The origin, as a clause.
    var origin: String
    /// The name of the network's file.
    var file = ""
    /// Whether it has the camera's focal length as well.
    var hasFocalLength = false
    /// The values for a scene.
    var values: @Sendable (DepthScene) throws -> NetworkDepth
}

extension DepthSupply {
    /// Depth of the complete view, upright and of any size.
    package init(_ map: DepthMap) {
        self.init(
            size: PixelSize(width: map.width, height: map.height), quantity: .depth, scale: map.scale,
            origin: Self.givenOrigin
        ) { _ in .relative(map, focalLength: nil) }
    }

    /// Disparity of the complete view, upright and of any size.
    package init(_ map: DisparityMap) {
        self.init(
            size: PixelSize(width: map.width, height: map.height), quantity: .disparity, scale: map.scale,
            origin: Self.givenOrigin
        ) { _ in .affine(map) }
    }

    private static let givenOrigin = "the depth is supplied by the caller"

    /// The answer of a network for a scene's picture. Throws ``SceneError/noPicture`` without one.
    package init(_ network: Network, for scene: DepthScene) throws {
        let (profile, picture) = (network.profile, try scene.requireColorSize())
        let camera = scene.description.cameras.camera(for: picture)
        let needsCamera = profile.canonicalFocalLength != nil
        self.init(
            size: network.answerSize(for: picture), quantity: profile.hasUnit ? .depth : .disparity,
            scale: profile.hasUnit ? .relative : .affine,
            origin: "the depth is computed by a network (profile \(profile.name))"
                + (needsCamera ? "; its meters follow from the camera: \(camera.source)" : ""),
            file: network.path.lastPathComponent, hasFocalLength: profile.givesFocalLength
        ) { scene in try network.depth(of: scene.color(), camera: camera) }
    }
}
