internal import DepthMaps

/// How reliable a mask is at each unknown pixel of its trimap.
///
/// With t the position between known background and known foreground, a pixel is foreground with probability t: the
/// weight of the mask's value is the inverse of the variance `t (1 − t)`. In the middle of the band the weight is 0,
/// beside known pixels it is high.
///
/// A mask that changes slowly belongs to a surface that crosses the cut; colors cannot locate that better.
struct TrimapPrior: Sendable {
    private let width: Int
    private let height: Int
    /// The weights, of 255 times ``most``.
    private let weights: [UInt8]
    /// How many times the plane was halved from the photo's size.
    private let levels: Int

    /// The weight of a pixel beside known ones.
    private static var most: Float { 1 / 0.02 - 1 / 0.27 }

    /// How far around a sample the change of the mask is measured, in samples.
    private static var reach: Int { 4 }
    /// The change within that reach on both sides: below the lower bound a mask is trusted, from the upper bound on it is
    /// not.
    private static var change: ClosedRange<Float> { 0.15...0.4 }

    /// From the trimap of a level, and the mask at its size.
    init(_ trimap: Trimap, _ mask: Matte, level: Int) {
        levels = level
        width = trimap.width
        height = trimap.height
        let front = SideDistances(trimap, to: 255)
        let back = SideDistances(trimap, to: 0)
        weights = parallelMapRows(width: trimap.width, height: trimap.height) { band, output in
            for index in band.lowerBound * trimap.width..<band.upperBound * trimap.width {
                let (near, far) = (Float(front.thirds[index]), Float(back.thirds[index]))
                let t = (far + 1) / (near + far + 2)
                let weight = (1 / (t * (1 - t) + 0.02) - 1 / 0.27) / Self.most
                let slowness = trimap.codes[index] == Trimap.unknown ? Self.slowness(of: mask, index) : 0
                output[index - band.lowerBound * trimap.width] = UInt8(
                    min(max(weight, slowness, 0), 1) * 255 + 0.5)
            }
        }
    }

    /// How slowly a mask changes where it is neither 0 nor full, 0…1.
    private static func slowness(of mask: Matte, _ index: Int) -> Float {
        let codes = mask.coverage.span
        let share = Float(codes[index]) * (1 / 255)
        guard share > 0, share < 1 else { return 0 }
        let (row, column) = index.quotientAndRemainder(dividingBy: mask.width)
        var (least, most) = (UInt8.max, UInt8.min)
        for y in [max(row - reach, 0), row, min(row + reach, mask.height - 1)] {
            for x in [max(column - reach, 0), column, min(column + reach, mask.width - 1)] {
                least = min(least, codes[y * mask.width + x])
                most = max(most, codes[y * mask.width + x])
            }
        }
        let place =
            (change.upperBound - Float(most - least) * (1 / 255)) / (change.upperBound - change.lowerBound)
        return min(max(place, 0), 1) * min(8 * share * (1 - share), 1)
    }

    /// The weight of the mask's value at a pixel of a level, linear between samples.
    @inline(__always)
    func weight(_ x: Int, _ y: Int, level: Int) -> Float {
        let scale = level < levels ? 1 / Float(1 << (levels - level)) : Float(1 << (level - levels))
        let column = min(max((Float(x) + 0.5) * scale - 0.5, 0), Float(width - 1))
        let row = min(max((Float(y) + 0.5) * scale - 0.5, 0), Float(height - 1))
        let (left, top) = (Int(column), Int(row))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (across, down) = (column - Float(left), row - Float(top))
        let span = weights.span
        let upper = Float(span[top * width + left]) * (1 - across) + Float(span[top * width + right]) * across
        let lower =
            Float(span[bottom * width + left]) * (1 - across) + Float(span[bottom * width + right]) * across
        return (upper * (1 - down) + lower * down) * (Self.most / 255)
    }
}

/// The distance of each sample of a trimap from known samples of one side, in thirds of a sample.
private struct SideDistances: Sendable {
    let thirds: [UInt16]

    init(_ trimap: Trimap, to code: UInt8) {
        thirds = ChamferDistances.swept(
            trimap.codes.map { $0 == code ? 0 : ChamferDistances.farthest }, trimap.width, trimap.height)
    }
}
