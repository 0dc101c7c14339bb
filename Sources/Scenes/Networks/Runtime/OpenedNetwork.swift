package import Bytes
internal import Synchronization

extension Network {
    /// The network in a file, which stays open for the next call, because loading one takes seconds. It is opened again if
    /// the file has changed.
    package static func opened(
        _ path: String, profile: String?, threads: Int, limits: DecodingLimits
    ) throws -> Network {
        let key = OpenedNetwork.Key(
            path: path, file: FileIdentity(path: path), profile: profile, threads: threads, limits: limits)
        return try openNetworks.withLock { known in
            if let index = known.firstIndex(where: { $0.key == key }) {
                known.append(known.remove(at: index))
            } else {
                let network = try Network(
                    contentsOf: path, profile: profile, threads: threads, limits: limits)
                if known.count == OpenedNetwork.most { known.removeFirst() }
                known.append(OpenedNetwork(key: key, network: network))
            }
            return known[known.count - 1].network
        }
    }
}

private struct OpenedNetwork {
    /// What decides how a network is opened. The results that a job makes of its output do not.
    struct Key: Hashable {
        var path: String
        var file: FileIdentity?
        var profile: String?
        var threads: Int
        var limits: DecodingLimits
    }

    var key: Key
    var network: Network

    /// How many networks stay open at most, since each may take gigabytes.
    static let most = 4
}

/// Sorted by last use, the latest at the end.
private let openNetworks = Mutex<[OpenedNetwork]>([])
