package import DepthCore

/// Finds disparities of a stereo pair by semi-global matching.
///
/// Pictures may be shifted against each other either way, so disparities may be negative. A small rotation, shift or
/// scale between the eyes is found and removed first. The result is the same on one core or many.
package struct StereoMatcher: Sendable {
    /// Bytes that the bands being matched may take together; bands become smaller, then fewer at a time.
    package var bandBytes = 512 << 20
    /// Pairs of pixel and disparity that are compared at most. Larger pairs are matched at half their size, or less.
    package var comparisons = 640_000_000
    /// The disparities to search, in pixels of the pictures; `nil`: as far as the pictures show.
    package var disparities: Range<Int>?
    /// Whether rows that do not go with each other are brought together first.
    package var aligns = true
    var penalties = PathAggregation()
    var selection = DisparitySelection()
    var cleanup = DisparityCleanup()

    /// Settings that go with photos.
    package init() {}

    /// The largest number of disparities that is searched.
    static let mostDisparities = 256

    /// Bytes that matching pictures of a size takes at most, beside the pictures.
    package static func memoryBytes(width: Int, height: Int) -> Int {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        let (bytes, isTooMuch) = pixels.multipliedReportingOverflow(by: 16)
        return overflow || isTooMuch ? .max : bytes.addingReportingOverflow(640 << 20).partialValue
    }

    /// Disparities of the left picture. Throws ``StereoError/differentSizes(left:right:)``.
    package func match(left: ColorImage, right: ColorImage) throws(StereoError) -> StereoMatch {
        guard left.width == right.width, left.height == right.height else {
            throw .differentSizes(
                left: SIMD2(left.width, left.height), right: SIMD2(right.width, right.height))
        }
        return match(GrayImage(left), GrayImage(right))
    }

    func match(_ left: GrayImage, _ right: GrayImage) -> StereoMatch {
        let pair = ImagePyramid(left, right)
        let alignment = aligns ? VerticalAlignment(of: pair) : nil
        let wanted = disparities ?? searchRange(pair, alignment)
        var level = 0
        while level + 1 < pair.levels.count, !fits(wanted, pair.levels[level].left, level) { level += 1 }
        let scale = 1 << level
        let (ours, theirs) = pair.levels[level]
        let other = alignment.map { $0.applied(to: theirs, reducedBy: scale) } ?? theirs
        let range = Self.padded(
            Int((Double(wanted.lowerBound) / Double(scale)).rounded(.down)),
            Int((Double(wanted.upperBound) / Double(scale)).rounded(.up)), width: ours.width)
        let (found, confidence) = disparity(ours, other, range)
        return StereoMatch(
            width: ours.width, height: ours.height, disparity: found,
            confidence: SamplePlane(
                width: ours.width, height: ours.height, bitDepth: 8, codes: .uint8(confidence)),
            reduction: scale, searched: range, alignment: alignment)
    }

    private func fits(_ range: Range<Int>, _ image: GrayImage, _ level: Int) -> Bool {
        let depth = (range.count >> level) + 2
        return depth <= Self.mostDisparities - 16
            && Double(image.width) * Double(image.height) * Double(depth) <= Double(comparisons)
    }

    /// A range of a multiple of 16 disparities, which the vectors need.
    private static func padded(_ low: Int, _ high: Int, width: Int) -> Range<Int> {
        let count = min(max(16, (high - low + 15) / 16 * 16), mostDisparities)
        return low..<low + count
    }

    /// Matches a pair whose rows go with each other.
    func disparity(_ left: GrayImage, _ right: GrayImage, _ range: Range<Int>) -> ([Float], [UInt8]) {
        let (width, height) = (left.width, left.height)
        guard width > 0, height > 0 else { return ([], []) }
        // Bands depend on sizes alone, so that cores change nothing. An even number keeps two cores busy.
        let margin = 24
        let wanted = 240
        let bands = height <= 64 ? 1 : max(2, (height + wanted - 1) / wanted + 1) / 2 * 2
        let tallest = (height + bands - 1) / bands + margin
        let bandSize = AggregatedBand.bytes(width: width, rows: tallest, depth: range.count)
        let atOnce = max(1, bandBytes / max(1, bandSize))
        var found = [Float](repeating: .nan, count: width * height)
        var confidence = [UInt8](repeating: 0, count: width * height)
        var first = 0
        while first < bands {
            let group = first..<min(bands, first + atOnce)
            let rows = height * group.lowerBound / bands..<height * group.upperBound / bands
            let results = BandResults(count: group.count)
            parallelForRows(of: group.count, minimum: 1, most: group.count) { members in
                for member in members {
                    let band = group.lowerBound + member
                    let core = height * band / bands..<height * (band + 1) / bands
                    results.set(member, matchBand(left, right, core, margin, range))
                }
            }
            var at = rows.lowerBound * width
            for (values, trust) in results.all {
                found.replaceSubrange(at..<at + values.count, with: values)
                confidence.replaceSubrange(at..<at + trust.count, with: trust)
                at += values.count
            }
            first = group.upperBound
        }
        cleanup.apply(to: &found, &confidence, width: width, height: height)
        return (found, confidence)
    }

    /// One band, with rows above it that paths come from.
    private func matchBand(
        _ left: GrayImage, _ right: GrayImage, _ core: Range<Int>, _ margin: Int, _ range: Range<Int>
    ) -> ([Float], [UInt8]) {
        let width = left.width
        let rows = max(0, core.lowerBound - margin)..<core.upperBound
        var found = [Float](repeating: .nan, count: core.count * width)
        var confidence = [UInt8](repeating: 0, count: core.count * width)
        var selected = SelectedRow(width: width)
        let band = AggregatedBand(left, right, rows: rows, disparities: range, penalties: penalties)
        band.aggregate(left) { column, sums in
            selection.select(column, sums, disparities: range, width: width, &selected)
        } finish: { row in
            guard core.contains(row) else { return selected.reset() }
            var output = found.mutableSpan
            var trust = confidence.mutableSpan
            selection.finish(&selected, into: &output, &trust, at: (row - core.lowerBound) * width)
        }
        return (found, confidence)
    }
}
