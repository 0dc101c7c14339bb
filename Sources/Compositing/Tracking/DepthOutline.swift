internal import Sequences

/// Where the middle of what has an object's depth is, from the middle of a box around it: what a filter learns of an object's look
/// may creep aside from frame to frame, and this does not.
struct DepthOutline {
    /// From the box's middle, in shares of its width and height.
    let x: Double
    let y: Double

    /// How much larger than the box the part of the depth is that is looked at.
    private static let reach = 1.4
    /// Something at the object's depth is a part of what is around it where there is more of it beside the box than this, in shares of
    /// what is in the box.
    private static let mostBeside = 0.25

    /// `nil` where what has the depth goes on beyond the box, or is not in it. `width` and `height` are those of the picture, in whose
    /// pixels the box is.
    init?(
        of box: TrackingBox, in depth: borrowing FramePlane<Float>, _ gate: ClosedRange<Float>, width: Int,
        height: Int
    ) {
        let (columns, rows) = (depth.width, depth.height)
        guard columns > 0, rows > 0, width > 0, height > 0 else { return nil }
        let (scaleX, scaleY) = (Double(columns) / Double(width), Double(rows) / Double(height))
        let center = box.center
        func range(_ middle: Double, _ size: Double, _ count: Int) -> Range<Int> {
            let first = min(max((middle - size / 2).rounded(), 0), Double(count))
            return Int(first)..<Int(min(max((middle + size / 2).rounded(), first), Double(count)))
        }
        let across = range(center.x * scaleX, box.width * Self.reach * scaleX, columns)
        let down = range(center.y * scaleY, box.height * Self.reach * scaleY, rows)
        // About a hundred samples across are enough.
        let (stepX, stepY) = (max(1, across.count / 96), max(1, down.count / 96))
        let samples = depth.samples.span
        var (inside, beside, sumX, sumY) = (0, 0, 0.0, 0.0)
        for row in stride(from: down.lowerBound, to: down.upperBound, by: stepY) {
            let y = ((Double(row) + 0.5) / scaleY - center.y) / box.height
            for column in stride(from: across.lowerBound, to: across.upperBound, by: stepX)
            where gate.contains(samples[row * columns + column]) {
                let x = ((Double(column) + 0.5) / scaleX - center.x) / box.width
                if abs(x) < 0.5, abs(y) < 0.5 { inside += 1 } else { beside += 1 }
                sumX += x
                sumY += y
            }
        }
        guard inside > 16, Double(beside) < Self.mostBeside * Double(inside) else { return nil }
        x = sumX / Double(inside + beside)
        y = sumY / Double(inside + beside)
    }
}
