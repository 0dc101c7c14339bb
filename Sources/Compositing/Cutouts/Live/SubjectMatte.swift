internal import Glibc
internal import Sequences

/// Which samples of a frame's depth belong to the subject, 0…1, steadied over time.
///
/// A sample follows its depth at once where that changes by more than noise does, and slowly where it does not, or where its confidence
/// is low. One that is unknown keeps what it had for a moment, as long as the picture shows the same there. Where the picture shows
/// something else, it is none of the subject, and is followed at once when it is known again.
struct SubjectMatte {
    /// The distances of the subject, in the unit of the depth; `nil` for an end that is found in the depth.
    private let near: Float?
    private let far: Float?
    /// The width of the ramp at either end; `nil` for 3 % of the distance.
    private let softness: Float?
    private var histogram = DepthHistogram()
    private var former: [Float] = []
    private var lastKnown = LastKnown()
    private var time: Double?
    private(set) var coverage = FramePlane<Float>()

    /// Seconds in which coverage follows small changes of the depth.
    private static let timeConstant = 0.08
    /// The share of a distance that it may change by noise.
    private static let noise: Float = 0.04

    init(near: Float?, far: Float?, softness: Float?) {
        (self.near, self.far, self.softness) = (near, far, softness)
    }

    /// Takes in a frame that has depth and a picture.
    mutating func add(_ frame: borrowing SequenceFrame) {
        lastKnown.add(frame)
        let (depth, confidence) = (frame.depth.samples.span, frame.confidence.samples.span)
        if near == nil, far == nil {
            histogram.add(frame.depth.samples, stride: depth.count > 100_000 ? 5 : 1, at: frame.time)
        }
        let isNew = coverage.size != frame.depth.size
        if isNew {
            former = [Float](repeating: .nan, count: depth.count)
            coverage = FramePlane(
                width: frame.depth.width, height: frame.depth.height,
                samples: [Float](repeating: 0, count: depth.count))
        }
        let far = far ?? (near == nil ? histogram.split() ?? .infinity : .infinity)
        let near = near ?? 0
        let elapsed = time.map { max(frame.time - $0, 0) } ?? 0
        let pace = Float(1 - exp(-elapsed / Self.timeConstant))
        time = frame.time
        let farScale = far < .infinity ? 1 / max(softness ?? far * 0.03, 1e-6) : 0
        let nearScale = near > 0 ? 1 / max(softness ?? near * 0.03, 1e-6) : 0
        var last: [Float] = []
        swap(&last, &former)
        let hasConfidence = !confidence.isEmpty
        let (states, kept) = (lastKnown.holds, lastKnown.kept)
        coverage.overwrite(width: frame.depth.width, height: frame.depth.height, fill: 0) { coverage in
            let holds = states.span
            for index in depth.indices {
                let value = depth[index]
                guard value > 0 else {
                    if holds[index] == 1 {
                        coverage[index] *= kept
                    } else {
                        (coverage[index], last[index]) = (0, .nan)
                    }
                    continue
                }
                let isSure = !hasConfidence || confidence[index] > 0
                var wanted = farScale > 0 ? Self.step((far - value) * farScale + 0.5) : 1
                if nearScale > 0 { wanted *= Self.step((value - near) * nearScale + 0.5) }
                if !isSure || abs(value - last[index]) < Self.noise * value {
                    coverage[index] += (wanted - coverage[index]) * pace
                } else {
                    coverage[index] = wanted
                }
                last[index] = value
            }
        }
        swap(&last, &former)
    }

    @inline(__always)
    static func step(_ share: Float) -> Float {
        guard !(share <= 0) else { return 0 }
        guard share < 1 else { return 1 }
        return share * share * (3 - 2 * share)
    }
}
