package import DepthCore

/// Views of a scene in one picture, for displays that send each in another direction: the leftmost view is at the lower left,
/// and views proceed to the right and then up (Looking Glass Factory, "Quilt").
package struct Quilt: Codable, Hashable, Sendable {
    /// Views in a row.
    package var columns: Int
    /// Rows of views.
    package var rows: Int
    /// The aspect ratio of a view, width by height.
    package var aspect: Double

    /// A quilt of this many views.
    package init(columns: Int, rows: Int, aspect: Double) {
        (self.columns, self.rows, self.aspect) = (columns, rows, aspect)
    }

    /// The suffix of a file name, before its extension, that declares the layout to players: `_qs8x6a0.75`.
    package var suffix: String { "_qs\(columns)x\(rows)a\(aspect)" }

    /// The form by the suffix of a file name without its extension; `nil` without one.
    package init?(suffixOf name: String) {
        guard let start = name.firstRange(of: "_qs") else { return nil }
        let parts = name[start.upperBound...].split(separator: "a", omittingEmptySubsequences: false)
        guard parts.count == 2, let grid = Self.grid(String(parts[0])), let aspect = Double(parts[1]),
            aspect > 0.05, aspect < 20
        else { return nil }
        self.init(columns: grid.columns, rows: grid.rows, aspect: aspect)
    }

    /// The two numbers of `8x6`; `nil` for anything else, and for more than 1,000 views.
    package static func grid(_ text: String) -> (columns: Int, rows: Int)? {
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.count == 2, numbers.allSatisfy({ (1...1000).contains($0) }),
            numbers[0] * numbers[1] <= 1000
        else { return nil }
        return (numbers[0], numbers[1])
    }

    /// The upper left pixel of a view, for views of this size; view 0 is the leftmost.
    package func origin(ofView index: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        (index % columns * width, (rows - 1 - index / columns) * height)
    }

    /// Copies a view to its position. `picture` has `columns · width` pixels in a row.
    package func place(
        _ view: [RGB<UInt8>], number index: Int, width: Int, in picture: inout [RGB<UInt8>]
    ) {
        let height = view.count / max(width, 1)
        let (x, y) = origin(ofView: index, width: width, height: height)
        for row in 0..<height {
            let start = (y + row) * columns * width + x
            picture.replaceSubrange(start..<start + width, with: view[row * width..<(row + 1) * width])
        }
    }
}
