internal import DepthCore

/// What foreground and background look like around each place, by what is surely the one or the other.
///
/// Means and variances of light in cells of a matte where it is full, and where it is empty; cells without any have the mean of their
/// neighbors', outwards.
struct KnownColorModel: Sendable {
    /// Light in the first three places; the fourth is 0 where nothing is known.
    fileprivate struct Statistics {
        var mean: SIMD4<Float> = .zero
        /// Of the squares.
        var meanSquare: SIMD4<Float> = .zero
    }

    private let fronts: [Statistics]
    private let backs: [Statistics]
    private let columns: Int

    /// Samples in a cell, across and down.
    private static var cell: Int { 8 }
    /// Coverage from which a sample is foreground.
    private static var frontShare: Float { 247 / 255 }
    /// Coverage up to which it is background.
    private static var backShare: Float { 8 / 255 }
    /// How far colors are carried, in cells.
    private static var reach: Int { 12 }

    /// `samples` hold light, and coverage in the fourth place.
    init(_ samples: [SIMD4<Float>], width: Int, height: Int) {
        let cell = Self.cell
        let (columns, rows) = ((width + cell - 1) / cell, (height + cell - 1) / cell)
        self.columns = columns
        func colors(_ shares: ClosedRange<Float>) -> [Statistics] {
            Self.carried(Self.statistics(of: samples, shares, width, height, columns, rows), columns, rows)
        }
        fronts = colors(Self.frontShare...1)
        backs = colors(0...Self.backShare)
    }

    private static func statistics(
        of samples: [SIMD4<Float>], _ shares: ClosedRange<Float>, _ width: Int, _ height: Int, _ columns: Int,
        _ rows: Int
    ) -> [Statistics] {
        parallelMapRows(width: columns, height: rows) { band, output in
            for row in band {
                for column in 0..<columns {
                    var sum = Statistics()
                    for y in row * cell..<min((row + 1) * cell, height) {
                        for x in column * cell..<min((column + 1) * cell, width) {
                            var light = samples[y * width + x]
                            guard shares.contains(light.w) else { continue }
                            light.w = 1
                            sum.mean += light
                            sum.meanSquare += light * light
                        }
                    }
                    output[(row - band.lowerBound) * columns + column] = sum.normalized
                }
            }
        }
    }

    /// Fills unknown cells, pass by pass; the first also joins each with its neighbors.
    private static func carried(_ cells: [Statistics], _ columns: Int, _ rows: Int) -> [Statistics] {
        var cells = cells
        for pass in 0...reach {
            let known = cells
            cells = parallelMapRows(width: columns, height: rows) { band, output in
                for row in band {
                    for column in 0..<columns {
                        var sum = known[row * columns + column]
                        if pass == 0 || sum.mean.w == 0 {
                            for y in max(row - 1, 0)...min(row + 1, rows - 1) {
                                for x in max(column - 1, 0)...min(column + 1, columns - 1) {
                                    sum.mean += known[y * columns + x].mean
                                    sum.meanSquare += known[y * columns + x].meanSquare
                                }
                            }
                        }
                        output[(row - band.lowerBound) * columns + column] = sum.normalized
                    }
                }
            }
        }
        return cells
    }

    /// The place of a sample's light between the means of background (0) and foreground (1); `nil` where they are not clearly apart, or
    /// do not explain it.
    @inline(__always)
    func place(of light: SIMD4<Float>, column: Int, row: Int) -> Float? {
        let cell = row / Self.cell * columns + column / Self.cell
        let (front, back) = (fronts[cell], backs[cell])
        guard front.mean.w > 0, back.mean.w > 0 else { return nil }
        let axis = front.mean - back.mean
        let length = (axis * axis).sum()
        guard length > 0.01, (front.variance + back.variance).sum() < 0.04 * length else { return nil }
        let position = (light - back.mean).withoutCoverage
        let share = (position * axis).sum() / length
        let rest = position - axis * share
        return (rest * rest).sum() < 0.02 * length ? share : nil
    }
}

extension KnownColorModel.Statistics {
    fileprivate var normalized: Self {
        guard mean.w > 0 else { return self }
        return Self(mean: mean / mean.w, meanSquare: meanSquare / mean.w)
    }

    /// With that of coding and noise.
    @inline(__always)
    fileprivate var variance: SIMD4<Float> {
        let difference = meanSquare - mean * mean
        return difference.replacing(with: 0, where: difference .< 0) + (mean * mean * 1e-4 + 1e-6)
    }
}

extension SIMD4<Float> {
    @inline(__always)
    fileprivate var withoutCoverage: Self {
        var light = self
        light.w = 0
        return light
    }
}
