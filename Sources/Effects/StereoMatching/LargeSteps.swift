internal import DepthMaps

/// P2 of the paths to each pixel of a row.
struct LargeSteps: ~Copyable {
    typealias Rows = (across: Lanes, behind: Lanes, middle: Lanes, ahead: Lanes)
    private let image: GrayImage
    private let largeStep: UInt8
    private let most: UInt8
    private let horizontal: LaneBuffer
    private let vertical: LaneBuffer
    private let behind: LaneBuffer
    private let ahead: LaneBuffer
    /// Rows of the picture, starting at the 16th byte, with their ends repeated.
    private var above: LaneBuffer
    private var current: LaneBuffer

    /// Starts with the row `above`, which precedes the first one loaded.
    init(_ penalties: PathAggregation, _ image: GrayImage, above row: Int) {
        self.image = image
        largeStep = UInt8(clamping: penalties.largeStep)
        most = UInt8(clamping: (penalties.largeStep - penalties.leastLargeStep) / 2)
        let count = image.width + 64
        horizontal = LaneBuffer(count: count, filledWith: 0)
        vertical = LaneBuffer(count: count, filledWith: 0)
        behind = LaneBuffer(count: count, filledWith: 0)
        ahead = LaneBuffer(count: count, filledWith: 0)
        above = LaneBuffer(count: count, filledWith: 0)
        current = LaneBuffer(count: count, filledWith: 0)
        copy(row)
    }

    private func copy(_ row: Int) {
        let samples = image.samples.span.extracting(row * image.width..<(row + 1) * image.width)
        for index in samples.indices { current.lanes[byte: 16 &+ index] = samples[index] }
        for index in 0..<16 {
            current.lanes[byte: index] = samples[0]
            current.lanes[byte: 16 + samples.count + index] = samples[samples.count - 1]
        }
    }

    /// Advances to the next row.
    mutating func load(_ row: Int) {
        swap(&above, &current)
        copy(row)
        let (now, before) = (current.lanes, above.lanes)
        var column = 0
        while column <= image.width {
            let place = column &+ 16
            let pixels = now[costs: place]
            horizontal.lanes[costs: column] = largeSteps(pixels, now[costs: place &- 1])
            vertical.lanes[costs: column] = largeSteps(pixels, before[costs: place])
            behind.lanes[costs: column] = largeSteps(pixels, before[costs: place &- 1])
            ahead.lanes[costs: column] = largeSteps(pixels, before[costs: place &+ 1])
            column &+= 16
        }
    }

    @inline(__always) private func largeSteps(_ a: Costs, _ b: Costs) -> Costs {
        let difference = lesser(greater(a, b) &- lesser(a, b), Costs(repeating: most))
        return Costs(repeating: largeStep) &- difference &- difference
    }

    /// P2 of the paths from the pixel on the left, with one more number than pixels, and from the three above.
    var rows: Rows { (horizontal.lanes, behind.lanes, vertical.lanes, ahead.lanes) }
}
