/// Predicts blocks of a plane from the samples around them (H.265 §8.4.4.2). Coding is lossless, so these are the
/// plane's original samples.
struct IntraPredictor {
    let plane: BlockPlane
    /// The samples around a block: left from the bottom up, corner, above from the left: 4 · size + 1.
    private var around = [Int32](repeating: 0, count: 4 * 32 + 1)
    private var filtered = [Int32](repeating: 0, count: 4 * 32 + 1)

    init(_ plane: BlockPlane) { self.plane = plane }

    private static let angles = [
        32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26, -32, -26, -21, -17, -13, -9, -5, -2,
        0, 2, 5, 9, 13, 17, 21, 26, 32,
    ]
    private static let inverseAngles = [
        -4096, -1638, -910, -630, -482, -390, -315, -256, -315, -390, -482, -630, -910, -1638, -4096,
    ]

    /// Reads the samples around the block of 2^`log2` samples each way at (`x`, `y`), as a decoder has them. Samples
    /// that come later in coding order get the value of their neighbors (§8.4.4.2.2).
    mutating func prepare(x: Int, y: Int, size log2: Int) {
        Self.collect(plane, x, y, log2, to: &around)
        guard log2 > 2 else { return }
        let around = around
        Self.smooth(around.span, 1 << log2, to: &filtered)
    }

    private static func collect(
        _ plane: BlockPlane, _ x: Int, _ y: Int, _ log2: Int, to around: inout [Int32]
    ) {
        let size = 1 << log2
        let (width, height) = (plane.width, plane.height)
        let samples = plane.samples.span
        var buffer = around.mutableSpan
        let corner = 2 * size
        // Either all samples of a 4 × 4 block are available, or no sample is.
        var isKnown: InlineArray<33, Bool> = .init(repeating: false)
        var any = false
        for unit in 0..<size / 2 {
            let row = y + 2 * size - 4 - 4 * unit
            guard x > 0, row < height, isBefore(x - 1, row, x, y, log2) else { continue }
            isKnown[unit] = true
            any = true
            for step in 0..<4 { buffer[4 * unit + step] = Int32(samples[(row + 3 - step) * width + x - 1]) }
        }
        let units = size / 2
        if x > 0, y > 0 {
            isKnown[units] = true
            any = true
            buffer[corner] = Int32(samples[(y - 1) * width + x - 1])
        }
        for unit in 0..<size / 2 where units + 1 + unit < 33 {
            let column = x + 4 * unit
            guard y > 0, column < width, isBefore(column, y - 1, x, y, log2) else { continue }
            isKnown[units + 1 + unit] = true
            any = true
            for step in 0..<4 {
                buffer[corner + 1 + 4 * unit + step] = Int32(samples[(y - 1) * width + column + step])
            }
        }
        guard any else {
            for index in 0...4 * size { buffer[index] = 128 }
            return
        }
        // The first available sample replaces all before it.
        let total = 2 * units + 1
        func start(_ unit: Int) -> Int { unit <= units ? 4 * unit : corner + 1 + 4 * (unit - units - 1) }
        func length(_ unit: Int) -> Int { unit == units ? 1 : 4 }
        var first = 0
        while !isKnown[first] { first += 1 }
        let value = buffer[start(first)]
        for index in 0..<start(first) { buffer[index] = value }
        for unit in first + 1..<max(first + 1, total) where !isKnown[unit] {
            let value = buffer[start(unit) - 1]
            for step in 0..<length(unit) { buffer[start(unit) + step] = value }
        }
    }

    /// Whether a sample precedes a block in coding order (§6.4.1): by coding trees, then along the z-curve within each.
    @inline(__always)
    private static func isBefore(_ otherX: Int, _ otherY: Int, _ x: Int, _ y: Int, _ log2: Int) -> Bool {
        let tree = ParameterSets.codingTree
        let (otherRow, row) = (otherY >> tree, y >> tree)
        guard otherRow == row else { return otherRow < row }
        let (otherColumn, column) = (otherX >> tree, x >> tree)
        guard otherColumn == column else { return otherColumn < column }
        return zOrder(otherX, otherY) < zOrder(x, y)
    }

    /// The index of a 4 × 4 block along the z-curve of its coding tree.
    @inline(__always)
    private static func zOrder(_ x: Int, _ y: Int) -> Int {
        func spread(_ value: Int) -> Int {
            var bits = value >> 2 & 15
            bits = (bits | bits << 2) & 0x33
            return (bits | bits << 1) & 0x55
        }
        return spread(x) | spread(y) << 1
    }

    /// Smooths the samples around a block (§8.4.4.2.3).
    private static func smooth(_ source: Span<Int32>, _ size: Int, to filtered: inout [Int32]) {
        var target = filtered.mutableSpan
        let last = 4 * size
        target[0] = source[0]
        target[last] = source[last]
        for index in 1..<last {
            target[index] = (source[index - 1] + 2 * source[index] + source[index + 1] + 2) >> 2
        }
    }

    /// Whether a mode predicts from smoothed samples.
    private func smooths(_ mode: Int, _ log2: Int) -> Bool {
        guard log2 > 2, mode != 1 else { return false }
        let distance = min(abs(mode - 26), abs(mode - 10))
        return distance > (log2 == 3 ? 7 : log2 == 4 ? 1 : 0)
    }

