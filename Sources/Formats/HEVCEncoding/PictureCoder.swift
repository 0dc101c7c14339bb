/// Codes a plane as one slice, coding tree by coding tree. It first chooses the division and the modes of each, then writes
/// it.
struct PictureCoder {
    private typealias Sets = ParameterSets
    let plane: BlockPlane
    private var coder = ArithmeticCoder(ContextStates(sliceQP: Sets.sliceQP))
    private var predictor: IntraPredictor
    private var residual = [Int16](repeating: 0, count: 32 * 32)
    /// For each 4 × 4 block that is decided: its mode, and the depth of its coding unit.
    private var modes: [UInt8]
    private var depths: [UInt8]
    private let stride: Int
    /// The approximate cost of a difference in half bits, by its magnitude.
    private static let costs: [Int] = (0...255).map { magnitude in
        magnitude == 0 ? 1 : 4 + 3 * (Int.bitWidth - magnitude.leadingZeroBitCount)
    }
    /// The approximate cost of dividing a block, in half bits.
    private static let splitCost = 6

    init(_ plane: BlockPlane) {
        self.plane = plane
        predictor = IntraPredictor(plane)
        stride = plane.width / 4
        modes = Array(repeating: 1, count: stride * (plane.height / 4))
        depths = Array(repeating: 0, count: modes.count)
    }

    /// Returns the data of the slice.
    mutating func code() -> [UInt8] {
        let size = 1 << Sets.codingTree
        let (columns, rows) = ((plane.width + size - 1) / size, (plane.height + size - 1) / size)
        for row in 0..<rows {
            for column in 0..<columns {
                let (x, y) = (column * size, row * size)
                if let tree = decide(x, y, Sets.codingTree).tree { write(tree, x, y, Sets.codingTree) }
                coder.appendTerminating(row == rows - 1 && column == columns - 1 ? 1 : 0)
            }
        }
        return coder.finished()
    }

    // MARK: Deciding

    /// The division of a block with the smallest approximate cost, and that cost; `nil` for a block outside the plane.
    private mutating func decide(_ x: Int, _ y: Int, _ log2: Int) -> (tree: CodingTree?, cost: Int) {
        guard x < plane.width, y < plane.height else { return (nil, 0) }
        let size = 1 << log2
        guard x + size <= plane.width, y + size <= plane.height else { return decideSplit(x, y, log2) }
        let unit = bestMode(x, y, log2)
        if log2 > Sets.smallestCoding, !unit.isExact {
            let split = decideSplit(x, y, log2)
            if split.cost + Self.splitCost < unit.cost { return (split.tree, split.cost + Self.splitCost) }
        }
        set(unit.mode, x, y, log2)
        return (.unit(mode: unit.mode), unit.cost)
    }

    private mutating func decideSplit(_ x: Int, _ y: Int, _ log2: Int) -> (tree: CodingTree?, cost: Int) {
        let half = 1 << (log2 - 1)
        var parts: [CodingTree?] = []
        var cost = 0
        for (column, row) in [(0, 0), (half, 0), (0, half), (half, half)] {
            let part = decide(x + column, y + row, log2 - 1)
            parts.append(part.tree)
            cost += part.cost
        }
        return (.split(parts), cost)
    }

    /// Marks the blocks of a coding unit as decided.
    private mutating func set(_ mode: Int, _ x: Int, _ y: Int, _ log2: Int) {
        let count = 1 << (log2 - 2)
        for row in 0..<count {
            let start = (y / 4 + row) * stride + x / 4
            for column in 0..<count {
                modes[start + column] = UInt8(mode)
                depths[start + column] = UInt8(Sets.codingTree - log2)
            }
        }
    }

    /// The mode with the smallest approximate cost, and whether its prediction has no error.
    private mutating func bestMode(
        _ x: Int, _ y: Int, _ log2: Int
    ) -> (mode: Int, cost: Int, isExact: Bool) {
        let probable = probableModes(x, y)
        predictor.prepare(x: x, y: y, size: log2)
        var tried: [Int: Int] = [:]
        var best = (mode: 1, cost: Int.max, isExact: false)
        /// Tries a mode unless it was tried before, and remembers it if it is the best so far.
        func attempt(_ mode: Int) {
            guard (0..<35).contains(mode), tried[mode] == nil, !best.isExact else { return }
            predictor.difference(mode: mode, x: x, y: y, size: log2, to: &residual)
            let signal = mode == probable.0 ? 2 : mode == probable.1 || mode == probable.2 ? 3 : 6
            let error = cost(1 << (2 * log2))
            let cost = signal + error
            tried[mode] = cost
            if cost < best.cost { best = (mode, cost, error == 0) }
        }
        for mode in [0, 1, probable.0, probable.1, probable.2, 2, 6, 10, 14, 18, 22, 26, 30, 34] {
            attempt(mode)
        }
        // Searches closer to the best direction so far, twice.
        for step in [2, 1] {
            let direction = tried.filter { $0.key > 1 }.min { ($0.value, $0.key) < ($1.value, $1.key) }?.key
            guard let direction else { break }
            if direction - step > 1 { attempt(direction - step) }
            attempt(direction + step)
        }
        return best
    }

