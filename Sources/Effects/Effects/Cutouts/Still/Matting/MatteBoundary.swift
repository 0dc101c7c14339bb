internal import DepthMaps

/// Corrects a plane of values that grow with nearness around the edge of a matte's subject, where the depth map has less
/// detail than the matte. Each pixel gets the value of the subject or of the background, by the matte, if the subject is the
/// nearer of the two. Values between both are kept.
struct MatteBoundary {
    private let matte: [UInt8]
    private let width: Int
    private let height: Int
    /// The values on both sides of the edge, in the cells around it.
    private let cells: CellGrid<Sides>
    /// How far beside the subject pixels may show its light, in pixels.
    private let rim: Int

    /// Coverage below which a pixel is background: 6 %. Mattes of cameras have wide faint rims.
    static var leastCoverage: UInt8 { 16 }
    /// The coverage at or above which a pixel contains only the subject.
    static var fullCoverage: UInt8 { 240 }

    /// How far from the subject the background's values are unreliable, in cells: a third of the largest disc's radius, 48
    /// pixels at 12 MP, which is at least 4 samples of a phone's map.
    private static var reach: Int { 6 }

    /// How far beyond the subject's soft edge values are corrected, in cells.
    private static var margin: Int { reach + 2 }

    /// How far the subject's value may extend beside it, in cells: at least 8 pixels at 12 MP, two samples of a phone's map.
    private static var blurReach: Int { 1 }

    /// `matte` has the size of the plane of values. Subject and background that differ by `leastDifference` or less are left
    /// unchanged. Pixels up to `rim` beside the subject may show its light. If the matte `isOfDepth`, cut from
    /// these values, everything between both is a third surface.
    init(
        _ matte: Matte, _ nearness: [Float], _ width: Int, _ height: Int, leastDifference: Float,
        rim: Int = 2, isOfDepth: Bool = false
    ) {
        self.matte = matte.coverage
        self.width = width
        self.height = height
        self.rim = rim
        let coverage = matte.coverage
        let cell = Self.cell(width: width, height: height)
        let means = CellGrid(width: width, height: height, cell: cell) { columns, rows in
            Self.means(coverage, nearness, width, columns, rows)
        }
        // Edges of depth are offset from those of the matte, and maps more often assign background to the subject than the
        // reverse. Behind hair of any length, the background is continued from beside it.
        let besideSubject = means.map { $0.y.isNaN }.dilated(by: Self.margin)
        let besideBackground = means.map { $0.x.isNaN }.dilated(by: Self.margin)
        let subject = Self.trusted(means.map { $0.x }, leastDifference).eroded(by: 2)
            .extended(where: besideSubject)
        let background = means.map { $0.y }.eroded(by: Self.reach).extended(where: besideBackground)
            // A map's subject is too wide: nearer values beside it are not trusted, farther ones are.
            .merged(with: means) { continued, own in own.y < continued ? own.y : continued }
        let sides = subject.merged(with: background) { SIMD2($0, $1) }
        let isBesideThird = Self.isThird(sides, means.map { $0.w }, isOfDepth).dilated(by: Self.margin)
        cells = sides.merged(with: means.map { $0.z }.greatest(within: Self.blurReach)) {
            SIMD3($0.x, $0.y, $1)
        }.merged(with: isBesideThird) { sides, isBesideThird in
            Sides(
                near: sides.x, far: sides.y, highest: sides.z, isBesideThird: isBesideThird,
                isSplit: sides.x - sides.y > leastDifference)
        }
    }

    /// Whether each cell is on a third surface: between both sides, and connected with a flat part. Where a map mixes subject
    /// and background, it is nowhere flat. A matte that is cut from the map knows no more than it. `level` has the means of
    /// the cells.
    private static func isThird(
        _ sides: CellGrid<SIMD2<Float>>, _ level: CellGrid<Float>, _ isOfDepth: Bool
    ) -> CellGrid<Bool> {
        guard !isOfDepth else { return level.map { _ in true } }
        let isBetween = sides.merged(with: level) { sides, level in
            let quarter = (sides.x - sides.y) / 4
            return sides.y + quarter < level && level < sides.x - quarter
        }
        let spread = level.greatest(within: margin)
            .merged(with: level.map { -$0 }.greatest(within: margin)) { $0 + $1 }
        return sides.merged(with: spread) { $1 < ($0.x - $0.y) / 32 ? $1 : .nan }
            .merged(with: isBetween) { $1 ? $0 : .nan }
            .extended(where: isBetween).map { !$0.isNaN }
    }

    /// The subject's values without those beside its edge that are much farther than what is around them: a map's object can
    /// end before the matte does.
    private static func trusted(_ subject: CellGrid<Float>, _ leastDifference: Float) -> CellGrid<Float> {
        let isOutside = subject.map { $0.isNaN }.dilated(by: edgeReach)
        let high = subject.map { $0.isNaN ? -.infinity : $0 }.greatest(within: edgeReach)
            .merged(with: isOutside) { high, isOutside in isOutside ? high : -.infinity }
        return subject.merged(with: high) { value, high in
            value < high - 4 * leastDifference ? .nan : value
        }
    }

    /// How far inside a matte's edge a map's object may end, in cells.
    private static var edgeReach: Int { 4 }

    /// Pixels in a cell: an eighteenth of the largest disc's radius, 8 at 12 MP.
    static func cell(width: Int, height: Int) -> Int {
        max(Int(SyntheticAperture.maximumRadius(width: width, height: height) / 18), 1)
    }

