/// Enlarges rows of levels between samples; where one of the four around is unknown (negative), the nearest is taken.
struct LevelEnlarger {
    private var columns = Axis()
    private var rows = Axis()
    private var between: [Int32] = []
    private(set) var line: [Int32] = []
    private var shares: [Int32] = []

    /// Sets up for a size.
    mutating func set(width: Int, height: Int, fromWidth: Int, fromHeight: Int) {
        columns.set(count: width, samples: fromWidth)
        rows.set(count: height, samples: fromHeight)
        guard line.count != width || between.count != fromWidth + 1 else { return }
        line = [Int32](repeating: 0, count: width)
        between = [Int32](repeating: 0, count: fromWidth + 1)
        shares = columns.share.map { Int32($0 * 256 + 0.5) }
    }

    /// Finds ``line``, a row of the new size.
    mutating func enlarge(_ levels: Span<Int32>, row: Int) {
        let width = between.count - 1
        let upper = Int(rows.first[row])
        let lower = min(upper + 1, levels.count / width - 1)
        let down = Int32(rows.share[row] * 256 + 0.5)
        let takesLower = down >= 128
        // SAFETY: rows lie inside the levels. Samples before columns are below the width, and one more is there behind them.
        unsafe levels.withUnsafeBufferPointer { levels in
            unsafe between.withUnsafeMutableBufferPointer { between in
                guard let first = levels.baseAddress, let between = between.baseAddress else { return }
                let (above, below) = unsafe (first + upper * width, first + lower * width)
                for column in 0..<width {
                    let (a, b) = unsafe (above[column], below[column])
                    let value = a &+ ((b &- a) &* down) >> 8
                    unsafe between[column] = (a | b) < 0 ? (takesLower ? b : a) : value
                }
                unsafe between[width] = between[width - 1]
                unsafe line.withUnsafeMutableBufferPointer { line in
                    unsafe columns.first.withUnsafeBufferPointer { columns in
                        unsafe shares.withUnsafeBufferPointer { shares in
                            for column in 0..<line.count {
                                let place = unsafe Int(columns[column])
                                let (a, b) = unsafe (between[place], between[place + 1])
                                let across = unsafe shares[column]
                                let value = a &+ ((b &- a) &* across) >> 8
                                unsafe line[column] = (a | b) < 0 ? (across >= 128 ? b : a) : value
                            }
                        }
                    }
                }
            }
        }
    }
}
