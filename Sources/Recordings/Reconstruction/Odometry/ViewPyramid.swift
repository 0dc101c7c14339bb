/// Levels of a view, each half the size of the one before.
enum ViewPyramid {
    private static let mostLevels = 4
    private static let leastSide = 16

    static func levels(_ fine: ViewLevel) -> [ViewLevel] {
        var levels = [fine]
        while let last = levels.last, levels.count < mostLevels, min(last.width, last.height) / 2 >= leastSide
        {
            levels.append(last.halved())
        }
        return levels
    }
}
