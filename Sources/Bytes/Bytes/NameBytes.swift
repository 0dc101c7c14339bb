/// The bytes of all names and paths in one list of a file, bounded by `name-bytes`.
package struct NameBytes: Sendable {
    private let limits: DecodingLimits
    private var total = 0

    /// Starts counting for a list.
    package init(_ limits: DecodingLimits) { self.limits = limits }

    /// Counts a name before it is stored. Throws if all names together exceed the limit.
    package mutating func count(_ name: String, at offset: Int? = nil) throws(ContainerError) {
        total += name.utf8.count
        try limits.check(.nameBytes, total, at: offset)
    }
}
