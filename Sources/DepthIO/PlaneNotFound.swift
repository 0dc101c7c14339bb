public import DepthModel

/// The file is fine, and has no such plane.
public struct PlaneNotFound: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind that was asked for; `nil` when either of depth and disparity would have done.
    public var wanted: PlaneKind?
    /// The kinds that the file has, in file order.
    public var available: [PlaneKind]
    /// What else explains it.
    public var detail: String?
    /// What was asked for, where it is no kind of plane.
    public var subject: String?

    /// Says what was asked for, and what is there instead.
    public init(
        wanted: PlaneKind?, available: [PlaneKind], detail: String? = nil, subject: String? = nil
    ) {
        self.wanted = wanted
        self.available = available
        self.detail = detail
        self.subject = subject
    }

    /// Names what is missing and what is there.
    public var description: String {
        let name = subject ?? "\(wanted?.rawValue ?? "depth or disparity") plane"
        if let detail { return "no \(name); \(detail)" }
        guard !available.isEmpty else { return "no \(name); the file has no auxiliary planes at all" }
        return "no \(name); the file has \(available.map(\.rawValue).joined(separator: ", "))"
    }
}
