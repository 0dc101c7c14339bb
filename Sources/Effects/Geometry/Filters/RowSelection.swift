/// The selection of samples by their distance and their neighbors' distances, for photos and frames.
package struct SelectionRule: Sendable {
    fileprivate let near: Float
    fileprivate let far: Float
    fileprivate let stride: Int
    fileprivate let flying: FlyingPixels?

    /// Selects every `stride`-th sample of every `stride`-th row from `near` to `far`, without flying samples unless edges
    /// are kept. The focal length is in samples of the map.
    package init(near: Float, far: Float, stride: Int, keepsEdges: Bool, focalLength: Double) {
        (self.near, self.far, self.stride) = (near, far, stride)
        flying = keepsEdges ? nil : FlyingPixels(focalLength: focalLength)
    }
}

/// A row of a map, and which of its samples become points. Its memory is reused from row to row.
package struct RowSelection: Sendable {
    private var window = RowWindow<Float>(width: 0, height: 0, margin: 1, padding: .nan)
    /// A byte for each sample, 1 or 0.
    package var selected: [UInt8] = []

    /// Has no map yet.
    package init() {}

    /// The distances of the row, with one sample of padding at both ends; `nan` where unknown.
    package var distances: [Float] { window.row(0) }

    /// Prepares for a new map, or for a different range of rows of the same map.
    package mutating func begin(width: Int, height: Int) {
        window = RowWindow(width: width, height: height, margin: 1, padding: .nan)
        selected = [UInt8](repeating: 0, count: width)
    }

    /// Selects the samples of a row of a map's distances.
    package mutating func move(to row: Int, of distances: [Float], by rule: SelectionRule) {
        guard row % rule.stride == 0 else {
            for column in selected.indices { selected[column] = 0 }
            return
        }
        let width = selected.count
        window.move(to: row) { distances.span.load(row: $0, width: width, into: &$1, behind: 1) }
        Self.select(window.row(0), rule.near, rule.far, &selected)
        rule.flying?.remove(
            from: &selected, row: window.row(0), above: window.row(-1), below: window.row(1))
        guard rule.stride > 1 else { return }
        for column in 0..<width where column % rule.stride != 0 { selected[column] = 0 }
    }

    /// Selects distances in a range from a row with one sample of padding at both ends.
    private static func select(_ row: [Float], _ near: Float, _ far: Float, _ selected: inout [UInt8]) {
        precondition(row.count == selected.count + 2)
        // SAFETY: the row has these samples, as checked above. Pointers let compilers vectorize the loop.
        unsafe row.withUnsafeBufferPointer { row in
            unsafe selected.withUnsafeMutableBufferPointer { selected in
                for column in 0..<selected.count {
                    let z = unsafe row[column &+ 1]
                    unsafe selected[column] = (z >= near ? 1 : 0) & (z <= far ? 1 : 0)
                }
            }
        }
    }
}

extension Span<Float> {
    /// A row's distances after some padding; `nan` where unknown: zero and below, infinity, and distances beyond
    /// ``CloudOptions/farthest``.
    func load(row: Int, width: Int, into elements: inout [Float], behind margin: Int) {
        let samples = extracting(row * width..<(row + 1) * width)
        var output = elements.mutableSpan
        for column in samples.indices {
            let z = samples[column]
            output[column + margin] = (z > 0) && (z <= CloudOptions.farthest) ? z : .nan
        }
    }
}
