internal import DepthMaps
internal import DepthTypes

/// The sums over all pixels of a view at one pose.
struct AlignmentSums: Sendable {
    private(set) var total = NormalTotals()
    /// What the noise of planes' directions adds to the matrix of ``total``, although it says nothing about the pose.
    private(set) var noise = NormalTotals()
    /// Samples with depth, those that the surface covers, and those near it.
    private(set) var sampleCount: Float = 0
    private(set) var coveredCount: Float = 0
    private(set) var nearCount: Float = 0
    private(set) var depthCount: Float = 0
    private(set) var depthSquares: Float = 0
    private(set) var brightnessCount: Float = 0
    private(set) var brightnessSquares: Float = 0
    private(set) var brightnessDifference: Float = 0
    private(set) var brightnessWeight: Float = 0
    private(set) var distances: Float = 0

    /// Points farther from the plane, as a fraction of the distance, belong to something else.
    private static let farthest: Float = 0.08
    private static let near: Float = 0.02
    /// The degrees of freedom of the t-distribution.
    private static let freedom: Float = 5

    private init() {}

    init(_ view: ViewLevel, _ surface: SurfaceLevel, _ pose: CameraPose, _ scales: AlignmentScales) {
        // A fixed number of bands, added in order: the result does not depend on the number of cores.
        let count = 8
        let bands = concurrentMap(0..<count) { band in
            var sums = AlignmentSums()
            for row in view.height * band / count..<view.height * (band + 1) / count {
                sums.add(row, view, surface, pose, scales)
            }
            return sums
        }
        for band in bands { add(band) }
    }

    private mutating func add(_ other: AlignmentSums) {
        total += other.total
        noise += other.noise
        sampleCount += other.sampleCount
        coveredCount += other.coveredCount
        nearCount += other.nearCount
        depthCount += other.depthCount
        depthSquares += other.depthSquares
        brightnessCount += other.brightnessCount
        brightnessSquares += other.brightnessSquares
        brightnessDifference += other.brightnessDifference
        brightnessWeight += other.brightnessWeight
        distances += other.distances
    }

    /// Adds a row of the view.
    private mutating func add(
        _ row: Int, _ view: ViewLevel, _ surface: SurfaceLevel, _ pose: CameraPose, _ scales: AlignmentScales
    ) {
        var sums = NormalSums()
        var noise = NormalSums()
        let model = surface.view
        let (right, down) = (SIMD3<Float>(pose.right), SIMD3<Float>(pose.down))
        let (forward, position) = (SIMD3<Float>(pose.forward), SIMD3<Float>(pose.position))
        let start = down * ((Float(row) - view.center.y) / view.focal.y) + forward
        let hasBrightness = !view.brightness.isEmpty && !surface.brightness.isEmpty
        // A sixteenth of the pixels is enough for the noise.
        let isSampled = row % 4 == 0
        let limit = SIMD2(Float(model.width - 2), Float(model.height - 2))
        for column in 0..<view.width {
            let z = view.depth[row * view.width + column]
            guard z > 0 else { continue }
            sampleCount += 1
            let ray = right * ((Float(column) - view.center.x) / view.focal.x) + start
            let point = ray * SIMD3(repeating: z) + position
            guard point.z > 0.05 else { continue }
            let inverse = 1 / point.z
            let pixel = SIMD2(point.x, point.y) * SIMD2(repeating: inverse) * model.focal + model.center
            guard pixel.x >= 1, pixel.y >= 1, pixel.x < limit.x, pixel.y < limit.y else { continue }
            let nearest = Int(pixel.y + 0.5) * model.width + Int(pixel.x + 0.5)
            let plane = surface.planes[nearest]
            let normal = SIMD3(plane.x, plane.y, plane.z)
            // A plane of zeros has an offset of 0.
            let isKnown = plane.w != 0
            let distance = (normal * point).sum() + plane.w
            if isKnown {
                coveredCount += 1
                distances += z
                guard abs(distance) < Self.farthest * z else { continue }
                if abs(distance) < Self.near * z { nearCount += 1 }
                // Noise of depth cameras grows with the square of the distance.
                let spread = 0.5 * (1 + z * z)
                let share = distance / (scales.depth * spread)
                let weight = (Self.freedom + 1) / (Self.freedom + share * share)
                depthCount += 1
                depthSquares += weight * distance * distance / (spread * spread)
                let scaled = weight / (scales.depth * scales.depth * spread * spread)
                sums.add(distance, direction: normal, moment: point.cross(normal), weight: scaled)
                if isSampled, column % 4 == 0 {
                    let share = 16 * scaled * surface.tilts[nearest]
                    for axis in [SIMD3<Float>(1, 0, 0), SIMD3(0, 1, 0)] {
                        noise.add(0, direction: axis, moment: point.cross(axis), weight: share)
                    }
                }
            }
            guard hasBrightness else { continue }
            let sample = Self.interpolated(surface.brightness, model.width, pixel)
            let slope = SIMD2(sample.y, sample.z)
            guard (slope * slope).sum() > surface.leastSlopeSquare else { continue }
            let difference = sample.x - view.brightness[row * view.width + column] - scales.offset
            let share = difference / scales.brightness
            let weight = (Self.freedom + 1) / (Self.freedom + share * share)
            brightnessCount += 1
            brightnessSquares += weight * difference * difference
            brightnessDifference += weight * difference
            brightnessWeight += weight
            let across = slope * model.focal * SIMD2(repeating: inverse)
            let direction = SIMD3(
                across.x, across.y, -(across.x * point.x + across.y * point.y) * inverse)
            sums.add(
                difference, direction: direction, moment: point.cross(direction),
                weight: weight / (scales.brightness * scales.brightness))
        }
        total.add(sums)
        if isSampled { self.noise.add(noise) }
    }

    @inline(__always)
    private static func interpolated(
        _ samples: [SIMD4<Float>], _ width: Int, _ pixel: SIMD2<Float>
    ) -> SIMD4<Float> {
        let (column, row) = (Int(pixel.x), Int(pixel.y))
        let (x, y) = (pixel.x - Float(column), pixel.y - Float(row))
        let start = row * width + column
        let upper = samples[start] * SIMD4(repeating: 1 - x) + samples[start + 1] * SIMD4(repeating: x)
        let lower =
            samples[start + width] * SIMD4(repeating: 1 - x) + samples[start + width + 1]
            * SIMD4(repeating: x)
        return upper * SIMD4(repeating: 1 - y) + lower * SIMD4(repeating: y)
    }

    /// Sets all but the pose.
    func describe(_ result: inout FrameAlignment, _ scales: AlignmentScales) {
        result.curvature = total.matrix
        result.curvature += noise.matrix * -1
        result.overlap = sampleCount > 0 ? Double(coveredCount / sampleCount) : 0
        result.inlierShare = coveredCount > 0 ? Double(nearCount / coveredCount) : 0
        result.distance = coveredCount > 0 ? Double(distances / coveredCount) : 1
        result.brightnessError = Double(scales.brightness)
        result.depthError = Double(scales.depth) * 0.5 * (1 + result.distance * result.distance)
    }
}
