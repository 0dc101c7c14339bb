/// The disparity of lowest cost at each pixel of a picture, without a check.
struct CoarseDisparities: Sendable {
    let width: Int
    private(set) var height: Int
    /// Row by row, in pixels of this picture.
    var samples: [Int16]

    init(width: Int, height: Int, samples: [Int16]) {
        (self.width, self.height, self.samples) = (width, height, samples)
    }

    /// Adds the rows below.
    mutating func append(_ rows: CoarseDisparities) {
        height += rows.height
        samples += rows.samples
    }

    /// Counts, for each disparity in a picture of twice the size, the pixels of an area that predict it. `counts` begins
    /// with disparity `first`; disparities outside are skipped.
    @inline(__always) func count(
        _ rows: Range<Int>, _ columns: Range<Int>, from first: Int, into counts: inout [Int]
    ) {
        for row in rows {
            for column in columns {
                let index = 2 * Int(samples[row * width + column]) - first
                guard counts.indices.contains(index) else { continue }
                counts[index] += 1
            }
        }
    }
}
