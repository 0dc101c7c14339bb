/// Pixels in a row, and the number of rows.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// Pixels in a row.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// Neither may be negative.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// As in `4032 × 3024`.
    public var description: String { "\(width) × \(height)" }
}
