internal import Glibc

/// How often distances occur, smoothed over time, so that derived values do not flicker.
///
/// Positive numbers are binned by their first 16 bits after the sign: bins are 0.4 % of a distance wide at any distance.
struct DepthHistogram {
    /// Seconds after which a change has 63 % of its effect.
    static let timeConstant = 0.5

    /// The fraction of frames' samples in each bin; they add up to 1.
    private var shares = [Float](repeating: 0, count: binCount)
    private var counts = [Int32](repeating: 0, count: binCount)
    /// The bins that are not empty.
    private(set) var bins = 0..<0
    private var time: Double?

    static let binCount = 0x7F80_0000 >> 15

    /// The bin of a positive, finite value; the first or the last for others.
    @inline(__always)
    static func bin(of value: Float) -> Int {
        min(max(Int(Int32(bitPattern: value.bitPattern)) >> 15, 0), binCount - 1)
    }

    /// The smallest value in a bin.
    static func value(ofBin bin: Int) -> Float { Float(bitPattern: UInt32(bin) << 15) }

    /// Adds every `stride`-th sample of a frame. Samples that are not positive or not finite are skipped.
    mutating func add(_ samples: [Float], stride step: Int, at newTime: Double) {
        var (low, high, total) = (Self.binCount, -1, Int32(0))
        unsafe samples.withUnsafeBufferPointer { samples in
            unsafe counts.withUnsafeMutableBufferPointer { counts in
                var index = 0
                while index < samples.count {
                    // SAFETY: the index is below the count, and a bin below the number of bins.
                    let value = unsafe samples[index]
                    if value > 0, value < .infinity {
                        let bin = Self.bin(of: value)
                        unsafe counts[bin] += 1
                        low = min(low, bin)
                        high = max(high, bin)
                        total += 1
                    }
                    index += step
                }
            }
        }
        guard total > 0 else { return }
        let elapsed = time.map { max(newTime - $0, 0) } ?? .infinity
        // The first frame, and a jump in time, have full weight.
        let weight = Float(1 - exp(-elapsed / Self.timeConstant))
        time = newTime
        let used =
            min(
                low, bins.isEmpty ? low : bins.lowerBound)...max(
                high, bins.isEmpty ? high : bins.upperBound - 1)
        let scale = weight / Float(total)
        var (first, last) = (used.upperBound, used.lowerBound)
        for bin in used {
            var share = shares[bin] * (1 - weight) + Float(counts[bin]) * scale
            if share < 1e-9 { share = 0 }
            shares[bin] = share
            counts[bin] = 0
            if share > 0 {
                first = min(first, bin)
                last = max(last, bin)
            }
        }
        bins = first..<last + 1
    }

    /// The values at these fractions of the samples; `nil` before any sample.
    func percentiles(_ low: Float, _ high: Float) -> ClosedRange<Float>? {
        guard !bins.isEmpty else { return nil }
        var sum: Float = 0
        var ends: (Float?, Float?)
        for bin in bins {
            sum += shares[bin]
            if ends.0 == nil, sum >= low { ends.0 = Self.value(ofBin: bin) }
            if ends.1 == nil, sum >= high { ends.1 = Self.value(ofBin: bin + 1) }
        }
        let first = ends.0 ?? Self.value(ofBin: bins.lowerBound)
        return first...max(first, ends.1 ?? Self.value(ofBin: bins.upperBound))
    }

    /// The distance that splits the samples into near and far with the greatest variance between both classes (Otsu 1979).
    /// Bins are evenly spaced in the logarithm of distance. `nil` before any sample.
    func split() -> Float? {
        guard !bins.isEmpty else { return nil }
        var mean: Float = 0
        for bin in bins { mean += shares[bin] * Float(bin - bins.lowerBound) }
        var (weight, sum, best): (Float, Float, Float) = (0, 0, -1)
        var (first, last) = (bins.lowerBound, bins.lowerBound)
        for bin in bins.dropLast() {
            weight += shares[bin]
            sum += shares[bin] * Float(bin - bins.lowerBound)
            guard weight > 0, weight < 1 else { continue }
            let difference = mean * weight - sum
            let variance = difference * difference / (weight * (1 - weight))
            if variance > best * 1.0001 {
                (best, first, last) = (variance, bin, bin)
            } else if variance > best * 0.9999 {
                last = bin
            }
        }
        // All cuts in a gap are equivalent; this is its middle.
        return Self.value(ofBin: (first + last) / 2 + 1)
    }
}
