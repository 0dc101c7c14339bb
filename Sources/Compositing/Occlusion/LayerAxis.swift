/// How one axis of a picture is resampled to pixels: for each pixel, samples side by side and their weights.
struct LayerAxis: Sendable {
    /// The pixels that show something of the picture.
    let pixels: Range<Int>
    private let firsts: [Int]
    private let starts: [Int]
    private let weights: [Float]

    /// `count` samples that cover `length` pixels from `start` on, of a photo with `photoCount`.
    ///
    /// Reduced, a pixel is the mean over its area; enlarged, it is linear between two samples. A pixel that the picture covers in part has
    /// weights whose sum is that part.
    init(count: Int, start: Double, length: Double, photoCount: Int) {
        let first = min(max(start, 0), Double(photoCount)).rounded(.down)
        let last = min(max(start + length, 0), Double(photoCount)).rounded(.up)
        pixels = first < last && length > 0 ? Int(first)..<Int(last) : 0..<0
        var (firsts, starts, weights) = ([Int](), [0], [Float]())
        let samplesPerPixel = Double(count) / length
        for pixel in pixels {
            let left = max(Double(pixel), start)
            let right = min(Double(pixel + 1), start + length)
            let cover = max(right - left, 0)
            let from = (left - start) * samplesPerPixel
            let to = (right - start) * samplesPerPixel
            let taps =
                samplesPerPixel > 1
                ? Self.areaTaps(from, to, count) : Self.linearTaps((from + to) / 2, count)
            firsts.append(taps.first)
            weights += taps.weights.map { Float($0 * cover) }
            starts.append(weights.count)
        }
        self.firsts = firsts
        self.starts = starts
        self.weights = weights
    }

    private static func areaTaps(_ from: Double, _ to: Double, _ count: Int) -> (
        first: Int, weights: [Double]
    ) {
        let first = min(max(Int(from), 0), count - 1)
        let last = min(max(Int(to.rounded(.up)) - 1, first), count - 1)
        let parts = (first...last).map { max(min(to, Double($0 + 1)) - max(from, Double($0)), 0) }
        let sum = parts.reduce(0, +)
        return (first, sum > 0 ? parts.map { $0 / sum } : [1] + parts.dropFirst().map { _ in 0 })
    }

    private static func linearTaps(_ center: Double, _ count: Int) -> (first: Int, weights: [Double]) {
        let place = min(max(center - 0.5, 0), Double(count - 1))
        let first = min(Int(place), max(count - 2, 0))
        return count == 1 ? (0, [1]) : (first, [1 - (place - Double(first)), place - Double(first)])
    }

    /// The samples of a pixel, and where their weights are.
    @inline(__always)
    func taps(of pixel: Int) -> (first: Int, weights: Range<Int>) {
        let index = pixel - pixels.lowerBound
        return (firsts[index], starts[index]..<starts[index + 1])
    }

    @inline(__always)
    func weight(_ index: Int) -> Float { weights[index] }
}
