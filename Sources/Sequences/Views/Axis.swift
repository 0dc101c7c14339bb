/// Where each of `count` pixels lies between the samples of a coarser or finer row: the sample before it, and its share of the next.
struct Axis {
    private(set) var first: [Int32] = []
    private(set) var share: [Float] = []
    /// For each sample before a pixel, the first pixel behind those that have it.
    private(set) var ends: [Int] = []
    private var samples = 0

    /// Sets up for `count` pixels over `samples` samples, both across the same extent. Nothing happens where it is so already.
    mutating func set(count: Int, samples newSamples: Int) {
        guard first.count != count || samples != newSamples else { return }
        samples = newSamples
        let scale = Float(newSamples) / Float(count)
        first = []
        share = []
        for pixel in 0..<count {
            let place = min(max((Float(pixel) + 0.5) * scale - 0.5, 0), Float(newSamples - 1))
            let sample = min(Int32(place), Int32(max(newSamples - 2, 0)))
            first.append(sample)
            share.append(newSamples > 1 ? place - Float(sample) : 0)
        }
        ends = [Int](repeating: 0, count: max(newSamples - 1, 1))
        for (pixel, sample) in first.enumerated() { ends[Int(sample)] = pixel + 1 }
        // A sample that no pixel lies behind, where pixels are fewer.
        for sample in ends.indices.dropFirst() where ends[sample] == 0 { ends[sample] = ends[sample - 1] }
    }

    /// Where samples that are between others must be read: the last one has no next.
    @inline(__always)
    static func next(after sample: Int, of count: Int) -> Int { min(sample + 1, count - 1) }
}
