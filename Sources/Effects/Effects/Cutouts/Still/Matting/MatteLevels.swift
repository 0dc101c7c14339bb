internal import DepthMaps

/// The black and the white point of a matte, measured by the photo.
///
/// Mattes of cameras are estimates: 0.8 to 0.9 over opaque dark hair, faint rims beside a hard sleeve. If a
/// ``KnownColorModel`` clearly separates foreground and background, the position of a sample's light between them is compared
/// with its coverage. A matte that agrees with the photo has points 0 and 1.
struct MatteLevels: Sendable {
    /// Coverage that is stretched to 0.
    let black: Float
    /// Coverage that is stretched to 1.
    let white: Float

    /// The tolerance of medians of an exact matte, because colors vary.
    private static var tolerance: Float { 0.015 }
    /// Amplifies the median, which alone would leave half of the opaque samples translucent.
    private static var emphasis: Float { 2 }
    /// The weight of the matte itself, in samples.
    private static var prior: Float { 150 }

    /// `samples` hold light, with coverage as the fourth element.
    init(_ samples: [SIMD4<Float>], _ colors: KnownColorModel, width: Int, height: Int) {
        var bins = [ShareHistogram](repeating: ShareHistogram(), count: 17)
        for row in 0..<height {
            for column in 0..<width {
                let sample = samples[row * width + column]
                guard sample.w > 0, sample.w < 1,
                    let share = colors.place(of: sample, column: column, row: row)
                else { continue }
                bins[Int(sample.w * 16 + 0.5)].add(share - sample.w)
            }
        }
        // The middle bins contain both sides of edges, and objects that belong to neither layer.
        let gain = Self.change(bins[12...15], from: 0)
        let loss = Self.change(bins[1...4], from: 1)
        white = 1 / (1 + gain)
        black = loss / (1 + loss)
    }

    /// How much farther the samples should be from an end, relative to how far they are.
    private static func change(_ bins: ArraySlice<ShareHistogram>, from end: Float) -> Float {
        var (missing, present) = (Float(0), prior)
        for (index, bin) in zip(bins.indices, bins) {
            missing += Float(bin.count) * (end == 0 ? bin.median : -bin.median)
            present += Float(bin.count) * abs(Float(index) / 16 - end)
        }
        return min(max((missing / present - tolerance) * emphasis, 0), 0.15)
    }

    /// The matte stretched between both points.
    func applied(to matte: Matte) -> Matte {
        guard black > 0 || white < 1 else { return matte }
        let table = (0...255).map { code in
            let share = (Float(code) / 255 - black) / (white - black)
            return UInt8(min(max(share, 0), 1) * 255 + 0.5)
        }
        let coverage = parallelMap(matte.coverage) { table[Int($0)] }
        return Matte(width: matte.width, height: matte.height, coverage: coverage)
    }
}

/// A histogram of differences of coverage, in steps of 1/128 from −1.25 to 1.25.
private struct ShareHistogram {
    private var counts = [Int](repeating: 0, count: 321)
    private(set) var count = 0

    mutating func add(_ difference: Float) {
        counts[Int(min(max(difference * 128 + 160, 0), 320) + 0.5)] += 1
        count += 1
    }

    /// 0 if empty.
    var median: Float {
        var sum = 0
        for (bin, count) in counts.enumerated() {
            sum += count
            if 2 * sum > self.count { return Float(bin - 160) / 128 }
        }
        return 0
    }
}
