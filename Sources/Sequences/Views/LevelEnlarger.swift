/// Enlarges rows of levels between samples; where one of the two on either side is unknown (negative), the nearer is taken.
///
/// A row of samples is first stretched to the new width, and kept for all rows that lie between it and the next one: finding samples
/// costs more than mixing rows.
struct LevelEnlarger {
    private var columns = Axis()
    private var rows = Axis()
    /// Rows of samples at the new width.
    private var (above, below): ([Float], [Float]) = ([], [])
    /// The row of samples that ``above`` holds, of the levels since ``begin()``.
    private var stretched: Int?
    /// The levels of a row of the new size.
    private(set) var line: [Int32] = []

    /// Sets up for a size, and for levels that were not seen yet.
    mutating func begin(width: Int, height: Int, fromWidth: Int, fromHeight: Int) {
        columns.set(count: width, samples: fromWidth)
        rows.set(count: height, samples: fromHeight)
        stretched = nil
        guard line.count != width else { return }
        line = [Int32](repeating: 0, count: width)
        (above, below) = ([Float](repeating: 0, count: width), [Float](repeating: 0, count: width))
    }

    /// Finds ``line``, a row of the new size. Rows come in their order.
    mutating func enlarge(_ levels: Span<Int32>, width: Int, row: Int) {
        let upper = Int(rows.first[row])
        if stretched != upper {
            if let stretched, stretched + 1 == upper {
                swap(&above, &below)
            } else {
                Self.stretch(levels, width, row: upper, columns, into: &above)
            }
            let lower = Axis.next(after: upper, of: levels.count / width)
            Self.stretch(levels, width, row: lower, columns, into: &below)
            stretched = upper
        }
        let share = rows.share[row]
        // SAFETY: all have as many pixels. Pointers, because the loop is one that compilers turn into vectors.
        unsafe above.withUnsafeBufferPointer { above in
            unsafe below.withUnsafeBufferPointer { below in
                unsafe line.withUnsafeMutableBufferPointer { line in
                    for column in 0..<line.count {
                        let (a, b) = unsafe (above[column], below[column])
                        let nearer = share >= 0.5 ? b : a
                        let mixed = min(a, b) < 0 ? nearer : a + (b - a) * share
                        // Adding 2²³ leaves the rounded number in the lowest bits; -1 stays below 0.
                        let bits = (mixed + 8_388_608).bitPattern
                        unsafe line[column] = Int32(bitPattern: bits) &- 0x4B00_0000
                    }
                }
            }
        }
    }

    /// Enlarges a row of samples across.
    private static func stretch(
        _ levels: Span<Int32>, _ width: Int, row: Int, _ columns: Axis, into output: inout [Float]
    ) {
        let samples = levels.extracting(row * width..<(row + 1) * width)
        var output = output.mutableSpan
        for column in output.indices {
            let place = Int(columns.first[column])
            let share = columns.share[column]
            let (a, b) = (Float(samples[place]), Float(samples[Axis.next(after: place, of: width)]))
            output[column] = min(a, b) < 0 ? (share >= 0.5 ? b : a) : a + (b - a) * share
        }
    }
}