    /// Writes the prediction error of the prepared block into `residual`, row by row.
    mutating func difference(
        mode: Int, x: Int, y: Int, size log2: Int, to residual: inout [Int16]
    ) {
        let size = 1 << log2
        let isSmooth = smooths(mode, log2)
        let chosen = isSmooth ? filtered : around
        let source = chosen.span
        let samples = plane.samples.span
        let width = plane.width
        var output = residual.mutableSpan
        let corner = 2 * size
        switch mode {
        case 0:
            let (right, bottom) = (source[corner + 1 + size], source[corner - 1 - size])
            let count = Int32(size)
            for row in 0..<size {
                let left = source[corner - 1 - row]
                let below = Int32(row + 1) &* bottom &+ count
                let above = count &- 1 &- Int32(row)
                let start = (y + row) * width + x
                let line = samples.extracting(start..<start + size)
                let top = source.extracting(corner + 1..<corner + 1 + size)
                for column in 0..<size {
                    let place = Int32(truncatingIfNeeded: column)
                    let sum =
                        (count &- 1 &- place) &* left &+ (place &+ 1) &* right &+ above &* top[column]
                        &+ below
                    output[(row << log2) + column] = Int16(
                        truncatingIfNeeded: Int32(line[column]) &- (sum >> Int32(log2 + 1)))
                }
            }
        case 1:
            var sum = Int32(size)
            for index in 0..<size { sum &+= source[corner + 1 + index] &+ source[corner - 1 - index] }
            let mean = sum >> Int32(log2 + 1)
            for row in 0..<size {
                let start = (y + row) * width + x
                let line = samples.extracting(start..<start + size)
                for column in 0..<size {
                    output[(row << log2) + column] = Int16(truncatingIfNeeded: Int32(line[column]) &- mean)
                }
            }
            guard size < 32 else { return }
            // The edges are smoothed toward their neighbors.
            let start = y * width + x
            let first = (source[corner - 1] &+ 2 &* mean &+ source[corner + 1] &+ 2) >> 2
            output[0] = Int16(truncatingIfNeeded: Int32(samples[start]) &- first)
            for index in 1..<size {
                let above = (source[corner + 1 + index] &+ 3 &* mean &+ 2) >> 2
                output[index] = Int16(truncatingIfNeeded: Int32(samples[start + index]) &- above)
                let left = (source[corner - 1 - index] &+ 3 &* mean &+ 2) >> 2
                output[index << log2] = Int16(
                    truncatingIfNeeded: Int32(samples[start + index * width]) &- left)
            }
        default:
            angular(source, mode, x, y, log2, &output)
        }
    }

    /// Modes 2 to 34 (§8.4.4.2.6).
    private func angular(
        _ source: Span<Int32>, _ mode: Int, _ x: Int, _ y: Int, _ log2: Int,
        _ output: inout MutableSpan<Int16>
    ) {
        let size = 1 << log2
        let corner = 2 * size
        let angle = Self.angles[mode - 2]
        let isVertical = mode >= 18
        // The reference samples lie along the main side; `direction` is the step away from the corner.
        let direction = isVertical ? 1 : -1
        // ref[index] at reference[index + size].
        var reference: InlineArray<97, Int32> = .init(repeating: 0)
        for index in 0...size { reference[size + index] = source[corner + direction * index] }
        if angle < 0 {
            let lowest = (size * angle) >> 5
            if lowest < -1 {
                let inverse = Self.inverseAngles[mode - 11]
                for index in lowest...(-1) {
                    let place = (index * inverse + 128) >> 8
                    reference[size + index] = source[corner - direction * place]
                }
            }
        } else {
            for index in size + 1...2 * size { reference[size + index] = source[corner + direction * index] }
        }
        let samples = plane.samples.span
        let width = plane.width
        // An edge is smoothed if the direction runs along it.
        let hasEdge = angle == 0 && size < 32
        for line in 0..<size {
            let shift = (line + 1) * angle
            let (whole, part) = (shift >> 5, Int32(shift & 31))
            let base = size + whole + 1
            let start = isVertical ? (y + line) * width + x : y * width + x + line
            let (step, target) = isVertical ? (1, line << log2) : (width, line)
            let targetStep = isVertical ? 1 : size
            if part == 0 {
                for place in 0..<size {
                    output[target + place * targetStep] = Int16(
                        truncatingIfNeeded: Int32(samples[start + place * step]) &- reference[base + place])
                }
            } else {
                for place in 0..<size {
                    let value =
                        ((32 &- part) &* reference[base + place] &+ part &* reference[base + place + 1] &+ 16)
                        >> 5
                    output[target + place * targetStep] = Int16(
                        truncatingIfNeeded: Int32(samples[start + place * step]) &- value)
                }
            }
            guard hasEdge else { continue }
            let side = source[corner - direction * (line + 1)]
            let value = min(max(reference[base] &+ (side &- source[corner]) >> 1, 0), 255)
            output[target] = Int16(truncatingIfNeeded: Int32(samples[start]) &- value)
        }
    }
}
