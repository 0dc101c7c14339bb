/// A pair at full size, at a half, at a quarter …
struct ImagePyramid: Sendable {
    private(set) var levels: [(left: GrayImage, right: GrayImage)]

    /// Levels down to about 160 pixels across.
    init(_ left: GrayImage, _ right: GrayImage) {
        levels = [(left, right)]
        var last = (left: left, right: right)
        while max(last.left.width, last.left.height) >= 320, min(last.left.width, last.left.height) >= 32 {
            last = (last.left.halved(), last.right.halved())
            levels.append(last)
        }
    }

    /// The first level that is at most this wide in pixels; the smallest level if all are wider.
    func level(atMost width: Int) -> Int {
        levels.firstIndex { $0.left.width <= width } ?? levels.count - 1
    }
}
