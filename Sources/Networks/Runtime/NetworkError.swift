/// Why a network cannot be used, or what is wrong with its answer.
public enum NetworkError: Error, Hashable, Sendable {
    /// ONNX Runtime cannot be loaded, and why not.
    case runtime(String)
    /// The network cannot be used here: it has several inputs, for example.
    case unsupported(String)
    /// What says how the network is used is wrong.
    case profile(String)
    /// Nothing says how the network is used; the text describes its inputs and outputs.
    case unknownProfile(String)
    /// The network is for something else.
    case purpose(String)
    /// The network failed on a picture.
    case failed(String)
    /// It took more than so many seconds for a picture, and was stopped.
    case tooSlow(seconds: Int)
    /// The answer is not what the profile says.
    case answer(String)
    /// The depth cannot be brought to meters by what is given.
    case alignment(String)
}

extension NetworkError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .runtime(let text), .unsupported(let text), .failed(let text): text
        case .profile(let text): "its profile cannot be used: \(text)"
        case .unknownProfile(let ports):
            "nothing says what this network expects and what its answer means (\(ports))"
        case .purpose(let text): text
        case .tooSlow(let seconds): "the network took more than \(seconds) s, and was stopped"
        case .answer(let text): "unusable answer of the network: \(text)"
        case .alignment(let text): "the depth of the network cannot be aligned: \(text)"
        }
    }
}
