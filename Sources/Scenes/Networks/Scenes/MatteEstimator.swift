public import Bytes
internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats
public import Scenes

/// A segmentation network in an ONNX file, which computes portrait mattes.
///
/// ```swift
/// let estimator = try MatteEstimator(contentsOf: "u2netp.onnx")
/// let scene = try estimator.scene(for: DepthScene(contentsOf: "photo.jpg"))
/// try scene.composited(over: .color(.white)).write(to: "white.jpg")
/// ```
///
/// Effects refine the matte along the photo's edges, like stored mattes.
public struct MatteEstimator: Sendable {
    private let network: Network

    /// Reads a network's file; see ``DepthEstimator/init(contentsOf:profile:runtime:limits:)``.
    ///
    /// Throws ``ContainerError`` if the file cannot be read or is not a network, ``NetworkError`` if it cannot be used for
    /// mattes.
    public init(
        contentsOf path: String, profile: String? = nil, runtime: String? = nil,
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        try self.init(
            Network(
                contentsOf: path, profile: profile, runtime: runtime, threads: threadCount(), limits: limits))
    }

    /// The estimator of a network. Throws ``NetworkError/purpose(needed:network:)`` if it does not return a matte.
    package init(_ network: Network) throws {
        try network.profile.require(.matte)
        self.network = network
    }

    /// The scene with the network's matte instead of its portrait matte. The network runs when the matte is first read.
    ///
    /// Throws ``SceneError/noPicture`` without a picture. The scene's matte throws ``NetworkError``.
    public func scene(for scene: DepthScene) throws -> DepthScene {
        try self.scene(for: scene, keepsPicture: true)
    }

    /// The scene with the network's matte; otherwise as ``scene(for:)``. Without `keepsPicture`, the picture is freed after
    /// the network ran, and decoded again if it is read: for callers that need only the matte.
    package func scene(for scene: DepthScene, keepsPicture: Bool) throws -> DepthScene {
        let size = network.answerSize(for: try scene.requireColorSize())
        let described = PlaneDescription(
            computed: .matte, width: size.width, height: size.height, bitDepth: 8, source: "network",
            type: network.path.lastPathComponent)
        var description = scene.description
        if !description.planes.contains(.matte) { description.planes.append(.matte) }
        description.storedPlanes.removeAll { $0.kind == .matte }
        description.storedPlanes.append(described)
        description.hasCoarseMatte = true
        return DepthScene(
            ComputedSource(description, over: scene) { [network] id, request, plane in
                guard id == .plane(.matte, 0) else { return false }
                let picture =
                    if keepsPicture { try scene.color() } else { try scene.picture(atLeast: nil) }
                guard let picture else { throw SceneError.noPicture }
                let matte = try network.matte(of: network.view(of: picture))
                plane = DecodedPlane(
                    SamplePlane(
                        width: matte.width, height: matte.height, bitDepth: 8, codes: .uint8(matte.coverage)),
                    described)
                return true
            })
    }
}
