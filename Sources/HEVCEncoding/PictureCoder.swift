/// Codes a plane as one slice, coding tree by coding tree. It first chooses the division and the modes of each, then writes
/// it.
struct PictureCoder {
    private typealias Sets = ParameterSets
    let plane: BlockPlane
    private var coder: ArithmeticCoder
    private var counter: BitCounter
    private var predictor: IntraPredictor
    private var residual = [Int16](repeating: 0, count: 32 * 32)
    /// For each 4 × 4 block that is decided: its mode, and the depth of its coding unit.
    private var modes: [UInt8]
    private var depths: [UInt8]
    private let stride: Int
    /// The approximate cost of a difference, for a first choice of modes.
    private static let roughCosts: [Int] = (0...255).map { magnitude in
        magnitude == 0 ? 1 : 4 + 3 * (Int.bitWidth - magnitude.leadingZeroBitCount)
    }
    /// How many modes are compared exactly.
    private static let candidateCount = 4

    init(_ plane: BlockPlane) {
        self.plane = plane
        let contexts = ContextStates(sliceQP: Sets.sliceQP)
        coder = ArithmeticCoder(contexts)
        counter = BitCounter(contexts)
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
                counter = BitCounter(coder.contexts)
                let (x, y) = (column * size, row * size)
                if let tree = decide(x, y, Sets.codingTree).tree {
                    write(tree, x, y, Sets.codingTree)
                }
                coder.appendTerminating(row == rows - 1 && column == columns - 1 ? 1 : 0)
            }
        }
        return coder.finished()
    }

    // MARK: Deciding

    /// The division of a block with the fewest bits, and their number; `nil` for a block outside the plane.
    private mutating func decide(_ x: Int, _ y: Int, _ log2: Int) -> (tree: CodingTree?, cost: Int) {
        guard x < plane.width, y < plane.height else { return (nil, 0) }
        let size = 1 << log2
        let depth = Sets.codingTree - log2
        let fits = x + size <= plane.width && y + size <= plane.height
        guard fits else { return decideSplit(x, y, log2) }
        var best = decideUnit(x, y, log2)
        guard log2 > Sets.smallestCoding else {
            set(best.unit.modes, depth, x, y, log2)
            return (.unit(best.unit), best.cost)
        }
        best.cost += splitCost(0, x, y, depth)
        // Nothing is cheaper than a block without differences.
        if case .block(isCoded: false) = best.unit.transform {
            set(best.unit.modes, depth, x, y, log2)
            return (.unit(best.unit), best.cost)
        }
        let flag = splitCost(1, x, y, depth)
        let split = decideSplit(x, y, log2)
        if split.cost + flag < best.cost { return (split.tree, split.cost + flag) }
        set(best.unit.modes, depth, x, y, log2)
        return (.unit(best.unit), best.cost)
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
    private mutating func set(_ unitModes: [Int], _ depth: Int, _ x: Int, _ y: Int, _ log2: Int) {
        let count = 1 << (log2 - 2)
        for row in 0..<count {
            let start = (y / 4 + row) * stride + x / 4
            for column in 0..<count {
                let part = unitModes.count == 4 ? 2 * row + column : 0
                modes[start + column] = UInt8(unitModes[part])
                depths[start + column] = UInt8(depth)
            }
        }
    }

    private mutating func decideUnit(_ x: Int, _ y: Int, _ log2: Int) -> (unit: CodingUnit, cost: Int) {
        let whole = decidePart(x, y, log2, depth: 0)
        var best = (CodingUnit(modes: [whole.mode], transform: whole.transform), whole.cost)
        guard log2 == Sets.smallestCoding else { return best }
        best.1 += bits(1, ContextStates.partMode)
        if case .block(isCoded: false) = whole.transform { return best }
        // Four parts of 4 × 4, each with a separate mode.
        var (partModes, transforms) = ([Int](), [TransformTree]())
        var cost = bits(0, ContextStates.partMode)
        for (column, row) in [(0, 0), (4, 0), (0, 4), (4, 4)] {
            let part = decidePart(x + column, y + row, 2, depth: 1)
            partModes.append(part.mode)
            transforms.append(part.transform)
            cost += part.cost
            modes[(y + row) / 4 * stride + (x + column) / 4] = UInt8(part.mode)
        }
        guard cost < best.1 else { return best }
        return (CodingUnit(modes: partModes, transform: .split(transforms)), cost)
    }

    /// The cheapest prediction mode for a complete block, and its transform tree, which begins at `depth`.
    private mutating func decidePart(
        _ x: Int, _ y: Int, _ log2: Int, depth: Int
    ) -> (mode: Int, transform: TransformTree, cost: Int) {
        let probable = probableModes(x, y)
        let candidates = candidates(x, y, log2, probable)
        var best: (mode: Int, transform: TransformTree, cost: Int)?
        for mode in candidates {
            let tree = decideTransform(x, y, log2, mode, depth: depth, below: best?.cost ?? .max)
            let cost = tree.cost + modeCost(mode, probable)
            if cost < best?.cost ?? .max { best = (mode, tree.tree, cost) }
            if case .block(isCoded: false) = tree.tree { break }
        }
        return best ?? (1, .block(isCoded: false), 0)
    }

    /// The modes with the smallest approximate cost; the probable ones among them cost less.
    private mutating func candidates(
        _ x: Int, _ y: Int, _ log2: Int, _ probable: (Int, Int, Int)
    ) -> [Int] {
        // A block of 64 is predicted in blocks of 32; only one of them is compared.
        let size = min(log2, Sets.largestTransform)
        predictor.prepare(x: x, y: y, size: size)
        var tried: [(mode: Int, cost: Int)] = []
        func isTried(_ mode: Int) -> Bool { tried.contains { $0.mode == mode } }
        func attempt(_ mode: Int) {
            guard (0..<35).contains(mode), !isTried(mode) else { return }
            predictor.difference(mode: mode, x: x, y: y, size: size, to: &residual)
            let signal = mode == probable.0 ? 2 : mode == probable.1 || mode == probable.2 ? 3 : 6
            tried.append((mode, roughCost(1 << (2 * size)) + signal))
        }
        for mode in [0, 1, probable.0, probable.1, probable.2, 2, 6, 10, 14, 18, 22, 26, 30, 34] {
            attempt(mode)
        }
        // Searches closer to the best direction so far, twice.
        for step in [2, 1] {
            let best = tried.filter { $0.mode > 1 }.min { $0.cost < $1.cost }?.mode ?? 26
            if best - step > 1 { attempt(best - step) }
            attempt(best + step)
        }
        let count = log2 > 4 ? 2 : log2 > 2 ? 3 : Self.candidateCount
        return tried.sorted { ($0.cost, $0.mode) < ($1.cost, $1.mode) }.prefix(count).map(\.mode)
    }

    private func roughCost(_ count: Int) -> Int {
        let (residual, costs) = (residual.span, Self.roughCosts.span)
        var cost = 0
        for index in 0..<count { cost += costs[Int(residual[index].magnitude)] }
        return cost >> 1
    }

    private mutating func decideTransform(
        _ x: Int, _ y: Int, _ log2: Int, _ mode: Int, depth: Int, below bound: Int
    ) -> (tree: TransformTree, cost: Int) {
        let maySplit = log2 > Sets.smallestTransform && depth < Sets.transformDepth
        var whole: (tree: TransformTree, cost: Int)?
        if log2 <= Sets.largestTransform {
            predictor.prepare(x: x, y: y, size: log2)
            predictor.difference(mode: mode, x: x, y: y, size: log2, to: &residual)
            var block = blockCost(log2, mode, depth: depth)
            if maySplit { block.cost += bits(0, ContextStates.splitTransform + 5 - log2) }
            if !block.isCoded || !maySplit { return (.block(isCoded: block.isCoded), block.cost) }
            whole = (.block(isCoded: true), block.cost)
        }
        var cost = whole == nil ? 0 : bits(1, ContextStates.splitTransform + 5 - log2)
        var parts: [TransformTree] = []
        let half = 1 << (log2 - 1)
        for (column, row) in [(0, 0), (half, 0), (0, half), (half, half)] {
            let part = decideTransform(
                x + column, y + row, log2 - 1, mode, depth: depth + 1, below: bound)
            parts.append(part.tree)
            cost += part.cost
            if let whole, cost >= whole.cost { return whole }
            if whole == nil, cost >= bound, parts.count < 4 { return (.block(isCoded: true), .max / 2) }
        }
        return (.split(parts), cost)
    }

    /// The cost of the current differences as one block.
    private mutating func blockCost(_ log2: Int, _ mode: Int, depth: Int) -> (isCoded: Bool, cost: Int) {
        let context = ContextStates.codedBlock + (depth == 0 ? 1 : 0)
        let count = 1 << (2 * log2)
        var isCoded = false
        let residual = residual
        let differences = residual.span
        for index in 0..<count where differences[index] != 0 {
            isCoded = true
            break
        }
        guard isCoded else { return (false, bits(0, context)) }
        counter.reset()
        codeResidual(
            differences, size: log2, scan: ScanOrder.kind(mode: mode, transformSize: log2), to: &counter)
        return (true, counter.cost + bits(1, context))
    }

    private func bits(_ bin: Int, _ context: Int) -> Int {
        ContextStates.costs[Int(counter.states[context]) ^ bin]
    }

    private func modeCost(_ mode: Int, _ probable: (Int, Int, Int)) -> Int {
        let context = ContextStates.previousMode
        if mode == probable.0 { return bits(1, context) + (1 << 15) }
        if mode == probable.1 || mode == probable.2 { return bits(1, context) + (2 << 15) }
        return bits(0, context) + (5 << 15)
    }

    private func splitCost(_ bin: Int, _ x: Int, _ y: Int, _ depth: Int) -> Int {
        bits(bin, ContextStates.splitCodingUnit + splitContext(x, y, depth))
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
        let depth = Sets.codingTree - log2
        let fits = x + size <= plane.width && y + size <= plane.height
        switch tree {
        case .split(let parts):
            if fits { coder.append(1, context: ContextStates.splitCodingUnit + splitContext(x, y, depth)) }
            let half = size / 2
            for (part, (column, row)) in zip(parts, [(0, 0), (half, 0), (0, half), (half, half)]) {
                if let part { write(part, x + column, y + row, log2 - 1) }
            }
        case .unit(let unit):
            if log2 > Sets.smallestCoding {
                coder.append(0, context: ContextStates.splitCodingUnit + splitContext(x, y, depth))
            }
            write(unit, x, y, log2)
            set(unit.modes, depth, x, y, log2)
        }
    }

    private mutating func write(_ unit: CodingUnit, _ x: Int, _ y: Int, _ log2: Int) {
        coder.append(1, context: ContextStates.transquantBypass)
        let isDivided = unit.modes.count == 4
        if log2 == Sets.smallestCoding { coder.append(isDivided ? 0 : 1, context: ContextStates.partMode) }
        // The flags of all parts come first. Each part's mode is used to predict the next one.
        var codes: [(isProbable: Bool, value: Int)] = []
        for (part, mode) in unit.modes.enumerated() {
            let (column, row) = isDivided ? (part & 1, part >> 1) : (0, 0)
            codes.append(modeCode(mode, probableModes(x + 4 * column, y + 4 * row)))
            if isDivided { modes[(y / 4 + row) * stride + x / 4 + column] = UInt8(mode) }
        }
        for code in codes { coder.append(code.isProbable ? 1 : 0, context: ContextStates.previousMode) }
        for code in codes {
            guard code.isProbable else {
                coder.appendBypass(code.value, bits: 5)
                continue
            }
            // 0, 10, 11
            coder.appendBypass(code.value == 0 ? 0 : code.value + 1, bits: code.value == 0 ? 1 : 2)
        }
        write(unit.transform, x, y, log2, depth: 0, unit)
    }

    /// `mpm_idx` or `rem_intra_luma_pred_mode` (§8.4.2).
    private func modeCode(_ mode: Int, _ probable: (Int, Int, Int)) -> (isProbable: Bool, value: Int) {
        if mode == probable.0 { return (true, 0) }
        if mode == probable.1 { return (true, 1) }
        if mode == probable.2 { return (true, 2) }
        let lower = [probable.0, probable.1, probable.2].count { $0 < mode }
        return (false, mode - lower)
    }

    private mutating func write(
        _ tree: TransformTree, _ x: Int, _ y: Int, _ log2: Int, depth: Int, _ unit: CodingUnit
    ) {
        let isDivided = unit.modes.count == 4
        let deepest = Sets.transformDepth + (isDivided ? 1 : 0)
        let hasFlag =
            log2 <= Sets.largestTransform && log2 > Sets.smallestTransform && depth < deepest
            && !(isDivided && depth == 0)
        switch tree {
        case .split(let parts):
            if hasFlag { coder.append(1, context: ContextStates.splitTransform + 5 - log2) }
            let half = 1 << (log2 - 1)
            for (index, part) in parts.enumerated() {
                let mode = isDivided && depth == 0 ? unit.modes[index] : unit.modes[0]
                let single = isDivided && depth == 0 ? CodingUnit(modes: [mode], transform: part) : unit
                let (column, row) = (index & 1, index >> 1)
                // Parts with separate modes are blocks of 4 × 4, which are never divided.
                write(part, x + column * half, y + row * half, log2 - 1, depth: depth + 1, single)
            }
        case .block(let isCoded):
            if hasFlag { coder.append(0, context: ContextStates.splitTransform + 5 - log2) }
            coder.append(isCoded ? 1 : 0, context: ContextStates.codedBlock + (depth == 0 ? 1 : 0))
            guard isCoded else { return }
            let mode = unit.modes[0]
            predictor.prepare(x: x, y: y, size: log2)
            predictor.difference(mode: mode, x: x, y: y, size: log2, to: &residual)
            let residual = residual
            codeResidual(
                residual.span, size: log2, scan: ScanOrder.kind(mode: mode, transformSize: log2), to: &coder)
        }
    }
}
