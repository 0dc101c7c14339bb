internal import DepthMaps

/// Enlarges rows of levels by interpolation. If one of two adjacent samples is unknown (negative), the nearer of the two is
/// used.
///
/// A row of samples is first stretched to the new width, and kept for all rows between it and the next: finding samples costs
/// more than mixing rows.
struct LevelEnlarger {
    private var columns = InterpolationAxis()
    private var rows = InterpolationAxis()
    /// Two rows of samples at the new width.
    private var (above, below): ([Float], [Float]) = ([], [])
    /// The row of samples in ``above``, since the last ``begin(width:height:fromWidth:fromHeight:)``.
    private var stretched: Int?
    /// The levels of a row of the new size.
    private(set) var line: [Float] = []

    /// Prepares for a size and new levels.
    mutating func begin(width: Int, height: Int, fromWidth: Int, fromHeight: Int) {
        columns.set(count: width, samples: fromWidth)
        rows.set(count: height, samples: fromHeight)
        stretched = nil
        guard line.count != width else { return }
        line = [Float](repeating: 0, count: width)
        (above, below) = (line, line)
    }

    /// Computes ``line``, a row of the new size. Rows must be requested in order.
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
        // SAFETY: all have the same number of pixels. Pointers let compilers vectorize the loop.
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

    /// Stretches a row of samples horizontally.
    private static func stretch(
        _ levels: Span<Float>, _ width: Int, row: Int, _ columns: InterpolationAxis,
        into output: inout [Float]
    ) {
        precondition(columns.first.count == output.count && columns.share.count == output.count)
        let samples = levels.extracting(row * width..<(row + 1) * width)
        // If there is only one sample, the next sample is the same one.
        let step = min(1, width - 1)
        // SAFETY: the column counts match, as checked above. The next sample is also below the width.
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
