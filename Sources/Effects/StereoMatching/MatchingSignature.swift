/// The features for comparing pixels of two pictures: a census of their surroundings, and the horizontal slope.
///
/// The census (R. Zabih and J. Woodfill, "Non-parametric local transforms for computing visual correspondence", ECCV 1994)
/// stores which of the 24 surrounding pixels are brighter, so exposure does not change it. A window of 5 × 5 is small enough
/// to follow thin objects. The slope, which OpenCV's costs also have, distinguishes faint texture where the census sees
/// noise.
struct MatchingSignature: ~Copyable {
    let width: Int
    let height: Int
    /// Bytes in a row of each plane.
    let stride: Int
    /// The index of a row's first sample.
    let margin: Int
    /// Census bytes 0…2, and the slope.
    let planes: Planes

    struct Planes: ~Copyable {
        let census0: LaneBuffer
        let census1: LaneBuffer
        let census2: LaneBuffer
        let slope: LaneBuffer

        var lanes: (Lanes, Lanes, Lanes, Lanes) {
            (census0.lanes, census1.lanes, census2.lanes, slope.lanes)
        }
    }

    /// Rows of the picture, with rows beyond its ends repeated. If `isReversed`, rows run from right to left.
    ///
    /// `margins` are the numbers of padding samples before and after each row.
    init(_ image: GrayImage, rows: Range<Int>, isReversed: Bool, margins: (before: Int, after: Int)) {
        width = image.width
        height = rows.count
        margin = margins.before
        stride = margins.before + image.width + margins.after + 32
        let bytes = stride * height
        planes = Planes(
            census0: LaneBuffer(count: bytes, filledWith: 0),
            census1: LaneBuffer(count: bytes, filledWith: 0),
            census2: LaneBuffer(count: bytes, filledWith: 0),
            slope: LaneBuffer(count: bytes, filledWith: 0))
        fill(image, rows, isReversed)
    }

    private func fill(_ image: GrayImage, _ rows: Range<Int>, _ isReversed: Bool) {
        // A window of five rows around the current one, with repeated borders: as wide as the loads reach.
        let padded = width + 8 + 32
        let memory = LaneBuffer(count: 5 * padded, filledWith: 0)
        let window = memory.lanes
        let source = image.samples.span
        func load(_ row: Int) {
            let slot = ((row % 5) + 5) % 5 * padded
            let start = min(max(row, 0), image.height - 1) * width
            for column in -4..<width + 4 {
                let x = min(max(isReversed ? width - 1 - column : column, 0), width - 1)
                window[byte: slot + column + 4] = source[start + x]
            }
        }
        for row in rows.lowerBound - 2..<rows.lowerBound + 2 { load(row) }
        for row in rows {
            load(row + 2)
            let output = (row - rows.lowerBound) * stride + margin
            var column = 0
            while column < width {
                fill(window, padded, row, column, at: output + column, isReversed)
                column += 16
            }
        }
    }

    /// Writes sixteen pixels. Bytes beyond a row's end are margin, which is never read as picture.
    @inline(__always) private func fill(
        _ window: Lanes, _ padded: Int, _ row: Int, _ column: Int, at output: Int,
        _ isReversed: Bool
    ) {
        // A reversed row is compared in the order of the other picture's row.
        let step = isReversed ? -1 : 1
        @inline(__always) func line(_ dy: Int) -> Int { (((row + dy) % 5) + 5) % 5 * padded + column + 4 }
        let (y0, y1, y2, y3, y4) = (line(-2), line(-1), line(0), line(1), line(2))
        let middle = window[costs: y2]
        @inline(__always) func isBrighter(_ line: Int, _ dx: Int, _ bit: UInt8) -> Costs {
            let other = window[costs: line &+ dx &* step]
            return Costs(repeating: 0).replacing(with: Costs(repeating: bit), where: middle .< other)
        }
        planes.census0.lanes[costs: output] =
            isBrighter(y0, -2, 1) | isBrighter(y0, -1, 2) | isBrighter(y0, 0, 4) | isBrighter(y0, 1, 8)
            | isBrighter(y0, 2, 16) | isBrighter(y1, -2, 32) | isBrighter(y1, -1, 64) | isBrighter(y1, 0, 128)
        planes.census1.lanes[costs: output] =
            isBrighter(y1, 1, 1) | isBrighter(y1, 2, 2) | isBrighter(y2, -2, 4) | isBrighter(y2, -1, 8)
            | isBrighter(y2, 1, 16) | isBrighter(y2, 2, 32) | isBrighter(y3, -2, 64) | isBrighter(y3, -1, 128)
        planes.census2.lanes[costs: output] =
            isBrighter(y3, 0, 1) | isBrighter(y3, 1, 2) | isBrighter(y3, 2, 4) | isBrighter(y4, -2, 8)
            | isBrighter(y4, -1, 16) | isBrighter(y4, 0, 32) | isBrighter(y4, 1, 64) | isBrighter(y4, 2, 128)
        let (left, right) = (window[costs: y2 &- step], window[costs: y2 &+ step])
        // 128 + (right − left), clamped to ±slopeCap.
        let rise = lesser(greater(right, left) &- left, Costs(repeating: Self.slopeCap))
        let fall = lesser(greater(right, left) &- right, Costs(repeating: Self.slopeCap))
        planes.slope.lanes[costs: output] = Costs(repeating: 128) &+ rise &- fall
    }

    /// Larger slopes are treated as equal.
    static let slopeCap: UInt8 = 63
}

/// The number of bits set in three bytes, 0…24.
@_transparent func bitCount(_ a: Costs, _ b: Costs, _ c: Costs) -> Costs {
    // Counts in fields of 2 bits, then 4, then 8.
    let (m1, m2, m4) = (Costs(repeating: 0x55), Costs(repeating: 0x33), Costs(repeating: 0x0F))
    // A full adder reduces three bytes to two: ones and twos.
    let ones = a ^ b ^ c
    let twos = (a & b) | (c & (a ^ b))
    @inline(__always) func pairs(_ x: Costs) -> Costs { x &- ((x &>> 1) & m1) }
    @inline(__always) func nibbles(_ x: Costs) -> Costs { (x & m2) &+ ((x &>> 2) & m2) }
    let single = nibbles(pairs(ones))
    let double = nibbles(pairs(twos))
    let singles = (single & m4) &+ ((single &>> 4) & m4)
    let doubles = (double & m4) &+ ((double &>> 4) & m4)
    return singles &+ doubles &+ doubles
}
