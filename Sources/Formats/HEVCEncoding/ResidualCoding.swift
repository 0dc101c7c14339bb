/// Codes the differences of one transform block, at least one of them not zero (H.265 §7.3.8.11): `residual_coding()` of luma
/// without transform skipping and sign hiding.
func codeResidual(
    _ residual: Span<Int16>, size log2: Int, scan kind: Int, to coder: inout ArithmeticCoder
) {
    let positions = ScanOrder.of(size: 2, kind: kind).span
    let blocks = ScanOrder.of(size: log2 - 2, kind: kind).span
    let blockMask = codedSubBlocks(residual, size: log2)
    var lastBlock = blocks.count - 1
    while blockMask >> UInt64(blocks[lastBlock]) & 1 == 0 { lastBlock -= 1 }
    var lastPosition = 15
    let start = blockStart(blocks[lastBlock], log2)
    while residual[start + offset(positions[lastPosition], log2)] == 0 { lastPosition -= 1 }
    let lastX = (Int(blocks[lastBlock] & 7) << 2) + Int(positions[lastPosition] & 7)
    let lastY = (Int(blocks[lastBlock] >> 3) << 2) + Int(positions[lastPosition] >> 3)
    // Vertical scans exchange the coordinates.
    codeLast(kind == 2 ? lastY : lastX, kind == 2 ? lastX : lastY, size: log2, to: &coder)

    var hadGreaterThan1 = false
    for block in (0...lastBlock).reversed() {
        let place = blocks[block]
        let (column, row) = (Int(place & 7), Int(place >> 3))
        let right = column + 1 < 1 << (log2 - 2) ? Int(blockMask >> UInt64(place + 1) & 1) : 0
        let below = row + 1 < 1 << (log2 - 2) ? Int(blockMask >> UInt64(place + 8) & 1) : 0
        let isCoded = blockMask >> UInt64(place) & 1 == 1
        let isInner = block > 0 && block < lastBlock
        if isInner {
            coder.append(isCoded ? 1 : 0, context: ContextStates.codedSubBlock + (right | below))
            if !isCoded { continue }
        }
        let first = block == lastBlock ? lastPosition - 1 : 15
        let start = blockStart(place, log2)
        let neighbors = right | below << 1
        // The nonzero values, in coding order.
        var magnitudes: InlineArray<16, Int> = .init(repeating: 0)
        var (count, signs) = (0, 0)
        if block == lastBlock {
            let value = Int(residual[start + offset(positions[lastPosition], log2)])
            magnitudes[0] = abs(value)
            (count, signs) = (1, value < 0 ? 1 : 0)
        }
        // If an inner block is known to have a value that is not zero, and all others are zero, the first one is implied.
        var infersFirst = isInner
        var index = first
        while index >= 0 {
            let position = positions[index]
            let value = Int(residual[start + offset(position, log2)])
            if index > 0 || !infersFirst {
                let context = significanceContext(
                    Int(position & 7), Int(position >> 3), block: (column, row), neighbors, size: log2, kind)
                coder.append(value == 0 ? 0 : 1, context: ContextStates.significant + context)
            }
            if value != 0 {
                infersFirst = false
                magnitudes[count] = abs(value)
                count += 1
                signs = signs << 1 | (value < 0 ? 1 : 0)
            }
            index -= 1
        }
        guard count > 0 else { continue }
        hadGreaterThan1 = codeMagnitudes(
            magnitudes, count, signs, isFirst: block == 0, hadGreaterThan1, to: &coder)
    }
}

/// The offset of a position of a 4 × 4 block in a block with rows of 2^`log2` samples.
@inline(__always)
private func offset(_ position: UInt8, _ log2: Int) -> Int {
    Int(position & 7) + (Int(position >> 3) << log2)
}

@inline(__always)
private func blockStart(_ place: UInt8, _ log2: Int) -> Int {
    (Int(place & 7) << 2) + (Int(place >> 3) << (log2 + 2))
}

/// Which sub-blocks have values that are not zero: bit x + 8 · y.
private func codedSubBlocks(_ residual: Span<Int16>, size log2: Int) -> UInt64 {
    var mask: UInt64 = 0
    let side = 1 << log2
    for y in 0..<side {
        for x in 0..<side where residual[(y << log2) + x] != 0 {
            mask |= 1 << UInt64((x >> 2) + ((y >> 2) << 3))
        }
    }
    return mask
}

