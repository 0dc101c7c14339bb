/// Which stored samples of depth or disparity are unknown: the only rule for photos, rasters and frames.
///
/// A plane with a declared range has a value for each sample. In others, samples are unknown if they are not finite, negative, or 0;
/// but a disparity of 0 in floating point is infinitely far. In depth, the greatest value of the sample type, and 1e9 or more, mean that
/// nothing was hit if they are at least twice the next greatest value.
package struct SampleRule: Hashable, Sendable {
    /// The stored value that is declared to mean unknown; `nan` without one.
    package var noData = Float.nan
    /// The stored values that are known; infinity is greater than each of them unless it is included.
    package var known: ClosedRange<Float>
    /// The greatest value of the sample type, if it may mean that nothing was hit; infinity if only 1e9 and more may, `nil` if
    /// no value does. For floating point that of binary16, which other types may have been made of.
    private var greatest: Float?

    /// Every sample but `nan` is a value.
    package static let everyValue = SampleRule(known: -.infinity...(.infinity))

    private init(known: ClosedRange<Float>) { self.known = known }

    /// The rule for samples without a declared range. `bits` is the size of integers; `nil` for floating point.
    package init(_ quantity: DepthQuantity, bits: Int?) {
        let isZeroKnown = quantity == .disparity && bits == nil
        known = (isZeroKnown ? 0 : .leastNonzeroMagnitude)...(.greatestFiniteMagnitude)
        greatest = quantity == .disparity ? nil : bits == 16 ? 65535 : bits == nil ? 65504 : .infinity
    }

    /// The rule for heights of a terrain: every finite sample is a value.
    package static let heights = SampleRule(known: -.greatestFiniteMagnitude...(.greatestFiniteMagnitude))

    /// Why a stored value is unknown; `nil` for a known one.
    @inlinable
    package func reason(_ stored: Float) -> SampleKind? {
        if known.contains(stored), stored != noData { return nil }
        if stored == noData { return .noData }
        guard stored.isFinite else { return .notFinite }
        return stored == 0 ? .zero : stored < 0 ? .negative : .nothingHit
    }

    /// The rule once the samples are known: those that mean that nothing was hit are beyond its range.
    package func settled(for samples: some Sequence<Float>) -> SampleRule {
        guard let greatest else { return self }
        var (top, rest, next) = (Float.zero, Float.zero, Float.zero)
        for sample in samples where sample < .infinity && sample != noData {
            top = max(top, sample)
            if sample < 1e9 { rest = max(rest, sample) }
            if sample < greatest { next = max(next, sample) }
        }
        let limit = top >= 1e9 ? 1e9 : greatest
        guard top >= 1e9 || top == greatest, limit >= 2 * (top >= 1e9 ? rest : next) else { return self }
        var settled = self
        settled.known = known.lowerBound...max(known.lowerBound, limit.nextDown)
        return settled
    }

    /// Replaces unknown samples of a frame by `nan`, and divides the others by `units`. Returns how many there are of each kind.
    package func convert(_ samples: inout MutableSpan<Float>, dividingBy units: Float) -> SampleCounts {
        var counts = SampleCounts()
        // As `reason(_:)` decides, without branches: pointers and counters of 32 bits let compilers vectorize these loops.
        unsafe samples.withUnsafeMutableBufferPointer { samples in
            var top = Float.zero
            for index in 0..<samples.count { top = unsafe samples[index] > top ? samples[index] : top }
            // Only then may samples mean that nothing was hit, and are read once more.
            let mayMiss = greatest.map { top >= min($0, 1e9) } ?? false
            let rule = unsafe mayMiss ? settled(for: samples) : self
            let (low, high, declared) = (rule.known.lowerBound, rule.known.upperBound, rule.noData)
            var (noData, notFinite, zero, negative, unknown) = (
                Int32(0), Int32(0), Int32(0), Int32(0), Int32(0)
            )
            for index in 0..<samples.count {
                let stored = unsafe samples[index]
                let isUnknown = !(stored >= low && stored <= high) || stored == declared
                let isOther = isUnknown && stored != declared
                let isFinite = stored.magnitude < .infinity
                unknown &+= isUnknown ? 1 : 0
                noData &+= stored == declared ? 1 : 0
                notFinite &+= isOther && !isFinite ? 1 : 0
                zero &+= isOther && stored == 0 ? 1 : 0
                negative &+= isOther && isFinite && stored < 0 ? 1 : 0
                unsafe samples[index] = isUnknown ? .nan : stored / units
            }
            counts[.noData] = Int(noData)
            (counts[.notFinite], counts[.zero], counts[.negative]) = (
                Int(notFinite), Int(zero), Int(negative)
            )
            counts[.nothingHit] = Int(unknown &- noData &- notFinite &- zero &- negative)
        }
        counts.total = samples.count
        return counts
    }
}

/// What the stored value of a sample means, if it is not a distance. The names of cases are those in records.
package enum SampleKind: Int, CaseIterable, Sendable {
    /// 0, where that means unknown.
    case zero
    /// Less than 0.
    case negative
    /// Not a number, or infinite where no value is.
    case notFinite
    /// Nothing was hit: far more than the other samples, and the greatest value of the type or at least 1e9.
    case nothingHit
    /// The value that the file or the caller declares.
    case noData
    /// Infinitely far, and known.
    case infinite
}

/// How many samples of a plane have each ``SampleKind``.
package struct SampleCounts: Hashable, Sendable {
    /// How many samples there are.
    package var total = 0
    @usableFromInline var counts = SIMD8<Int>()

    /// Nothing is counted yet.
    package init() {}

    /// The number of a kind.
    @inlinable
    package subscript(kind: SampleKind) -> Int {
        get { counts[kind.rawValue] }
        set { counts[kind.rawValue] = newValue }
    }

    /// How many samples are unknown.
    package var unknown: Int { counts.wrappedSum() - self[.infinite] }

    /// Adds the samples of another plane.
    package static func += (sums: inout SampleCounts, more: SampleCounts) {
        sums.total += more.total
        sums.counts &+= more.counts
    }
}
