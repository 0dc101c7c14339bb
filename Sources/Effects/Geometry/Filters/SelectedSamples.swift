package import DepthMaps
internal import DepthTypes

/// Which samples of a map become points: one byte for each, 1 or 0, and the number in every row.
struct SelectedSamples: Sendable {
    private(set) var mask: [UInt8]
    private(set) var rowCounts: [Int]
    /// The fraction of samples that a limit of their number keeps, 0…1.
    private(set) var share = 1.0

    var count: Int { rowCounts.reduce(0, +) }

    /// Selects by distance, edges and stride; samples outside the lens model are excluded.
    init(_ depth: DepthMap, _ unprojection: Unprojection, _ options: CloudOptions) {
        mask = Self.mask(depth, unprojection, options)
        rowCounts = Self.counts(mask, width: depth.width, height: depth.height)
        guard let limit = options.maximumCount, count > limit else { return }
        share = Double(limit) / Double(count)
        var subset = SystematicSample(of: count, keeping: limit)
        for index in mask.indices where mask[index] == 1 && !subset.keepsNext() { mask[index] = 0 }
        rowCounts = Self.counts(mask, width: depth.width, height: depth.height)
    }

    /// The samples that are 1 in a mask of ones and zeros.
    init(mask: [UInt8], width: Int, height: Int) {
        precondition(mask.count == width * height)
        self.mask = mask
        rowCounts = Self.counts(mask, width: width, height: height)
    }

    /// These samples and others.
    func adding(_ samples: [Int32]) -> SelectedSamples {
        guard !samples.isEmpty else { return self }
        var mask = mask
        for sample in samples { mask[Int(sample)] = 1 }
        let height = rowCounts.count
        return SelectedSamples(mask: mask, width: mask.count / max(height, 1), height: height)
    }

    private static func mask(
        _ depth: DepthMap, _ unprojection: Unprojection, _ options: CloudOptions
    ) -> [UInt8] {
        let (width, rays) = (depth.width, unprojection.rays)
        let rule = SelectionRule(
            near: options.near, far: options.far, stride: options.stride, keepsEdges: options.keepsEdges,
            focalLength: rays.focalLength)
        return parallelMapRows(width: width, height: depth.height) { rows, output in
            var line = RowSelection()
            line.begin(width: width, height: depth.height)
            var (x, y) = ([Float](repeating: 0, count: width), [Float](repeating: 0, count: width))
            for row in rows {
                line.move(to: row, of: depth.meters, by: rule)
                if rays.hasInvalidRays {
                    rays.load(row: row, x: &x, y: &y)
                    for column in 0..<width where x[column].isNaN { line.selected[column] = 0 }
                }
                let start = (row - rows.lowerBound) * width
                let selected = line.selected.span
                precondition(selected.count == width && start + width <= output.count)
                // SAFETY: both have a row's samples from that index on, as checked above.
                for column in 0..<width { unsafe output[unchecked: start &+ column] = selected[column] }
            }
        }
    }

    private static func counts(_ mask: [UInt8], width: Int, height: Int) -> [Int] {
        parallelMapRows(width: 1, height: height, minimum: 64) { rows, output in
            for row in rows {
                var count = 0
                let selected = mask.span.extracting(row * width..<(row + 1) * width)
                // SAFETY: all indices are valid.
                for column in selected.indices { count &+= unsafe Int(selected[unchecked: column]) }
                output[row - rows.lowerBound] = count
            }
        }
    }
}

extension DepthMap {
    /// The map with flying samples made unknown: see ``FlyingPixels``. For operations that would spread them, such as
    /// upsampling.
    package func removingFlyingPixels(_ unprojection: Unprojection) -> DepthMap {
        let mask = SelectedSamples(self, unprojection, CloudOptions()).mask
        return replacing(meters: meters.indices.map { mask[$0] == 0 ? .nan : meters[$0] })
    }
}

/// Selects exactly `limit` of `total` items, spread evenly in order.
struct SystematicSample {
    private let total: Int
    private let limit: Int
    private var rest = 0

    init(of total: Int, keeping limit: Int) {
        self.total = total
        self.limit = min(limit, total)
    }

    /// Whether the next item is selected.
    mutating func keepsNext() -> Bool {
        rest += limit
        guard rest >= total else { return false }
        rest -= total
        return true
    }
}

extension DepthMap {
    /// A row's distances after some padding; `nan` where unknown.
    func load(row: Int, into elements: inout [Float], behind margin: Int) {
        meters.span.load(row: row, width: width, into: &elements, behind: margin)
    }
}