/// `last_sig_coeff_x_prefix` to `last_sig_coeff_y_suffix` (§9.3.4.2.3, Table 9-41).
private func codeLast(_ x: Int, _ y: Int, size log2: Int, to coder: inout ArithmeticCoder) {
    let (shift, base) = ((log2 + 1) >> 2, 3 * (log2 - 2) + ((log2 - 1) >> 2))
    let longest = 2 * log2 - 1
    let (prefixX, prefixY) = (lastPrefix(x), lastPrefix(y))
    for (prefix, contexts) in [(prefixX, ContextStates.lastX), (prefixY, ContextStates.lastY)] {
        for bin in 0..<prefix { coder.append(1, context: contexts + base + (bin >> shift)) }
        if prefix < longest { coder.append(0, context: contexts + base + (prefix >> shift)) }
    }
    for (value, prefix) in [(x, prefixX), (y, prefixY)] where prefix > 3 {
        let bits = (prefix >> 1) - 1
        coder.appendBypass(value - ((2 + (prefix & 1)) << bits), bits: bits)
    }
}

/// The group of a coordinate: 0 to 3, then two groups for each power of two.
@inline(__always)
private func lastPrefix(_ value: Int) -> Int {
    guard value > 3 else { return value }
    let bits = Int.bitWidth - 1 - value.leadingZeroBitCount
    return 2 * bits + (value >> (bits - 1)) & 1
}

/// The context of `sig_coeff_flag` (§9.3.4.2.5).
@inline(__always)
private func significanceContext(
    _ x: Int, _ y: Int, block: (column: Int, row: Int), _ neighbors: Int, size log2: Int, _ kind: Int
) -> Int {
    if log2 == 2 { return smallBlockContexts[(y << 2) + x] }
    if x + y + block.column + block.row == 0 { return 0 }
    var context: Int
    switch neighbors {
    case 0: context = x + y == 0 ? 2 : x + y < 3 ? 1 : 0
    case 1: context = y == 0 ? 2 : y == 1 ? 1 : 0
    case 2: context = x == 0 ? 2 : x == 1 ? 1 : 0
    default: context = 2
    }
    if block.column + block.row > 0 { context += 3 }
    return context + (log2 == 3 ? (kind == 0 ? 9 : 15) : 21)
}

/// `ctxIdxMap` (Table 9-43).
private let smallBlockContexts: InlineArray<16, Int> = [0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8, 8]

/// Codes the magnitudes and signs of one sub-block. Returns whether a magnitude among those with a flag is above 1.
@inline(__always)
private func codeMagnitudes(
    _ magnitudes: InlineArray<16, Int>, _ count: Int, _ signs: Int, isFirst: Bool, _ hadGreaterThan1: Bool,
    to coder: inout ArithmeticCoder
) -> Bool {
    let set = (isFirst ? 0 : 2) + (hadGreaterThan1 ? 1 : 0)
    var (run, firstGreater) = (1, -1)
    for index in 0..<min(count, 8) {
        let isGreater = magnitudes[index] > 1
        coder.append(isGreater ? 1 : 0, context: ContextStates.greaterThan1 + (set << 2) + run)
        if isGreater {
            run = 0
            if firstGreater < 0 { firstGreater = index }
        } else if run > 0, run < 3 {
            run += 1
        }
    }
    if firstGreater >= 0 {
        coder.append(magnitudes[firstGreater] > 2 ? 1 : 0, context: ContextStates.greaterThan2 + set)
    }
    coder.appendBypass(signs, bits: count)
    var rice = 0
    for index in 0..<count {
        let base = index < 8 ? (index == firstGreater ? 3 : 2) : 1
        guard magnitudes[index] >= base else { continue }
        codeRemaining(magnitudes[index] - base, rice, to: &coder)
        if magnitudes[index] > 3 << rice { rice = min(rice + 1, 4) }
    }
    return run == 0
}

/// `coeff_abs_level_remaining` (§9.3.3.11).
@inline(__always)
private func codeRemaining(_ value: Int, _ rice: Int, to coder: inout ArithmeticCoder) {
    if value < 3 << rice {
        let length = value >> rice
        coder.appendBypass((1 << (length + 1)) - 2, bits: length + 1)
        coder.appendBypass(value & ((1 << rice) - 1), bits: rice)
        return
    }
    var (rest, length) = (value - (3 << rice), rice)
    while rest >= 1 << length {
        rest -= 1 << length
        length += 1
    }
    let prefix = 4 + length - rice
    coder.appendBypass((1 << prefix) - 2, bits: prefix)
    coder.appendBypass(rest, bits: length)
}
