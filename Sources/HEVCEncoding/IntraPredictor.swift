/// Predicts blocks of a plane from the samples around them (H.265 §8.4.4.2). Coding is lossless, so these are the plane's own.
struct IntraPredictor {
    let plane: PaddedPlane
    /// The samples around a block: left from the bottom up, corner, above from the left: 4 · size + 1.
    private var around = [Int](repeating: 0, count: 4 * 32 + 1)
    private var filtered = [Int](repeating: 0, count: 4 * 32 + 1)

    init(_ plane: PaddedPlane) { self.plane = plane }

    private static let angles = [
        32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26, -32, -26, -21, -17, -13, -9, -5, -2,
        0, 2, 5, 9, 13, 17, 21, 26, 32,
    ]
    private static let inverseAngles = [
        -4096, -1638, -910, -630, -482, -390, -315, -256, -315, -390, -482, -630, -910, -1638, -4096,
    ]

    /// Reads the samples around the block of 2^`log2` samples each way at (`x`, `y`), as a decoder has them: those that come
    /// later in coding order take the value of their neighbors (§8.4.4.2.2).
    mutating func prepare(x: Int, y: Int, size log2: Int) {
        Self.collect(plane, x, y, log2, to: &around)
        guard log2 > 2 else { return }
        let around = around
        Self.smooth(around.span, 1 << log2, to: &filtered)
    }

    private static func collect(
        _ plane: PaddedPlane, _ x: Int, _ y: Int, _ log2: Int, to around: inout [Int]
    ) {
        let size = 1 << log2
        let (width, height) = (plane.width, plane.height)
        let samples = plane.samples.span
        var buffer = around.mutableSpan
        let corner = 2 * size
        // Blocks of 4 × 4 are there or not as a unit.
        var isKnown: InlineArray<33, Bool> = .init(repeating: false)
        var any = false
        for unit in 0..<size / 2 {
            let row = y + 2 * size - 4 - 4 * unit
            guard x > 0, row < height, isBefore(x - 1, row, x, y, log2) else { continue }
            isKnown[unit] = true
            any = true
            for step in 0..<4 { buffer[4 * unit + step] = Int(samples[(row + 3 - step) * width + x - 1]) }
        }
        let units = size / 2
        if x > 0, y > 0 {
            isKnown[units] = true
            any = true
            buffer[corner] = Int(samples[(y - 1) * width + x - 1])
        }
        for unit in 0..<size / 2 where units + 1 + unit < 33 {
            let column = x + 4 * unit
            guard y > 0, column < width, isBefore(column, y - 1, x, y, log2) else { continue }
            isKnown[units + 1 + unit] = true
            any = true
            for step in 0..<4 {
                buffer[corner + 1 + 4 * unit + step] = Int(samples[(y - 1) * width + column + step])
            }
        }
        guard any else {
            for index in 0...4 * size { buffer[index] = 128 }
            return
        }
        // The first that is known stands for all before it.
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

    /// Whether a sample comes before a block in coding order (§6.4.1): by coding trees, then along the z-curve in them.
    @inline(__always)
    private static func isBefore(_ otherX: Int, _ otherY: Int, _ x: Int, _ y: Int, _ log2: Int) -> Bool {
        let tree = ParameterSets.codingTree
        let (otherRow, row) = (otherY >> tree, y >> tree)
        guard otherRow == row else { return otherRow < row }
        let (otherColumn, column) = (otherX >> tree, x >> tree)
        guard otherColumn == column else { return otherColumn < column }
        return zOrder(otherX, otherY) < zOrder(x, y)
    }

    /// The place of a 4 × 4 block in its coding tree.
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
    private static func smooth(_ source: Span<Int>, _ size: Int, to filtered: inout [Int]) {
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

    /// Writes the differences of the block that was prepared from its prediction into `residual`, row by row.
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
            for row in 0..<size {
                let left = source[corner - 1 - row]
                for column in 0..<size {
                    let sum =
                        (size - 1 - column) * left + (column + 1) * right
                        + (size - 1 - row) * source[corner + 1 + column] + (row + 1) * bottom + size
                    output[row << log2 + column] = Int16(
                        truncatingIfNeeded: Int(samples[(y + row) * width + x + column]) - sum >> (log2 + 1))
                }
            }
        case 1:
            var sum = size
            for index in 0..<size { sum += source[corner + 1 + index] + source[corner - 1 - index] }
            let mean = sum >> (log2 + 1)
            for row in 0..<size {
                for column in 0..<size {
                    var value = mean
                    if size < 32 {
                        if row == 0, column == 0 {
                            value = (source[corner - 1] + 2 * mean + source[corner + 1] + 2) >> 2
                        } else if row == 0 {
                            value = (source[corner + 1 + column] + 3 * mean + 2) >> 2
                        } else if column == 0 {
                            value = (source[corner - 1 - row] + 3 * mean + 2) >> 2
                        }
                    }
                    output[row << log2 + column] = Int16(
                        truncatingIfNeeded: Int(samples[(y + row) * width + x + column]) - value)
                }
            }
        default:
            angular(source, mode, x, y, log2, &output)
        }
    }

    /// Modes 2 to 34 (§8.4.4.2.6).
    private func angular(
        _ source: Span<Int>, _ mode: Int, _ x: Int, _ y: Int, _ log2: Int, _ output: inout MutableSpan<Int16>
    ) {
        let size = 1 << log2
        let corner = 2 * size
        let angle = Self.angles[mode - 2]
        let isVertical = mode >= 18
        // Along the main side from the corner on; `direction` leads away from it.
        let direction = isVertical ? 1 : -1
        // ref[index] at reference[index + size].
        var reference: InlineArray<97, Int> = .init(repeating: 0)
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
        // An edge is smoothed where the direction runs along it.
        let hasEdge = angle == 0 && size < 32
        for line in 0..<size {
            let shift = (line + 1) * angle
            let (whole, part) = (shift >> 5, shift & 31)
            for place in 0..<size {
                let base = size + place + whole + 1
                var value = reference[base]
                if part != 0 { value = ((32 - part) * value + part * reference[base + 1] + 16) >> 5 }
                if hasEdge, place == 0 {
                    let side = source[corner - direction * (line + 1)]
                    value = min(max(value + (side - source[corner]) >> 1, 0), 255)
                }
                let (row, column) = isVertical ? (line, place) : (place, line)
                output[row << log2 + column] = Int16(
                    truncatingIfNeeded: Int(samples[(y + row) * width + x + column]) - value)
            }
        }
    }
}
