/// Why a cloud cannot be made as asked.
public struct CloudError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String

    /// Says what is wrong.
    public init(description: String) { self.description = description }
}
