import TestSupport

/// A red square 2 m away before a gray wall with a blue stripe 4 m away.
enum StripedWall {
    static let (width, height) = (401, 200)

    private static func isSquare(_ x: Int, _ y: Int) -> Bool {
        (150..<250).contains(x) && (60..<140).contains(y)
    }

    static func write(into folder: borrowing TemporaryFolder) throws {
        var (colors, depths) = (Array("P6 401 200 255\n".utf8), [Int]())
        for y in 0..<height {
            for x in 0..<width {
                let isNear = isSquare(x, y)
                let isStripe = (60..<70).contains(x)
                colors += isNear ? [230, 20, 20] : isStripe ? [20, 20, 230] : [100, 100, 100]
                depths.append(isNear ? 2000 : 4000)
            }
        }
        try folder.write(colors, to: "color.ppm")
        try folder.write(pgm(depths, width: width), to: "depth.pgm")
    }

    /// Its depth and its picture on the command line.
    static let input = ["depth.pgm", "--color", "color.ppm", "--scale", "1000"]

    /// The center of the pixels in half a row that have more of a channel than of the others.
    static func center(_ channel: Int, _ columns: Range<Int>, _ picture: RasterFile) -> Double {
        var (sum, moment) = (0.0, 0.0)
        for x in columns {
            let pixel = picture.pixel(x, 100)
            let others = [0, 1, 2].filter { $0 != channel }.map { Double(pixel[$0]) }.max() ?? 0
            let weight = max(Double(pixel[channel]) - others, 0)
            sum += weight
            moment += weight * Double(x - columns.lowerBound)
        }
        return moment / sum
    }
}
