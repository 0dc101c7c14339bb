public import ByteParsing
public import DepthIO

/// A segmentation network in an ONNX file, which gives scenes a portrait matte.
///
/// ```swift
/// let estimator = try MatteEstimator(contentsOf: "u2netp.onnx")
/// let scene = try estimator.scene(for: DepthScene(contentsOf: "photo.jpg"))
/// try scene.composited(over: .color(.white)).write(to: "white.jpg")
/// ```
///
/// Effects refine the matte along the photo's edges, as they refine stored ones.
public struct MatteEstimator: Sendable {
    private let network: Network

    /// Reads a network's file; see ``DepthEstimator/init(contentsOf:profile:runtime:limits:)``.
    ///
    /// Throws ``ContainerError`` where the file cannot be read or is not a network, ``NetworkError`` where it cannot be used for mattes.
    public init(
        contentsOf path: String, profile: String? = nil, runtime: String? = nil,
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        try self.init(
            Network(
                contentsOf: path, profile: profile, runtime: runtime, threads: threadCount(), limits: limits))
    }

    /// The estimator of a network. Throws ``NetworkError/purpose(needed:network:)`` where it gives no matte.
    package init(_ network: Network) throws {
        try network.profile.require(.matte)
        self.network = network
    }

    /// The scene with the network's matte in place of its portrait matte. The network runs when the matte is asked for.
    ///
    /// Throws ``SceneError/noPicture`` without a picture. The scene's matte throws ``NetworkError``.
    public func scene(for scene: DepthScene) throws -> DepthScene {
        try self.scene(for: scene, keepsPicture: true)
    }

    /// The scene with the network's matte; otherwise as ``scene(for:)``. Where nothing but the matte is wanted, the picture need not
    /// stay in memory: it is decoded again where it is asked for all the same.
    package func scene(for scene: DepthScene, keepsPicture: Bool) throws -> DepthScene {
        DepthScene(try NetworkMatteSource(scene, network, keepsPicture: keepsPicture))
    }
}
