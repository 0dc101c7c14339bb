import DepthMaps

@testable import StereoMatching

/// Two textured planes and a sphere with exact disparity, seen by a right camera that is turned about its axis and shifted.
struct MisalignedScene: Sendable {
    private enum Part: UInt64, CaseIterable {
        case wall = 1
        case floor
        case sphere
    }

    let width = 320
    let height = 240
    private(set) var left: [UInt8] = []
    private(set) var right: [UInt8] = []
    /// The disparity of the left picture's pixels, if rows were aligned.
    private(set) var truth: [Double] = []
    /// Whether both eyes see the content of a pixel of the left picture.
    private var isVisible: [Bool] = []

    /// `shift` moves the right picture's rows down; `turn` moves its right end down by as much, in pixels. `grain` enlarges the
    /// texture.
    init(shift: Double = 0, turn: Double = 0, grain: Double = 1) {
        var generator = SplitMix(state: 11)
        func code(_ part: Part, _ x: Double, _ y: Double) -> UInt8 {
            let noise = (generator.unit() * 2 - 1) * 1.7
            let texture = StereoScene.texture(x / grain, y / grain, part.rawValue)
            return UInt8(min(max((128 + 40 * texture + noise).rounded(), 0), 255))
        }
        for y in 0..<height {
            for x in 0..<width {
                let (part, disparity) = Self.nearest(Double(x), Double(y))
                truth.append(disparity)
                left.append(code(part, Double(x), Double(y)))
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                // The position in the aligned picture: Δy = shift + turn · x, Δx = −turn · y, from the center in halves of the width.
                let middle = SIMD2(Double(width - 1), Double(height - 1)) / 2
                let pixel = SIMD2(Double(x), Double(y))
                var aligned = pixel
                for _ in 0..<4 {
                    let place = (aligned - middle) / (Double(width) / 2)
                    aligned = pixel - SIMD2(-turn * place.y, shift + turn * place.x)
                }
                let (part, source) = Self.seen(atRight: aligned)
                right.append(code(part, source, aligned.y))
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                let disparity = truth[y * width + x]
                let partner = SIMD2(Double(x) - disparity, Double(y))
                isVisible.append(partner.x >= 0 && abs(Self.seen(atRight: partner).source - Double(x)) < 1)
            }
        }
    }

    /// The disparity of a part at a point of the left picture; `nil` where it is not.
    private static func disparity(of part: Part, _ x: Double, _ y: Double) -> Double? {
        switch part {
        case .wall: return 4 + 0.01 * x
        case .floor: return y > 180 ? 0.1 * y - 10 : nil
        case .sphere:
            let square = ((x - 210) * (x - 210) + (y - 120) * (y - 120)) / (60 * 60)
            return square < 1 ? 15 + 7 * (1 - square).squareRoot() : nil
        }
    }

    private static func nearest(_ x: Double, _ y: Double) -> (part: Part, disparity: Double) {
        var best = (part: Part.wall, disparity: -Double.infinity)
        for part in Part.allCases {
            if let found = disparity(of: part, x, y), found > best.disparity { best = (part, found) }
        }
        return best
    }

    /// The nearest part at a point of the aligned right picture, and its column in the left one.
    private static func seen(atRight place: SIMD2<Double>) -> (part: Part, source: Double) {
        var best = (part: Part.wall, source: -Double.infinity)
        for part in Part.allCases {
            // x = s − d(s), for the column s in the left picture: d changes slowly along a row.
            var source: Double? = place.x + 20
            for _ in 0..<30 {
                source = source.flatMap { s in disparity(of: part, s, place.y).map { (s + place.x + $0) / 2 }
                }
            }
            if let source, source > best.source { best = (part, source) }
        }
        return best
    }

    var pictures: (left: GrayImage, right: GrayImage) {
        (
            GrayImage(width: width, height: height, samples: left),
            GrayImage(width: width, height: height, samples: right)
        )
    }

    /// The fraction of matched pixels, of those that both eyes see, that are off by more than one pixel.
    func badOne(_ match: StereoMatch) -> Double {
        let matched = truth.indices.filter { isVisible[$0] && match.disparity[$0] == match.disparity[$0] }
        let wrong = matched.count { abs(Double(match.disparity[$0]) - truth[$0]) > 1 }
        return Double(wrong) / Double(max(1, matched.count))
    }
}
