internal import DepthMaps

/// The middle of the region at an object's depth, relative to a box around it. The appearance that a filter learns may drift
/// from frame to frame; this does not.
struct DepthOutline {
    /// From the box's middle, in fractions of its width and height.
    let x: Double
    let y: Double

    /// The size of the examined part of the depth, relative to the box.
    private static let reach = 1.4
    /// A region at the object's depth belongs to its surroundings if there is more of it beside the box than this fraction of
    /// what is in the box.
    private static let mostBeside = 0.25

    /// `nil` if the region continues beyond the box, or is not in it. The box is in pixels of the picture, whose size
    /// is `width` × `height`.
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
        // About a hundred samples across suffice.
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
