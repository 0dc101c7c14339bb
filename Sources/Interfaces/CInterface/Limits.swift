internal import Bytes
internal import Embedded

/// `isobath_limits`
@_cdecl("isobath_limits")
public func limits() -> UnsafeMutablePointer<CChar>? {
    let defaults = DecodingLimits()
    return unsafe copied(
        JSONValue.object(DecodingLimits.Name.allCases.map { ($0.rawValue, .integer(defaults[$0])) })
            .serialized)
}

extension DecodingLimits {
    /// The defaults with other values, as text: `pixels=50000000,memory-bytes=1000000000`.
    init(_ text: String?) throws(InvalidArgument) {
        self.init()
        for pair in text?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            guard parts.count == 2 else {
                throw InvalidArgument("limits must be NAME=N,NAME=N, not '\(pair)'")
            }
            guard let name = Name(rawValue: parts[0]) else {
                throw InvalidArgument("there is no limit named '\(parts[0])'")
            }
            guard let value = Int(parts[1]), (0...name.maximum).contains(value) else {
                throw InvalidArgument(
                    "the limit '\(name.rawValue)' must be a number from 0 to \(name.maximum), not '\(parts[1])'"
                )
            }
            self[name] = value
        }
    }
}