    /// The mean value of a cell's pixels if all are subject, and if all are background, otherwise `nan`; their maximum and
    /// their mean.
    private static func means(
        _ matte: [UInt8], _ nearness: [Float], _ width: Int, _ columns: Range<Int>, _ rows: Range<Int>
    ) -> SIMD4<Float> {
        var sum: Float = 0
        var high = -Float.infinity
        var (least, most) = (UInt8.max, UInt8.min)
        for row in rows {
            for index in row * width + columns.lowerBound..<row * width + columns.upperBound {
                sum += nearness[index]
                high = nearness[index] > high ? nearness[index] : high
                least = min(least, matte[index])
                most = max(most, matte[index])
            }
        }
        let mean = sum / Float(columns.count * rows.count)
        return SIMD4(
            least >= fullCoverage ? mean : .nan, most < leastCoverage ? mean : .nan, high, mean)
    }

    /// Sets the values, and returns how much of each pixel has its value.
    func settle(_ nearness: inout [Float]) -> MatteSplit {
        let shares = shares(nearness)
        let old = nearness
        nearness = map({ old[$0] }) { $0.settled(old[$1], matte[$1], shares[$1]) }
        return MatteSplit(shares: shares, background: cells.map { $0.far })
    }

    private func shares(_ nearness: [Float]) -> [MatteSplit.Share] {
        let isSubject = map({ _ in false }) { sides, index in
            matte[index] >= Self.leastCoverage && !sides.isBetween(nearness[index], matte[index])
        }
        let isRim = isSubject.dilated(width: width, height: height, by: rim)
        return map({ _ in .unsplit }) { $0.share(nearness[$1], matte[$1], isRim: isRim[$1]) }
    }

    /// A value for each pixel: `beside` near both sides, and `other` for all others.
    @inline(__always)
    private func map<Value: BitwiseCopyable & Sendable>(
        _ other: @Sendable (_ index: Int) -> Value,
        beside: @Sendable (_ sides: Sides, _ index: Int) -> Value
    ) -> [Value] {
        parallelMapRows(width: width, height: height) { band, output in
            let first = band.lowerBound * width
            for row in band {
                for column in stride(from: 0, to: width, by: cells.cell) {
                    let start = row * width + column
                    let indices = start..<start + min(cells.cell, width - column)
                    let sides = cells.value(atColumn: column, row: row)
                    if sides.isSplit {
                        for index in indices { output[index - first] = beside(sides, index) }
                    } else {
                        for index in indices { output[index - first] = other(index) }
                    }
                }
            }
        }
    }

    /// The values of the subject and the background, if a pixel is near both and the subject is nearer.
    @inline(__always)
    func sides(_ column: Int, _ row: Int) -> Sides? {
        let sides = cells.value(atColumn: column, row: row)
        return sides.isSplit ? sides : nil
    }

    /// The values of subject and background around a cell.
    struct Sides: BitwiseCopyable {
        /// The subject's value in the cells that it covers, wholly or in part, and in those around them; `nan` elsewhere.
        let near: Float
        /// The background's value in the cells that the subject does not cover wholly, and in those around them; `nan`
        /// elsewhere.
        let far: Float
        /// The largest value around the cell.
        let highest: Float
        /// Whether a third surface is around, which values between both belong to.
        let isBesideThird: Bool
        /// Whether both are known, and the subject is nearer by more than matters.
        let isSplit: Bool

        /// An enlarged map falls from one side to the other over many pixels. The subject's pixels get the value from farther
        /// inside, all others the background's value.
        @inline(__always)
        fileprivate func settled(_ value: Float, _ coverage: UInt8, _ share: MatteSplit.Share) -> Float {
            if share.isMixed { return near }
            if share.isDecided {
                let least = far + (near - far) / (isBesideSubject ? 8 : 4)
                return value > least && value < near + (near - far) / 2 ? far : value
            }
            return coverage >= fullCoverage && value < near ? near : value
        }

        /// Whether a pixel that the subject covers only partly is on a surface between both: a table that connects them, or a
        /// headrest.
        @inline(__always)
        fileprivate func isBetween(_ value: Float, _ coverage: UInt8) -> Bool {
            isBesideThird && coverage < fullCoverage && value > far + (near - far) / 4 && !isBesideSubject
        }

        /// The part of a pixel that is the subject. Pixels of the subject's rim may show light of both.
        @inline(__always)
        fileprivate func share(_ value: Float, _ coverage: UInt8, isRim: Bool) -> MatteSplit.Share {
            guard coverage < fullCoverage, !isBetween(value, coverage) else { return .unsplit }
            guard coverage < leastCoverage else { return .mixed(coverage) }
            if isBesideNearer { return .unsplit }
            return isRim ? .mixed(0) : .background
        }

        /// Whether something around is nearer than the subject: slopes of the map there lead to it.
        @inline(__always)
        private var isBesideNearer: Bool { highest > near + (near - far) / 4 }

        /// Whether something around is about as near as the subject.
        @inline(__always)
        private var isBesideSubject: Bool { highest >= near - (near - far) / 4 }
    }
}

extension CellGrid<Float> {
    /// The largest values up to `reach` cells away.
    fileprivate func greatest(within reach: Int) -> CellGrid {
        @Sendable func joined(_ value: Float, _ around: Neighborhood) -> Float {
            var value = value
            around.forEach { value = $0 > value ? $0 : value }
            return value
        }
        return mapNeighborhoods(across: reach, down: 0, joined).mapNeighborhoods(
            across: 0, down: reach, joined)
    }

    /// Removes cells with an unknown cell up to `reach` away.
    fileprivate func eroded(by reach: Int) -> CellGrid {
        merged(with: map { $0.isNaN }.dilated(by: reach)) { value, isBesideUnknown in
            isBesideUnknown ? .nan : value
        }
    }
}
