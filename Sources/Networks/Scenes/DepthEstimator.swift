public import ByteParsing
internal import DepthCore
public import DepthIO

/// A depth network in an ONNX file, which gives scenes depth that their files do not have.
///
/// ```swift
/// let estimator = try DepthEstimator(contentsOf: "depth-anything-v2-small.onnx", profile: "depth-anything")
/// let scene = try estimator.scene(for: DepthScene(contentsOf: "photo.jpg"))
/// try scene.blurred().write(to: "soft.jpg")
/// ```
///
/// Most networks give disparity whose scale *and* shift are unknown: ``DepthScale/affine``. Nothing gives it meters but a
/// ``DepthAlignment``. ONNX Runtime is loaded when the first picture is looked at.
public struct DepthEstimator: Sendable {
    private let network: Network

    /// Reads a network's file.
    ///
    /// `profile` names what the network expects and what its answer means, or a file of JSON that says so; without it, the file's
    /// SHA-256, the files of Hugging Face beside it, or its own metadata do. `runtime` is the file of ONNX Runtime; without it, the one that
    /// `ISOBATH_ONNXRUNTIME` names, or the system's. The network runs on as many threads as ``DepthScene/withThreadLimit(_:_:)``
    /// allows here.
    ///
    /// Throws ``ContainerError`` where the file cannot be read or is not a network, ``NetworkError`` where it cannot be used for depth.
    public init(
        contentsOf path: String, profile: String? = nil, runtime: String? = nil,
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        try self.init(
            Network(
                contentsOf: path, profile: profile, runtime: runtime, threads: threadCount(), limits: limits))
    }

    /// The estimator of a network. Throws ``NetworkError/purpose(needed:network:)`` where it gives no depth.
    package init(_ network: Network) throws {
        try network.profile.require(.depth)
        self.network = network
    }

    /// The scene with the network's depth in place of its own. The network runs when the depth is asked for.
    ///
    /// Throws ``SceneError`` without a picture, and where the depth to align with shows another view; ``DepthScaleError`` where that
    /// has no unit; ``NetworkError/alignment(_:)`` with fewer anchors than the network needs. The scene's depth throws ``NetworkError``.
    public func scene(for scene: DepthScene, alignment: DepthAlignment = .stored) throws -> DepthScene {
        DepthScene(try NetworkDepthSource(scene, network, alignment))
    }
}

/// How many threads a network may use here.
func threadCount() -> Int { min(threadLimit, coreCount) }
