/// Some rows of the result of matching.
struct MatchedRows: Sendable {
    private let width: Int
    /// xₗ − xᵣ in pixels, `nan` where nothing matches. Empty unless matches are checked.
    var disparity: [Float]
    /// 1…255, and 0 where nothing matches. Empty unless matches are checked.
    var confidence: [UInt8]
    /// The disparity of lowest cost at each pixel.
    private(set) var winners: CoarseDisparities

    init(width: Int, count: Int, isChecked: Bool) {
        self.width = width
        let checked = isChecked ? width * count : 0
        disparity = [Float](repeating: .nan, count: checked)
        confidence = [UInt8](repeating: 0, count: checked)
        winners = CoarseDisparities(
            width: width, height: count, samples: [Int16](repeating: 0, count: width * count))
    }

    /// Copies the selected row, and resets `selected` for the next one.
    mutating func set(_ row: Int, _ selected: borrowing SelectedRow, _ selection: DisparitySelection) {
        for column in 0..<width { winners.samples[row * width + column] = selected[.winner, column] }
        guard selected.isChecked else { return }
        selection.finish(selected, into: &disparity, &confidence, at: row * width)
    }

    /// Adds the rows below.
    mutating func append(_ rows: MatchedRows) {
        disparity += rows.disparity
        confidence += rows.confidence
        winners.append(rows.winners)
    }
}
