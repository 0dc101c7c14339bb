internal import DepthMaps

/// One resolution of a photo whose foreground and background are to be separated.
///
/// Light and coverage are means over pixels, which keeps `I = α F + (1 − α) B` true where F and B change little.
protocol ForegroundSolverLevel: Sendable {
    /// Pixels in a row.
    var width: Int { get }
    /// The number of rows.
    var height: Int { get }
    /// The coverage α, 0…1.
    func alpha(_ x: Int, _ y: Int) -> Float
    /// The light I of red, green and blue.
    func light(_ x: Int, _ y: Int) -> SIMD4<Float>
    /// The result of the next coarser level here.
    func estimate(_ x: Int, _ y: Int) -> Layers
}

/// The light of the foreground and of the background at one pixel.
struct Layers: BitwiseCopyable, Sendable {
    var front: SIMD4<Float>
    var back: SIMD4<Float>
}

/// A photo at full resolution, and a matte of its size.
struct PhotoLight<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    let width: Int
    let height: Int
    let pixels: [RGB<Sample>]
    let coverage: [UInt8]
    let table: TransferFunctionTable<Sample>

    @inline(__always)
    func light(_ x: Int, _ y: Int) -> SIMD4<Float> {
        let pixels = pixels.span
        return table.light(of: pixels[y * width + x])
    }

    @inline(__always)
    func alpha(_ x: Int, _ y: Int) -> Float {
        let coverage = coverage.span
        return Float(coverage[y * width + x]) / 255
    }

    /// The mean of light, with coverage as the fourth element, over a square of pixels.
    @inline(__always)
    func mean(_ x: Int, _ y: Int, side: Int) -> SIMD4<Float> {
        var (sum, codes) = (SIMD4<Float>.zero, 0)
        let columns = x * side..<min((x + 1) * side, width)
        let rows = y * side..<min((y + 1) * side, height)
        let coverage = coverage.span
        for row in rows {
            for column in columns {
                sum += light(column, row)
                codes += Int(coverage[row * width + column])
            }
        }
        let count = columns.count * rows.count
        var mean = sum / Float(count)
        mean.w = Float(codes) / Float(255 * count)
        return mean
    }
}

/// The photo itself; results at half its size are stored by tiles.
struct FinestLevel<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: ForegroundSolverLevel {
    let photo: PhotoLight<Sample>
    let tiles: UnknownRegionTiles
    let estimates: [Layers]

    var width: Int { photo.width }
    var height: Int { photo.height }

    @inline(__always)
    func alpha(_ x: Int, _ y: Int) -> Float { photo.alpha(x, y) }

    @inline(__always)
    func light(_ x: Int, _ y: Int) -> SIMD4<Float> { photo.light(x, y) }

    /// Only valid for soft pixels, whose tile is stored.
    @inline(__always)
    func estimate(_ x: Int, _ y: Int) -> Layers {
        let (side, half) = (UnknownRegionTiles.side, UnknownRegionTiles.side / 2)
        let place = tiles.places[y / side * tiles.columns + x / side]
        return estimates[(place * half + y % side / 2) * half + x % side / 2]
    }
}

/// The photo at half its size, averaged on demand.
struct HalfLevel<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: ForegroundSolverLevel {
    let photo: PhotoLight<Sample>
    let coarser: SeparatedLevel

    var width: Int { (photo.width + 1) / 2 }
    var height: Int { (photo.height + 1) / 2 }

    @inline(__always)
    func alpha(_ x: Int, _ y: Int) -> Float {
        let (second, below) = (min(2 * x + 1, photo.width - 1), min(2 * y + 1, photo.height - 1))
        let upper = photo.alpha(2 * x, 2 * y) + photo.alpha(second, 2 * y)
        return (upper + (photo.alpha(2 * x, below) + photo.alpha(second, below))) / 4
    }

    @inline(__always)
    func light(_ x: Int, _ y: Int) -> SIMD4<Float> { photo.mean(x, y, side: 2) }

    @inline(__always)
    func estimate(_ x: Int, _ y: Int) -> Layers { coarser.layers(x / 2, y / 2) }
}

/// The result at a level, in the tiles around its soft parts.
struct SeparatedLevel: Sendable {
    let tiles: UnknownRegionTiles
    /// Tile by tile.
    let samples: [Layers]
    /// The value outside these tiles.
    let elsewhere: Layers

    @inline(__always)
    func layers(_ x: Int, _ y: Int) -> Layers {
        let (samples, places, side) = (samples.span, tiles.places.span, UnknownRegionTiles.side)
        let place = places[y / side * tiles.columns + x / side]
        return place < 0 ? elsewhere : samples[(place * side + y % side) * side + x % side]
    }
}
