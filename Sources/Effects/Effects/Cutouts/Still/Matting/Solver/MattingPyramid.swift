internal import DepthMaps

/// A photo's light, its known coverage, and the expected coverage elsewhere, at the photo's size and at halves, quarters and
/// so on of it.
///
/// Means of light keep `I = α F + (1 − α) B` true. Light of the two largest levels is read from the photo on demand; only
/// smaller levels are stored, together a twelfth of the photo's pixels.
struct MattingPyramid<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    /// One resolution, without light.
    struct Level: Sendable {
        let trimap: Trimap
        /// The coverage that is expected without considering colors.
        let expected: Matte
        var width: Int { trimap.width }
        var height: Int { trimap.height }
    }

    /// From the photo's size down.
    let levels: [Level]
    /// The light of levels from the second on; the fourth element is 1.
    private let kept: [[SIMD4<Float>]]
    private let photo: PhotoLight<Sample>

    /// Levels of at most this size have no smaller one.
    private static var leastSide: Int { 8 }

    init(_ photo: PhotoLight<Sample>, _ trimap: Trimap, expected: Matte) {
        var levels = [
            Level(trimap: trimap, expected: expected.linear(toWidth: trimap.width, height: trimap.height))
        ]
        while let last = levels.last, max(last.width, last.height) > Self.leastSide {
            let halved = last.trimap.halved()
            levels.append(
                Level(trimap: halved, expected: expected.linear(toWidth: halved.width, height: halved.height))
            )
        }
        var kept: [[SIMD4<Float>]] = []
        for (index, level) in levels.enumerated().dropFirst(2) {
            if let larger = kept.last {
                kept.append(Self.halved(larger, levels[index - 1].width, levels[index - 1].height))
            } else {
                kept.append(Self.quartered(photo, level.width, level.height))
            }
        }
        (self.levels, self.kept, self.photo) = (levels, kept, photo)
    }

    /// The light of a stored level.
    func light(of level: Int) -> [SIMD4<Float>]? { kept.indices.contains(level - 2) ? kept[level - 2] : nil }

    /// Writes the light of a rectangle of a level, in rows of `stride`, from index `start`.
    func read(
        _ level: Int, columns: Range<Int>, rows: Range<Int>, into light: inout [SIMD4<Float>], start: Int,
        stride: Int
    ) {
        for (line, y) in rows.enumerated() {
            let place = start + line * stride - columns.lowerBound
            switch level {
            case 0: for x in columns { light[place + x] = photo.light(x, y).withOne }
            case 1: for x in columns { light[place + x] = photo.mean(x, y, side: 2).withOne }
            default:
                let first = y * levels[level].width
                for x in columns { light[place + x] = kept[level - 2][first + x] }
            }
        }
    }

    private static func quartered(_ photo: PhotoLight<Sample>, _ width: Int, _ height: Int) -> [SIMD4<Float>]
    {
        parallelPixels(width: width, height: height) { x, y in photo.mean(x, y, side: 4).withOne }
    }

    private static func halved(_ light: [SIMD4<Float>], _ width: Int, _ height: Int) -> [SIMD4<Float>] {
        parallelHalves(light, width: width, height: height) { ($0 + $1 + ($2 + $3)) * 0.25 }
    }
}

extension SIMD4<Float> {
    @inline(__always)
    fileprivate var withOne: Self {
        var light = self
        light.w = 1
        return light
    }
}
