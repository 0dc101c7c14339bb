/// Width and height in pixels.
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

extension PixelSize {
    /// Whether two sizes can show the same view: their aspect ratios differ by at most 2 %, or only by rounding to
    /// integer pixels. Empty sizes never match.
    ///
    /// Encoders round planes up to blocks of 16 pixels (1080 rows become 1088, 0.7 %), and no two picture shapes in use
    /// differ by less than 2.5 % (2.17 and 2.22, two screens of phones). Within 2 %, stretching a plane to the size of a
    /// photo moves it by at most 1 % of the width.
    public func hasSameAspect(as other: PixelSize) -> Bool {
        guard width > 0, height > 0, other.width > 0, other.height > 0 else { return false }
        let (a, b) = (
            Double(width) * Double(other.height), Double(other.width) * Double(height)
        )
        // One pixel more or less of the smaller size.
        let rounding = Double(max(width, height, other.width, other.height))
        return abs(a - b) <= max(0.02 * max(a, b), rounding)
    }
}

extension PixelSize {
    /// The size, reduced if a side is longer than `longestSide`; the shape stays.
    package func within(_ longestSide: Int) -> PixelSize {
        let longest = max(width, height)
        guard longest > longestSide, longest > 0 else { return self }
        func scaled(_ side: Int) -> Int { max(1, (side * longestSide + longest / 2) / longest) }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}

extension PixelSize {
    /// A size in a file; `nil` if it is not positive, or absurdly large.
    package init?(_ width: Int?, _ height: Int?) {
        guard let width, let height, (1...1 << 20).contains(width), (1...1 << 20).contains(height) else {
            return nil
        }
        self.init(width: width, height: height)
    }
}
