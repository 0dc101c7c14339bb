public import Bytes
internal import DepthMaps
public import Scenes

/// A depth network in an ONNX file, which computes the depth of scenes without one.
///
/// ```swift
/// let estimator = try DepthEstimator(contentsOf: "depth-anything-v2-small.onnx", profile: "depth-anything")
/// let scene = try estimator.scene(for: DepthScene(contentsOf: "photo.jpg"))
/// try scene.blurred().write(to: "soft.jpg")
/// ```
///
/// Most networks return disparity with unknown scale *and* shift: ``DepthScale/affine``. Only a ``DepthAlignment`` converts
/// it to meters. ONNX Runtime is loaded for the first picture.
public struct DepthEstimator: Sendable {
    private let network: Network

    /// Reads a network's file.
    ///
    /// `profile` is the name of a profile or a JSON file, which describes the network's input and answer. By default, the
    /// profile is found by the file's SHA-256, the files of Hugging Face beside it, or the metadata in the file.
    /// `runtime` is the file of ONNX Runtime; by default the one that `ISOBATH_ONNXRUNTIME` names, or the system's. The
    /// network runs on as many threads as ``DepthScene/withThreadLimit(_:_:)`` allows here.
    ///
    /// Throws ``ContainerError`` if the file cannot be read or is not a network, ``NetworkError`` if it cannot be used for
    /// depth.
    public init(
        contentsOf path: String, profile: String? = nil, runtime: String? = nil,
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        try self.init(
            Network(
                contentsOf: path, profile: profile, runtime: runtime, threads: threadCount(), limits: limits))
    }

    /// The estimator of a network. Throws ``NetworkError/purpose(needed:network:)`` if it does not return depth.
    package init(_ network: Network) throws {
        try network.profile.require(.depth)
        self.network = network
    }

    /// The scene with the network's depth instead of the stored depth. The network runs when the depth is first read.
    ///
    /// Throws ``SceneError`` without a picture, and if the depth to align with shows another view; ``DepthScaleError`` if
    /// that depth has no unit; ``NetworkError/alignment(_:)`` with fewer anchors than the network needs. The scene's depth
    /// throws ``NetworkError``.
    public func scene(for scene: DepthScene, alignment: DepthAlignment = .stored) throws -> DepthScene {
        try NetworkAnswer(scene, network, alignment).computed
    }
}

/// How many threads a network may use here.
func threadCount() -> Int { min(threadLimit, coreCount) }
