/// Fills unknown samples: from the left, or with the farthest or nearest of the samples above, to the left and below.
final class HoleFillingFilter: DepthFilter {
    private let mode: Int

    /// 0 from the left, 1 the farthest, 2 the nearest around.
    init(mode: Int) { self.mode = mode }

    func apply(to frame: inout SequenceFrame) {
        let (width, height) = (frame.depth.width, frame.depth.height)
        var samples = frame.depth.samples.mutableSpan
        if mode == 0 {
            for row in 0..<height {
                for place in row * width + 1..<max(row * width + 1, (row + 1) * width)
                where !(samples[place] > 0) {
                    samples[place] = samples[place - 1]
                }
            }
            return
        }
        let takesFarthest = mode == 1
        for row in 1..<max(1, height - 1) {
            for place in row * width + 1..<max(row * width + 1, (row + 1) * width) where !(samples[place] > 0)
            {
                // As in librealsense, filled samples are used for their neighbors.
                var best = Float.nan
                for other in [place - width, place - width - 1, place - 1, place + width - 1, place + width] {
                    let value = samples[other]
                    guard value > 0 else { continue }
                    if !(best > 0) || (takesFarthest ? value > best : value < best) { best = value }
                }
                samples[place] = best
            }
        }
    }
}
