internal import DepthMaps
internal import DepthTypes

/// A map from rows of samples.
func disparities(_ rows: [[Float]]) -> DisparityMap {
    DisparityMap(
        width: rows.first?.count ?? 0, height: rows.count, reciprocalMeters: rows.flatMap { $0 },
        scale: .relative)
}

/// A map computed from column and row.
func disparities(_ width: Int, _ height: Int, _ value: (_ x: Int, _ y: Int) -> Float) -> DisparityMap {
    disparities((0..<height).map { y in (0..<width).map { x in value(x, y) } })
}

/// A photo computed from column and row.
func photo(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> RGB<UInt8>) -> ColorImage {
    let pixels = (0..<height).flatMap { y in (0..<width).map { x in color(x, y) } }
    return ColorImage(width: width, height: height, pixels: .uint8(pixels), colorProfile: [])
}

/// Whether two planes hold the same samples, `nan` equal to `nan`.
func same(_ first: [Float], _ second: [Float]) -> Bool {
    first.count == second.count
        && zip(first, second).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }
}
