internal import DepthMaps
internal import DepthTypes
internal import Glibc

/// Which samples of a frame's depth belong to the subject, 0…1, steadied over time.
///
/// A sample follows its depth at once when that changes by more than noise, and slowly otherwise or when its confidence is
/// low. An unknown sample keeps its value for a moment, while the picture is unchanged there. Where the picture changes, it
/// becomes background, and follows its depth at once when it is known again.
struct SubjectMatte {
    /// The selected range, with the same rules as for photos; `nil` to find it in the depth.
    private let selected: DisparityRange?
    /// The width of the ramp if the subject is found in the depth; `nil` for 3 % of the distance.
    private let softness: Float?
    private var histogram = DepthHistogram()
    private var former: [Float] = []
    private var lastKnown = LastKnown()
    private var time: Double?
    private(set) var coverage = FramePlane<Float>()

    /// The seconds within which coverage adapts to small changes of the depth.
    private static let timeConstant = 0.08
    /// The relative change of a distance that is treated as noise.
    private static let noise: Float = 0.04

    /// The subject is between two distances in the unit of the depth; without any, it is found in the depth.
    init(near: Float?, far: Float?, softness: Float?) {
        self.softness = softness
        selected =
            near == nil && far == nil
            ? nil
            : DisparityRange(near: near, far: far, softness: softness ?? DepthSelection.usualSoftness)
    }

    /// Adds the depth and the picture of a frame. `confidence` has a value for each sample, or none.
    mutating func add(
        _ map: DepthMap, confidence: [UInt8], _ picture: FramePlane<RGB<UInt8>>, at newTime: Double
    ) {
        lastKnown.add(map, picture, at: newTime)
        let (depth, confidence) = (map.meters.span, confidence.span)
        if coverage.size != PixelSize(width: map.width, height: map.height) {
            former = [Float](repeating: .nan, count: depth.count)
            coverage = FramePlane(
                width: map.width, height: map.height, samples: [Float](repeating: 0, count: depth.count))
        }
        let range = selected ?? split(map.meters, at: newTime)
        let elapsed = time.map { max(newTime - $0, 0) } ?? 0
        let pace = Float(1 - exp(-elapsed / Self.timeConstant))
        time = newTime
        var last: [Float] = []
        swap(&last, &former)
        let hasConfidence = !confidence.isEmpty
        let (states, kept) = (lastKnown.holds, lastKnown.kept)
        coverage.overwrite(width: map.width, height: map.height, fill: 0) { coverage in
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
                let wanted = range.coverage(1 / value)
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

    /// Everything nearer than the best split of the depth of the last frames.
    private mutating func split(_ samples: [Float], at time: Double) -> DisparityRange {
        histogram.add(samples, stride: samples.count > 100_000 ? 5 : 1, at: time)
        let distance = histogram.split() ?? .infinity
        return DisparityRange(before: distance, softness: softness ?? distance * 0.03)
    }
}
