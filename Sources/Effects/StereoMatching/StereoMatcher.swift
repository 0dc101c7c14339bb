package import DepthMaps

/// Finds disparities of a stereo pair by semi-global matching.
///
/// Pictures may be shifted against each other in either direction, so disparities may be negative. A small rotation, shift or
/// scale between the eyes is detected and removed first. The result does not depend on the number of cores.
package struct StereoMatcher: Sendable {
    /// The maximum memory of all bands being matched, in bytes; to meet it, bands become smaller, then fewer at a time.
    package var bandBytes = 512 << 20
    /// The maximum number of comparisons of a pixel at a disparity. Larger pairs are matched at half their size, or less.
    package var comparisons = 640_000_000
    /// The disparities to search, in pixels of the pictures; `nil` for the range found in the pictures.
    package var disparities: Range<Int>?
    /// Whether rows that do not match are aligned first.
    package var aligns = true
    var penalties = PathAggregation()
    var selection = DisparitySelection()
    var cleanup = DisparityCleanup()

    /// Settings for photos.
    package init() {}

    /// The maximum number of searched disparities.
    static let mostDisparities = 256

    /// The maximum bytes for matching pictures of a size, without the pictures.
    package static func memoryBytes(width: Int, height: Int) -> Int {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        let (bytes, isTooMuch) = pixels.multipliedReportingOverflow(by: 16)
        return overflow || isTooMuch ? .max : bytes.addingReportingOverflow(640 << 20).partialValue
    }

    /// Disparities of the left picture. Throws ``StereoError/differentSizes(left:right:)``.
    ///
    /// Rectified pictures have the left camera's intrinsics, so disparities are f · B / Z without an offset.
    package func match(
        left: ColorImage, right: ColorImage, rectifiedBy rectification: StereoRectification? = nil
    ) throws(StereoError) -> StereoMatch {
        guard left.width == right.width, left.height == right.height else {
            throw .differentSizes(
                left: SIMD2(left.width, left.height), right: SIMD2(right.width, right.height))
        }
        let (ours, theirs) = (GrayImage(left), GrayImage(right))
        guard let rectification else { return match(ours, theirs) }
        return rectification.restored(match(rectification.left(ours), rectification.right(theirs)))
    }

    func match(_ left: GrayImage, _ right: GrayImage) -> StereoMatch {
        let pair = ImagePyramid(left, right)
        let alignment = aligns ? VerticalAlignment(of: pair) : nil
        var (wanted, coarse, level) = search(pair, alignment)
        if let disparities { wanted = disparities }
        var target = 0
        while target < level, !fits(wanted, pair.levels[target].left, target) { target += 1 }
        // Each size is searched near the result of the next smaller one.
        while true {
            level = max(level - 1, target)
            let scale = 1 << level
            let (ours, theirs) = pair.levels[level]
            let other = alignment.map { $0.applied(to: theirs, reducedBy: scale) } ?? theirs
            let range = Self.padded(
                Int((Double(wanted.lowerBound) / Double(scale)).rounded(.down)),
                Int((Double(wanted.upperBound) / Double(scale)).rounded(.up)))
            let isSmallest = coarse.width == ours.width
            let tiles =
                isSmallest
                ? SearchTiles(all: range, width: ours.width, height: ours.height)
                : SearchTiles(around: coarse, disparities: range, width: ours.width, height: ours.height)
            let found = disparity(ours, other, tiles, isChecked: level == target)
            if level > target {
                coarse = found.winners
                continue
            }
            return StereoMatch(
                width: ours.width, height: ours.height, disparity: found.disparity,
                confidence: SamplePlane(
                    width: ours.width, height: ours.height, bitDepth: 8, codes: .uint8(found.confidence)),
                reduction: scale, searched: range, alignment: alignment)
        }
    }

    private func fits(_ range: Range<Int>, _ image: GrayImage, _ level: Int) -> Bool {
        let depth = (range.count >> level) + 2
        return depth <= Self.mostDisparities - 16
            && Double(image.width) * Double(image.height) * Double(depth) <= Double(comparisons)
    }

    /// A range whose count is a multiple of 16, as the vectors need.
    static func padded(_ low: Int, _ high: Int) -> Range<Int> {
        let count = min(max(16, (high - low + 15) / 16 * 16), mostDisparities)
        return low..<low + count
    }

    /// Matches a pair with aligned rows. Unless `isChecked`, only the disparities of lowest cost are found.
    func disparity(
        _ left: GrayImage, _ right: GrayImage, _ tiles: SearchTiles, isChecked: Bool
    ) -> MatchedRows {
        let (width, height) = (left.width, left.height)
        guard width > 0, height > 0 else { return MatchedRows(width: width, count: 0, isChecked: isChecked) }
        // Bands depend only on sizes, so that results do not depend on cores. An even number keeps two cores busy.
        let margin = 24
        let wanted = 240
        let bands = height <= 64 ? 1 : max(2, (height + wanted - 1) / wanted + 1) / 2 * 2
        let tallest = (height + bands - 1) / bands + margin
        let bandSize = AggregatedBand.bytes(width: width, rows: tallest, depth: tiles.depth)
        let atOnce = max(1, bandBytes / max(1, bandSize))
        var found = MatchedRows(width: width, count: 0, isChecked: isChecked)
        var first = 0
        while first < bands {
            let group = first..<min(bands, first + atOnce)
            let results = BandResults(count: group.count)
            parallelFor(count: group.count, minimum: 1, most: group.count) { members in
                for member in members {
                    let band = group.lowerBound + member
                    let core = height * band / bands..<height * (band + 1) / bands
                    results.set(member, matchBand(left, right, core, margin, tiles, isChecked))
                }
            }
            for rows in results.all { found.append(rows) }
            first = group.upperBound
        }
        if isChecked { cleanup.apply(to: &found.disparity, &found.confidence, width: width, height: height) }
        return found
    }

    /// Matches one band, with additional rows above it where paths start.
    private func matchBand(
        _ left: GrayImage, _ right: GrayImage, _ core: Range<Int>, _ margin: Int, _ tiles: SearchTiles,
        _ isChecked: Bool
    ) -> MatchedRows {
        let rows = max(0, core.lowerBound - margin)..<core.upperBound
        var found = MatchedRows(width: left.width, count: core.count, isChecked: isChecked)
        let selected = SelectedRow(width: left.width, isChecked: isChecked)
        let band = AggregatedBand(left, right, rows: rows, tiles: tiles, penalties: penalties)
        band.aggregate(left, selection, selected) { row in
            guard core.contains(row) else { return selected.reset() }
            found.set(row - core.lowerBound, selected, selection)
        }
        return found
    }
}
