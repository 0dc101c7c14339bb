internal import Isobath

/// The files that an isolated process announced for one input, and how many of them it reported as written.
struct PublishedFiles {
    private var announced: [(path: String, identity: FileIdentity)] = []
    private var reported = 0

    mutating func note(_ message: Message) {
        switch message {
        case .publishing(let path, let identity): announced.append((path, identity))
        case .written: reported += 1
        default: break
        }
    }

    /// The files that exist but were not reported.
    var unreported: [String] {
        let present = announced.filter { FileIdentity(path: $0.path) == $0.identity }
        return present.dropFirst(reported).map(\.path)
    }
}
