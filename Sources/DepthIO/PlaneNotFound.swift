public import DepthModel

/// The file is fine, and has no such plane.
public struct PlaneNotFound: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind that was asked for; `nil` when either of depth and disparity would have done.
    public var wanted: PlaneKind?
    /// The kinds that the file has, in file order.
    public var available: [PlaneKind]
    /// What else explains it.
    public var detail: String?

    /// Names what is missing and what is there.
    public var description: String {
        let name = wanted?.rawValue ?? "depth or disparity"
        if let detail { return "no \(name) plane; \(detail)" }
        guard !available.isEmpty else { return "no \(name) plane; the file has no auxiliary planes at all" }
        return "no \(name) plane; the file has \(available.map(\.rawValue).joined(separator: ", "))"
    }
}
