/// Rows of a plane around a middle one, with padding on every side, for loops that read neighbors.
struct RowWindow<Element: BitwiseCopyable & Sendable>: Sendable {
    private let height: Int
    private let margin: Int
    private let empty: [Element]
    private var rows: [[Element]]
    /// The plane's row in the middle; `nil` before the first move.
    private var middle: Int?

    /// A window of `margin` rows above and below a middle one, each with `margin` elements of padding at both ends.
    init(width: Int, height: Int, margin: Int, padding: Element) {
        self.height = height
        self.margin = margin
        empty = [Element](repeating: padding, count: width + 2 * margin)
        rows = [[Element]](repeating: empty, count: 2 * margin + 1)
    }

    /// Moves the middle to a row. `load` fills rows that are not loaded yet, after `margin` elements of padding; rows outside
    /// the plane are padding.
    mutating func move(to row: Int, load: (_ row: Int, _ elements: inout [Element]) -> Void) {
        let isNext = middle.map { row == $0 + 1 } ?? false
        middle = row
        for new in (isNext ? row + margin : row - margin)...row + margin {
            if (0..<height).contains(new) {
                load(new, &rows[place(new)])
            } else {
                rows[place(new)] = empty
            }
        }
    }

    /// The row `offset` below the middle one; element `margin` is the first of the plane.
    func row(_ offset: Int) -> [Element] { rows[place((middle ?? 0) + offset)] }

    private func place(_ row: Int) -> Int { (row + rows.count) % rows.count }
}
