package import DepthMaps
internal import DepthTypes

/// Where the subject of a depth mask is.
package enum SubjectSeed: Hashable, Sendable {
    /// The object with a face at this point.
    case face(NormalizedPoint)
    /// The object at this point, where the camera was focused; if none stands out there, another.
    case mark(NormalizedPoint)
    /// The object around this point; if none stands out there, another.
    case around(NormalizedPoint)
    /// The object under this matte, of any size.
    case matte(Matte)
    /// The nearest large surface.
    case nearest

    /// Whether another object is the subject if none stands out at the seed.
    var yields: Bool {
        switch self {
        case .face, .matte: false
        case .mark, .around, .nearest: true
        }
    }
}

extension SubjectSeed {
    /// The weight of each sample of a map, 0…1, row by row: a Gaussian around a point, which
    /// is a half at 3.5 % of the diagonal for a face or a mark and at 12 % otherwise, and 0 beyond two and a half times that.
    func weights(width: Int, height: Int) -> [Float] {
        switch self {
        case .face(let point), .mark(let point): Self.weights(around: point, half: 0.035, width, height)
        case .around(let point): Self.weights(around: point, half: 0.12, width, height)
        case .matte(let matte):
            matte.resampled(toWidth: width, height: height, by: .nearest).coverage
                .map { $0 >= 128 ? 1 : 0 }
        case .nearest: [Float](repeating: 1, count: width * height)
        }
    }

    static func weights(
        around point: NormalizedPoint, half: Double, _ width: Int, _ height: Int
    ) -> [Float] {
        let radius = max(half * Math.hypotenuse(Double(width), Double(height)), 0.5)
        let (x, y) = (DisparityMap.index(point.x, width), DisparityMap.index(point.y, height))
        return (0..<width * height).map { index in
            let (across, down) = (Double(index % width - x), Double(index / width - y))
            let square = (across * across + down * down) / (radius * radius)
            return square < 6.25 ? Float(Math.power(0.5, square)) : 0
        }
    }
}
