/// The reason why a network or its output cannot be used.
public enum NetworkError: Error, Hashable, Sendable {
    /// ONNX Runtime cannot be loaded; with the reason.
    case runtime(String)
    /// The network cannot be used, for example because it has several inputs.
    case unsupported(String)
    /// The profile is invalid.
    case profile(String)
    /// No profile is known for the network; the text describes its inputs and outputs.
    case unknownProfile(String)
    /// The network has another purpose than the needed one; `network` names it.
    case purpose(needed: Answer, network: String)
    /// The network failed for a picture.
    case failed(String)
    /// The network took more than this for a picture, and was stopped.
    case tooSlow(seconds: Int)
    /// The answer does not match the profile.
    case answer(String)
    /// The depth cannot be aligned to meters.
    case alignment(Misalignment)

    /// The purpose of the network.
    public enum Answer: Hashable, Sendable {
        /// Depth or disparity.
        case depth
        /// The coverage of a subject.
        case matte
        /// Depth or a matte.
        case depthOrMatte
        /// Objects or classes.
        case objects
    }

    /// Why depth cannot be aligned to meters.
    public enum Misalignment: Hashable, Sendable {
        /// Too few samples have a known distance.
        case fewSamples(Int)
        /// The network sees the same depth at all of them.
        case flat
        /// The network's far is near, and vice versa.
        case reversed
        /// The network needs two anchors of different distance.
        case fewAnchors
        /// An anchor's distance is not a positive number of meters.
        case invalidAnchor
        /// Two anchors are at the same point of the picture.
        case samePoint
        /// The network sees the anchors at the same depth.
        case flatAnchors
        /// The network puts the nearer anchor behind the farther one.
        case reversedAnchors
        /// The network sees the anchor at infinity.
        case infiniteAnchor
        /// The network has no depth at an anchor.
        case noDepthAtAnchor
        /// The network returns a matte.
        case matte
    }
}

extension NetworkError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .runtime(let text), .unsupported(let text), .failed(let text): text
        case .profile(let text): "its profile cannot be used: \(text)"
        case .unknownProfile(let ports):
            "nothing says what this network expects and what its answer means (\(ports))"
        case .purpose(.depth, let network): "this network gives no depth: it is for \(network)"
        case .purpose(.matte, let network): "this network gives no matte: it is for \(network)"
        case .purpose(.objects, let network): "this network finds no objects: it is for \(network)"
        case .purpose(.depthOrMatte, let network):
            "this network gives neither depth nor a matte: it is for \(network)"
        case .tooSlow(let seconds): "the network took more than \(seconds) s, and was stopped"
        case .answer(let text): "unusable answer of the network: \(text)"
        case .alignment(let problem): "the depth cannot be aligned: \(problem)"
        }
    }
}

extension NetworkError.Misalignment: CustomStringConvertible {
    /// What is wrong, as a clause.
    public var description: String {
        switch self {
        case .fewSamples(let count): "only \(count) samples of known distance are in the picture"
        case .flat: "it is the same everywhere distances are known"
        case .reversed:
            "it is far where the known distances are near; perhaps it is disparity and not depth, or the "
                + "reverse"
        case .fewAnchors:
            "its scale and its shift are unknown, which takes two anchors of different distance; one is enough for "
                + "networks that answer in meters"
        case .invalidAnchor: "an anchor's distance must be a positive number of meters"
        case .samePoint: "two anchors are at the same point"
        case .flatAnchors: "it is the same at the anchors"
        case .reversedAnchors: "it has the nearer anchor behind the farther one"
        case .infiniteAnchor: "it is infinite at the anchor"
        case .noDepthAtAnchor: "it is unknown at an anchor"
        case .matte: "the network gives a matte and no depth"
        }
    }
}
