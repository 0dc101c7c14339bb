/// How a background of another shape fills the photo's frame.
public enum BackgroundFit: String, CaseIterable, Hashable, Sendable {
    /// Scaled to fill the frame; the excess is cropped evenly on both sides.
    case cover
    /// Scaled to be completely visible; the rest of the frame is black.
    case contain
    /// Scaled to the frame in each direction separately.
    case stretch

    /// The visible part of a background, and its position in the frame.
    struct Placement: Equatable {
        /// Columns of the background, measured between pixel edges.
        var sourceColumns: ClosedRange<Double>
        /// Rows of the background, measured between pixel edges.
        var sourceRows: ClosedRange<Double>
        /// Columns of the frame.
        var columns: Range<Int>
        /// Rows of the frame.
        var rows: Range<Int>
    }

    func placement(of width: Int, _ height: Int, in frameWidth: Int, _ frameHeight: Int) -> Placement {
        let (w, h) = (Double(width), Double(height))
        let (scaleX, scaleY) = (Double(frameWidth) / w, Double(frameHeight) / h)
        var placement = Placement(
            sourceColumns: 0...w, sourceRows: 0...h, columns: 0..<frameWidth, rows: 0..<frameHeight)
        switch self {
        case .stretch: break
        case .cover:
            let scale = max(scaleX, scaleY)
            placement.sourceColumns = Self.middle(Double(frameWidth) / scale, of: w)
            placement.sourceRows = Self.middle(Double(frameHeight) / scale, of: h)
        case .contain:
            let scale = min(scaleX, scaleY)
            placement.columns = Self.middle(Int((w * scale).rounded()), of: frameWidth)
            placement.rows = Self.middle(Int((h * scale).rounded()), of: frameHeight)
        }
        return placement
    }

    private static func middle(_ length: Double, of whole: Double) -> ClosedRange<Double> {
        let length = min(length, whole)
        return (whole - length) / 2...(whole + length) / 2
    }

    private static func middle(_ length: Int, of whole: Int) -> Range<Int> {
        let length = min(max(length, 1), whole)
        let start = (whole - length) / 2
        return start..<start + length
    }
}
