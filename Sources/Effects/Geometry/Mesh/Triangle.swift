/// Three corners of a mesh, by the indices of its vertices, counter-clockwise seen from the camera.
public struct Triangle: BitwiseCopyable, Hashable, Sendable {
    /// The first corner.
    public var first: UInt32
    /// The second corner.
    public var second: UInt32
    /// The third corner.
    public var third: UInt32

    /// A triangle of three vertices, by their indices.
    public init(_ first: UInt32, _ second: UInt32, _ third: UInt32) {
        (self.first, self.second, self.third) = (first, second, third)
    }
}
