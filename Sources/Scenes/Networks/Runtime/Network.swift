public import Bytes
package import DepthMaps
internal import DepthTypes
internal import Synchronization

/// A network in an ONNX file, which computes the depth or a matte of scenes, or finds objects in them.
///
/// ```swift
/// let network = try Network(contentsOf: "depth-anything-v2-small.onnx", profile: "depth-anything")
/// let scene = try network.scene(for: DepthScene(contentsOf: "photo.jpg"))
/// try scene.blurred().write(to: "soft.jpg")
/// ```
///
/// Most depth networks return disparity with unknown scale *and* shift: ``DepthScale/affine``. Only a ``DepthAlignment``
/// converts it to meters.
///
/// Opening a network parses its file. ONNX Runtime is loaded for the first picture.
public final class Network: Sendable {
    /// The file's path, as given.
    package let path: String
    /// The declarations of the file.
    package let model: NetworkModel
    /// How the network is used.
    package let profile: NetworkProfile
    /// How the profile was found.
    package let origin: ProfileOrigin
    package let input: NetworkInput
    private let outputs: [NetworkModel.Port]
    private let limits: DecodingLimits
    private let threads: Int
    private let state: Mutex<State>

    private enum State {
        case bytes([UInt8])
        case ready(NetworkSession)
    }

    /// Reads a network's file.
    ///
    /// `profile` is the name of a profile or a JSON file, which describes the network's input and answer. By default, the
    /// profile is found by the file's SHA-256, the files of Hugging Face beside it, or the metadata in the file.
    /// ONNX Runtime is the library that `ISOBATH_ONNXRUNTIME` names, or the system's.
    /// `threads` run the network; by default as many as ``DepthScene/withThreadLimit(_:_:)`` allows here.
    ///
    /// Throws ``ContainerError`` if the file cannot be read or is not a network, ``NetworkError`` if it cannot be used.
    public init(
        contentsOf path: String, profile given: String? = nil, threads: Int? = nil,
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        let bytes = try Self.read(path, limits)
        model = try NetworkModel(parsing: bytes, limits: limits)
        guard let (profile, origin) = try model.profile(given, path: path, limits: limits) else {
            throw NetworkError.unknownProfile(
                (model.inputs + model.outputs).map { "\($0)" }.joined(separator: "; "))
        }
        (self.path, self.profile, self.origin) = (path, profile, origin)
        input = try NetworkInput(model, profile)
        outputs = try Self.outputs(of: model, profile)
        self.threads = max(1, threads ?? min(threadLimit, coreCount))
        self.limits = limits
        state = Mutex(.bytes(bytes))
    }

    /// What the network gives: depth, a matte, or objects.
    public var answer: NetworkError.Answer { profile.answer }

    /// The bytes of a network's file, checked against the limits.
    static func read(_ path: String, _ limits: DecodingLimits) throws(ContainerError) -> [UInt8] {
        let source = try FileSource(path: path, limits: limits)
        try limits.check(.modelBytes, source.byteCount)
        return try source.read(0..<source.byteCount)
    }

    /// The requested outputs: the one that the profile names, or the first, and all outputs that belong to it. The focal length
    /// may be missing.
    static func outputs(
        of model: NetworkModel, _ profile: NetworkProfile
    ) throws(NetworkError) -> [NetworkModel.Port] {
        let all = model.outputs
        let tensors = all.filter { $0.element != nil }
        guard !tensors.isEmpty else { throw .unsupported("the network has no output that is a tensor") }
        if profile.meaning == .corners { return tensors }
        let names = [profile.output ?? tensors[0].name, profile.scaleOutput, profile.validityOutput]
        return try names.compactMap(\.self).map { (name) throws(NetworkError) in
            guard let output = tensors.first(where: { $0.name == name }) else {
                let known = all.map(\.name).joined(separator: ", ")
                throw .unsupported("the network has no output '\(name)'; it has \(known)")
            }
            return output
        } + tensors.filter { $0.name == profile.focalLengthOutput }
    }

    /// Loads the runtime and prepares the network, unless that is done already.
    package func prepare() throws(NetworkError) { _ = try session() }

    private func session() throws(NetworkError) -> NetworkSession {
        try state.withLock { (state) throws(NetworkError) in
            switch state {
            case .ready(let session): return session
            case .bytes(let bytes):
                try OnnxRuntime.load()
                let session = try NetworkSession(bytes, threads: threads)
                state = .ready(session)
                return session
            }
        }
    }

    /// A picture as a network's input, with the picture's size but without its pixels, which can be freed while the network
    /// runs.
    package struct View: Sendable {
        let tensor: NetworkTensor
        let size: PixelSize
    }

    /// Converts a picture to the network's input. Throws ``ContainerError`` if the tensor would be too large.
    package func view(of image: ColorImage) throws(ContainerError) -> View {
        View(
            tensor: try input.tensor(of: image, limits: limits),
            size: PixelSize(width: image.width, height: image.height))
    }

    /// The outputs for a picture, in the order of ``outputNames``.
    ///
    /// Throws ``NetworkError``, and ``ContainerError`` if a tensor would be too large.
    package func run(on image: ColorImage) throws -> [NetworkTensor] { try run(on: view(of: image)) }

    /// The outputs for a prepared view, in the order of ``outputNames``. Throws ``NetworkError``.
    package func run(on view: View) throws -> [NetworkTensor] {
        try session().run(
            view.tensor, named: input.name, count: input.count, outputs: outputNames,
            mostElements: limits[.tensorBytes] / 4, seconds: limits[.seconds])
    }

    /// The names of the requested outputs.
    package var outputNames: [String] { outputs.map(\.name) }
}
