internal import DepthCore

/// Enlarges rows of levels between samples; where one of the two on either side is unknown (negative), the nearer is taken.
///
/// A row of samples is first stretched to the new width, and kept for all rows that lie between it and the next one: finding samples
/// costs more than mixing rows.
struct LevelEnlarger {
    private var columns = InterpolationAxis()
    private var rows = InterpolationAxis()
    /// Rows of samples at the new width.
    private var (above, below): ([Float], [Float]) = ([], [])
    /// The row of samples that ``above`` holds, of the levels since the last ``begin(width:height:fromWidth:fromHeight:)``.
    private var stretched: Int?
    /// The levels of a row of the new size.
    private(set) var line: [Float] = []

    /// Sets up for a size, and for levels that were not seen yet.
    mutating func begin(width: Int, height: Int, fromWidth: Int, fromHeight: Int) {
        columns.set(count: width, samples: fromWidth)
        rows.set(count: height, samples: fromHeight)
        stretched = nil
        guard line.count != width else { return }
        line = [Float](repeating: 0, count: width)
        (above, below) = (line, line)
    }

    /// Finds ``line``, a row of the new size. Rows come in their order.
    mutating func enlarge(_ levels: Span<Float>, width: Int, row: Int) {
        let upper = Int(rows.first[row])
        if stretched != upper {
            if let stretched, stretched + 1 == upper {
                swap(&above, &below)
            } else {
                Self.stretch(levels, width, row: upper, columns, into: &above)
            }
            let lower = min(upper + 1, levels.count / width - 1)
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
                        unsafe line[column] = min(a, b) < 0 ? nearer : a + (b - a) * share
                    }
                }
            }
        }
    }

    /// Enlarges a row of samples across.
    private static func stretch(
        _ levels: Span<Float>, _ width: Int, row: Int, _ columns: InterpolationAxis,
        into output: inout [Float]
    ) {
        precondition(columns.first.count == output.count && columns.share.count == output.count)
        let samples = levels.extracting(row * width..<(row + 1) * width)
        // A single sample is its own next one.
        let step = min(1, width - 1)
        // SAFETY: there are as many columns, as was checked. The next sample, too, is below the width.
        unsafe samples.withUnsafeBufferPointer { samples in
            unsafe columns.first.withUnsafeBufferPointer { places in
                unsafe columns.share.withUnsafeBufferPointer { shares in
                    unsafe output.withUnsafeMutableBufferPointer { output in
                        for column in 0..<output.count {
                            let (place, share) = unsafe (Int(places[column]), shares[column])
                            let (a, b) = unsafe (samples[place], samples[place &+ step])
                            let nearer = share >= 0.5 ? b : a
                            unsafe output[column] = min(a, b) < 0 ? nearer : a + (b - a) * share
                        }
                    }
                }
            }
        }
    }
}
