internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Scenes

/// A scene whose portrait matte is computed by a network from its picture. It replaces a stored one.
struct NetworkMatteSource: DerivedSource {
    let scene: DepthScene
    let network: Network
    /// Whether the picture stays in memory for work with the matte. Without it, the network needs less memory.
    let keepsPicture: Bool

    /// Throws ``SceneError/noPicture`` without a picture, ``NetworkError/purpose(needed:network:)`` if the network does not
    /// return a matte.
    init(_ scene: DepthScene, _ network: Network, keepsPicture: Bool) throws {
        try network.profile.require(.matte)
        _ = try scene.requireColorSize()
        (self.scene, self.network, self.keepsPicture) = (scene, network, keepsPicture)
    }

    func describe() -> SceneDescription {
        var description = scene.description
        if !description.planes.contains(.matte) { description.planes.append(.matte) }
        description.hasCoarseMatte = true
        return description
    }

    func matte(_ kind: PlaneKind) throws -> Matte? {
        kind == .matte ? try network.matte(of: view()) : try scene.matte(kind)
    }

    private func view() throws -> Network.View {
        guard !keepsPicture else { return try network.view(of: scene.color()) }
        guard let picture = try scene.picture(atLeast: nil) else { throw SceneError.noPicture }
        return try network.view(of: picture)
    }

    func samples(of kind: PlaneKind) throws -> SamplePlane? {
        kind == .matte ? nil : try scene.samples(of: kind)
    }
}