    /// The approximate cost of the current differences; 0 if all of them are zero.
    private func cost(_ count: Int) -> Int {
        let (residual, costs) = (residual.span, Self.costs.span)
        var cost = 0
        for index in 0..<count { cost += costs[Int(residual[index].magnitude)] }
        return cost == count ? 0 : cost
    }

    // MARK: Neighbors

    /// How many of the blocks to the left and above are divided further (§9.3.4.2.2).
    private func splitContext(_ x: Int, _ y: Int, _ depth: Int) -> Int {
        var context = 0
        if x > 0, Int(depths[y / 4 * stride + x / 4 - 1]) > depth { context += 1 }
        if y > 0, Int(depths[(y / 4 - 1) * stride + x / 4]) > depth { context += 1 }
        return context
    }

    /// `candModeList` (§8.4.2).
    private func probableModes(_ x: Int, _ y: Int) -> (Int, Int, Int) {
        let left = x > 0 ? Int(modes[y / 4 * stride + x / 4 - 1]) : 1
        // The decoder does not use modes from the row of coding trees above.
        let isInTree = y & ((1 << Sets.codingTree) - 1) > 0
        let above = isInTree ? Int(modes[(y / 4 - 1) * stride + x / 4]) : 1
        guard left == above else {
            let third = left != 0 && above != 0 ? 0 : left != 1 && above != 1 ? 1 : 26
            return (left, above, third)
        }
        guard left > 1 else { return (0, 1, 26) }
        return (left, 2 + (left + 29) % 32, 2 + (left - 2 + 1) % 32)
    }

    // MARK: Writing

    private mutating func write(_ tree: CodingTree, _ x: Int, _ y: Int, _ log2: Int) {
        let size = 1 << log2
        let context = ContextStates.splitCodingUnit + splitContext(x, y, Sets.codingTree - log2)
        switch tree {
        case .split(let parts):
            // A block that crosses an edge of the plane is always divided.
            if x + size <= plane.width, y + size <= plane.height { coder.append(1, context: context) }
            let half = size / 2
            for (part, (column, row)) in zip(parts, [(0, 0), (half, 0), (0, half), (half, half)]) {
                if let part { write(part, x + column, y + row, log2 - 1) }
            }
        case .unit(let mode):
            if log2 > Sets.smallestCoding { coder.append(0, context: context) }
            writeUnit(mode, x, y, log2)
            set(mode, x, y, log2)
        }
    }

    /// Writes a coding unit of one prediction block and one transform block.
    private mutating func writeUnit(_ mode: Int, _ x: Int, _ y: Int, _ log2: Int) {
        coder.append(1, context: ContextStates.transquantBypass)
        if log2 == Sets.smallestCoding { coder.append(1, context: ContextStates.partMode) }
        write(mode, probableModes(x, y))
        predictor.prepare(x: x, y: y, size: log2)
        predictor.difference(mode: mode, x: x, y: y, size: log2, to: &residual)
        let isCoded = cost(1 << (2 * log2)) > 0
        coder.append(isCoded ? 1 : 0, context: ContextStates.codedBlock)
        guard isCoded else { return }
        let residual = residual
        codeResidual(
            residual.span, size: log2, scan: ScanOrder.kind(mode: mode, transformSize: log2), to: &coder)
    }

    /// `prev_intra_luma_pred_flag`, and `mpm_idx` or `rem_intra_luma_pred_mode` (§8.4.2).
    private mutating func write(_ mode: Int, _ probable: (Int, Int, Int)) {
        let isProbable = mode == probable.0 || mode == probable.1 || mode == probable.2
        coder.append(isProbable ? 1 : 0, context: ContextStates.previousMode)
        guard isProbable else {
            let lower = [probable.0, probable.1, probable.2].count { $0 < mode }
            coder.appendBypass(mode - lower, bits: 5)
            return
        }
        // 0, 10, 11
        if mode == probable.0 {
            coder.appendBypass(0, bits: 1)
        } else {
            coder.appendBypass(mode == probable.1 ? 2 : 3, bits: 2)
        }
    }
}
