public import DepthMaps
internal import DepthTypes
public import Effects
internal import Geometry
internal import Scenes

/// How a network's depth is converted to meters.
public enum DepthAlignment: Sendable {
    /// Aligns to the depth stored in the scene, if it is in meters; otherwise the network's depth stays unchanged.
    case stored
    /// Leaves the network's depth unchanged.
    case none
    /// Aligns to points of the upright picture whose distance along the optical axis is known, in meters: two or more at
    /// different distances. One suffices for a network that answers in meters, whose depth is then only rescaled.
    case anchors([NormalizedPoint: Double])
    /// Aligns to coarse or sparse depth of the same view, upright and in meters, `nan` where unknown.
    case map(DisparityMap)
}

extension DepthAlignment {
    var isNone: Bool { if case .none = self { true } else { false } }

    /// The alignment of depth of a scale, in a scene, and the scale of the result. It is ``none`` where stored depth is in
    /// no unit, or missing.
    ///
    /// Throws ``NetworkError/alignment(_:)`` for too few or invalid anchors, ``DepthScaleError`` for a map without a unit,
    /// ``SceneError/differentView(picture:depth:)`` for a map of another aspect ratio.
    func checked(
        for scene: SceneDescription, _ given: DepthScale
    ) throws -> (alignment: DepthAlignment, scale: DepthScale) {
        switch self {
        case .stored:
            guard let scale = scene.depth?.scale, scale.hasUnit else { fallthrough }
            return (self, scale)
        case .none: return (.none, given)
        case .anchors(let anchors):
            guard anchors.count >= (given.hasUnit ? 1 : 2) else { throw NetworkError.alignment(.fewAnchors) }
            guard anchors.values.allSatisfy({ $0 > 0 && $0.isFinite }) else {
                throw NetworkError.alignment(.invalidAnchor)
            }
            return (self, .absolute)
        case .map(let map):
            try map.scale.requireMeters()
            let size = PixelSize(width: map.width, height: map.height)
            if let view = scene.colorSize ?? scene.depth?.size, !size.hasSameAspect(as: view) {
                throw SceneError.differentView(picture: view, depth: size)
            }
            return (self, map.scale)
        }
    }

    /// The line from a network's values to 1/meters; `nil` for ``none``.
    ///
    /// Throws ``NetworkError/alignment(_:)`` without such a line, and errors of decoding the scene's depth.
    func line(of values: DisparityMap, _ scene: DepthScene) throws -> AffineAlignment? {
        switch self {
        case .none: nil
        case .stored: try AffineAlignment(values.pairs(with: scene.disparity()))
        case .anchors(let anchors): try AffineAlignment(anchors, of: values)
        case .map(let map): try AffineAlignment(values.pairs(with: map))
        }
    }

    /// What the depth is aligned to, as text.
    var reference: String {
        switch self {
        case .anchors(let anchors): anchors.count == 1 ? "one anchor" : "\(anchors.count) anchors"
        case .map: "the given depth"
        case .stored, .none: "the stored depth"
        }
    }
}

extension DisparityMap {
    /// Pairs of this map's values and another's, at known samples of the other: at most about 32,768 of them, evenly spread.
    /// Both show the same view.
    func pairs(with known: DisparityMap) -> [SIMD2<Double>] {
        let count = known.reciprocalMeters.count { $0.isFinite && $0 >= 0 }
        let step = max(1, (count + 32767) / 32768)
        var (pairs, number): ([SIMD2<Double>], Int) = ([], 0)
        for row in 0..<known.height {
            let y = InterpolationTap(row, of: known.height, in: height)
            for column in 0..<known.width {
                let reference = known.reciprocalMeters[row * known.width + column]
                guard reference.isFinite, reference >= 0 else { continue }
                number += 1
                guard number % step == 0 else { continue }
                let x = InterpolationTap(column, of: known.width, in: width)
                let value = value(x, y)
                if value.isFinite { pairs.append(SIMD2(Double(value), Double(reference))) }
            }
        }
        return pairs
    }

    /// Linear between the surrounding four samples; `nan` if one of them is unknown.
    func value(_ x: InterpolationTap, _ y: InterpolationTap) -> Float {
        let (above, below) = (y.first * width, y.second * width)
        let upper = blend(reciprocalMeters[above + x.first], reciprocalMeters[above + x.second], x.fraction)
        let lower = blend(reciprocalMeters[below + x.first], reciprocalMeters[below + x.second], x.fraction)
        return blend(upper, lower, y.fraction)
    }

    private func blend(_ one: Float, _ other: Float, _ share: Float) -> Float { one + (other - one) * share }

    /// The map in 1/meters. Values behind infinity become infinity.
    func aligned(by line: AffineAlignment, scale: DepthScale) -> DisparityMap {
        let (factor, offset) = (Float(line.factor), Float(line.offset))
        return DisparityMap(
            width: width, height: height,
            reciprocalMeters: reciprocalMeters.map { max(factor * $0 + offset, 0) },
            scale: scale, calibration: calibration)
    }
}

extension AffineAlignment {
    /// How well the samples fit, to follow a text; empty where all fit exactly.
    var quality: String {
        guard residual > 0 else { return "" }
        let rounded = (residual * 1e5).rounded() / 1e5
        let median = rounded == 0 ? "below 0.00001" : "\(rounded)"
        let percent = Int((inlierShare * 100).rounded())
        return ": the median residual is \(median) 1/m, \(percent) % of \(sampleCount) samples fit"
    }

    /// By points of known distance. Throws ``NetworkError/alignment(_:)``.
    init(_ anchors: [NormalizedPoint: Double], of map: DisparityMap) throws(NetworkError) {
        var pairs: [SIMD2<Double>] = []
        // Sorted, because sums depend on the order.
        for (point, meters) in anchors.sorted(by: { ($0.key.y, $0.key.x) < ($1.key.y, $1.key.x) }) {
            guard let value = map.focusDisparity(at: point) else {
                throw .alignment(.noDepthAtAnchor)
            }
            pairs.append(SIMD2(Double(value), 1 / meters))
        }
        // Infinity stays at infinity.
        if let only = pairs.first, pairs.count == 1 {
            try self.init(scaling: only)
        } else {
            try self.init(exactly: pairs)
        }
    }
}
