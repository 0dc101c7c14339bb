/// A plane extended to complete coding blocks of 8 × 8 by repeating its last column and row.
struct BlockPlane {
    let width: Int
    let height: Int
    let samples: [UInt8]

    init(width: Int, height: Int, samples: [UInt8]) {
        self.width = (width + 7) / 8 * 8
        self.height = (height + 7) / 8 * 8
        guard (self.width, self.height) != (width, height) else {
            self.samples = samples
            return
        }
        var padded: [UInt8] = []
        padded.reserveCapacity(self.width * self.height)
        for row in 0..<self.height {
            let start = min(row, height - 1) * width
            padded += samples[start..<start + width]
            padded += repeatElement(samples[start + width - 1], count: self.width - width)
        }
        self.samples = padded
    }
}
