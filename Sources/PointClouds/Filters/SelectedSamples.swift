package import DepthCore
internal import DepthModel

/// Which samples of a map become points: one byte for each, 1 or 0, and their number in every row.
struct SelectedSamples: Sendable {
    private(set) var mask: [UInt8]
    private(set) var rowCounts: [Int]

    /// The number of selected samples.
    var count: Int { rowCounts.reduce(0, +) }

    /// Selects by distance, edges and stride; what the lens model loses is left out.
    init(_ depth: DepthMap, _ unprojection: Unprojection, _ options: CloudOptions) {
        let rule = SelectionRule(depth, unprojection, options)
        mask = parallelMapRows(width: depth.width, height: depth.height) { rows, output in
            rule.select(rows, into: &output)
        }
        rowCounts = Self.counts(mask, width: depth.width, height: depth.height)
        guard let limit = options.maximumCount, count > limit else { return }
        var subset = SystematicSample(of: count, keeping: limit)
        for index in mask.indices where mask[index] == 1 && !subset.keepsNext() { mask[index] = 0 }
        rowCounts = Self.counts(mask, width: depth.width, height: depth.height)
    }

    /// The samples that a mask of ones and zeros selects.
    init(mask: [UInt8], width: Int, height: Int) {
        precondition(mask.count == width * height)
        self.mask = mask
        rowCounts = Self.counts(mask, width: width, height: height)
    }

    private static func counts(_ mask: [UInt8], width: Int, height: Int) -> [Int] {
        parallelMapRows(width: 1, height: height, minimum: 64) { rows, output in
            for row in rows {
                var count = 0
                let selected = mask.span.extracting(row * width..<(row + 1) * width)
                // SAFETY: no other places are asked for.
                for column in selected.indices { count &+= unsafe Int(selected[unchecked: column]) }
                output[row - rows.lowerBound] = count
            }
        }
    }
}

extension DepthMap {
    /// The map with samples unknown that hang between two surfaces: see ``FlyingPixels``. For what would draw them out,
    /// such as upsampling.
    package func removingFlyingPixels(_ unprojection: Unprojection) -> DepthMap {
        let mask = SelectedSamples(self, unprojection, CloudOptions()).mask
        return replacing(meters: meters.indices.map { mask[$0] == 0 ? .nan : meters[$0] })
    }
}

/// Which of `total` things stay when `limit` are wanted: exactly that many, spread evenly over their order.
struct SystematicSample {
    private let total: Int
    private let limit: Int
    private var rest = 0

    init(of total: Int, keeping limit: Int) {
        self.total = total
        self.limit = min(limit, total)
    }

    /// Whether the next one stays.
    mutating func keepsNext() -> Bool {
        rest += limit
        guard rest >= total else { return false }
        rest -= total
        return true
    }
}

/// What decides of a sample by itself and its neighbors.
private struct SelectionRule {
    let depth: DepthMap
    let unprojection: Unprojection
    let options: CloudOptions
    let flying: FlyingPixels?

    init(_ depth: DepthMap, _ unprojection: Unprojection, _ options: CloudOptions) {
        (self.depth, self.unprojection, self.options) = (depth, unprojection, options)
        flying = options.keepsEdges ? nil : FlyingPixels(focalLength: unprojection.focalLength)
    }

    func select(_ rows: Range<Int>, into output: inout MutableSpan<UInt8>) {
        let width = depth.width
        var window = RowWindow<Float>(width: width, height: depth.height, margin: 1, padding: .nan)
        var (x, y) = ([Float](repeating: 0, count: width), [Float](repeating: 0, count: width))
        var selected = [UInt8](repeating: 0, count: width)
        for row in rows {
            select(row, &window, &selected, x: &x, y: &y)
            let start = (row - rows.lowerBound) * width
            precondition(selected.count == width && start + width <= output.count)
            // SAFETY: both have a row's samples from there on, as was checked.
            for column in 0..<width { unsafe output[unchecked: start &+ column] = selected[column] }
        }
    }

    private func select(
        _ row: Int, _ window: inout RowWindow<Float>, _ selected: inout [UInt8], x: inout [Float],
        y: inout [Float]
    ) {
        guard row % options.stride == 0 else {
            selected = [UInt8](repeating: 0, count: depth.width)
            return
        }
        window.move(to: row) { depth.load(row: $0, into: &$1, behind: 1) }
        selectByDistance(window.row(0), &selected)
        flying?.remove(from: &selected, row: window.row(0), above: window.row(-1), below: window.row(1))
        guard unprojection.rays.hasInvalidRays else { return }
        unprojection.rays.load(row: row, x: &x, y: &y)
        for column in 0..<depth.width where x[column].isNaN { selected[column] = 0 }
    }

    private func selectByDistance(_ row: [Float], _ selected: inout [UInt8]) {
        let (near, far) = (options.near, options.far)
        let depths = row.span
        for column in selected.indices {
            let z = depths[column + 1]
            selected[column] = (z >= near ? 1 : 0) & (z <= far ? 1 : 0)
        }
        guard options.stride > 1 else { return }
        for column in selected.indices where column % options.stride != 0 { selected[column] = 0 }
    }
}

extension DepthMap {
    /// A row's samples, behind some padding; `nan` for what is no distance: zero and below, infinity, and what is
    /// beyond ``CloudOptions/farthest``.
    func load(row: Int, into elements: inout [Float], behind margin: Int) {
        let samples = meters.span.extracting(row * width..<(row + 1) * width)
        var output = elements.mutableSpan
        for column in samples.indices {
            let z = samples[column]
            output[column + margin] = (z > 0) && (z <= CloudOptions.farthest) ? z : .nan
        }
    }
}
