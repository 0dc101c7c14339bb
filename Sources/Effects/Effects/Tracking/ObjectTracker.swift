package import DepthMaps
package import DepthTypes
internal import Glibc

/// Follows an object through frames by its appearance and depth: an object that passes in front hides it but is not followed.
package struct ObjectTracker {
    /// The position of an object in a frame.
    package struct Observation: Sendable {
        /// Seconds.
        package var time: Double
        /// The current position, or the last one if the object is lost.
        package var box: TrackingBox
        /// The median of the object's depth, in the unit of the depth; `nil` if unknown.
        package var distance: Float?
        /// Meters a second; `nil` if the camera or the distance is unknown.
        package var speed: Double?
        /// The confidence, 0…1.
        package var confidence: Double
        /// Whether the object is not visible.
        package var isLost: Bool
    }

    /// The smallest clearness of the object's peak; the paper calls 7 a failure, for one channel.
    private static let leastClearness = 6.0
    /// How much clearer a peak must be to find a lost object again.
    private static let clearnessOfLost = 1.3
    /// The clearness of full confidence.
    private static let fullClearness = 20.0
    /// The fraction of the object's middle that may be hidden.
    private static let mostHidden = 0.4
    /// The fraction that may be hidden when a lost object is found again.
    private static let mostHiddenOfLost = 0.24
    /// The fraction that may be hidden while the model learns.
    private static let mostHiddenToLearn = 0.15
    /// The fraction that may be hidden when the outline is measured.
    private static let mostHiddenOfOutline = 0.02
    /// The fraction of the middle that must have the object's depth.
    private static let leastPresent = 0.35

    /// How far the box moves to the outline's middle in each frame, as a fraction of their distance.
    private static let pull = 0.3
    /// The fraction per frame by which the scale approaches the size that the depth implies.
    private static let scalePull = 0.3
    /// The weight of a new movement in the velocity.
    private static let newVelocity = 0.4
    /// The factor for the velocity in a frame without the object.
    private static let keptVelocity = 0.8
    /// For how many frames a lost box keeps moving.
    private static let coastingFrames = 10
    /// By how much an object may grow or shrink from frame to frame, without depth.
    private static let growth = 0.03
    /// Multiplies the correlation peak at a changed size, so that the size stays unless a change is clearly better.
    private static let growthPenalty: Float = 0.97
    /// The search radius for a lost object, in multiples of its size.
    private static let searchReach = 0.6
    /// While the object is lost, one of this many frames is also searched around it and at other distances.
    private static let searchInterval = 3
    /// The least similarity in color and pattern for finding a lost object, 0…1. At the last distance, it may have turned.
    private static let leastColorSimilarity: Float = 0.5
    private static let leastPatternSimilarity: Float = 0.4
    private static let leastPatternSimilarityElsewhere: Float = 0.65

    private let filter = CorrelationFilter()
    private var box: TrackingBox
    private let firstSize: (width: Double, height: Double)
    private var isStarted = false
    private var isLost = false
    private var lostFrames = 0
    /// Pixels a frame.
    private var velocity = (x: 0.0, y: 0.0)
    private var scale = 1.0
    /// The object's depth, its spread, and its first value.
    private var depth: Float?
    private var spread: Float = 0
    private var firstDepth: Float?
    /// The first outline at the object's depth.
    private var firstOutline: DepthOutline?
    /// What is known of the object at any distance: its silhouette and its appearance.
    private var silhouette: DepthSilhouette?
    private var appearance: ObjectAppearance?
    private var position: (point: SIMD3<Double>, time: Double)?
    private var speed: Double?

    /// Starts at a box of the first frame.
    package init(_ box: TrackingBox) {
        self.box = box
        firstSize = (box.width, box.height)
    }

    /// The box of the object at a point in the depth: the samples connected to it by small steps, in pixels of the picture.
    /// `nil` if the depth at the point is unknown, and outside the picture.
    package static func box(
        at point: NormalizedPoint, _ depth: DepthMap, in picture: PixelSize
    ) -> TrackingBox? {
        let (columns, rows) = (depth.width, depth.height)
        guard let pixel = point.pixel(in: PixelSize(width: columns, height: rows)) else { return nil }
        let samples = depth.meters.span
        let start = pixel.row * columns + pixel.column
        let seed = samples[start]
        guard seed > 0, seed < .infinity else { return nil }
        var isSeen = [Bool](repeating: false, count: samples.count)
        var open = [start]
        isSeen[start] = true
        var (left, right, top, bottom) = (columns, -1, rows, -1)
        while let place = open.popLast() {
            let (row, column) = (place / columns, place % columns)
            (left, right) = (min(left, column), max(right, column))
            (top, bottom) = (min(top, row), max(bottom, row))
            for (x, y) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                guard (0..<columns).contains(column + x), (0..<rows).contains(row + y) else { continue }
                let next = (row + y) * columns + column + x
                let value = samples[next]
                guard !isSeen[next], abs(value - samples[place]) < 0.03 * value,
                    abs(value - seed) < 0.15 * seed
                else { continue }
                isSeen[next] = true
                open.append(next)
            }
        }
        let scaleX = Double(picture.width) / Double(columns)
        let scaleY = Double(picture.height) / Double(rows)
        return TrackingBox(
            left: Double(left) * scaleX, top: Double(top) * scaleY, width: Double(right - left + 1) * scaleX,
            height: Double(bottom - top + 1) * scaleY)
    }

    /// Finds the object in a frame's picture. The camera of `depth` and the pose give the object's speed.
    package mutating func follow(
        _ picture: ColorImage, _ depth: DepthMap?, at time: Double, pose: CameraPose? = nil
    ) -> Observation {
        let view = View(
            time: time, color: FramePlane(picture), depth: depth.map(FramePlane.init) ?? FramePlane(),
            hasUnit: depth?.scale.hasUnit ?? false, calibration: depth?.calibration, pose: pose)
        if isStarted { find(view) } else { start(view) }
        return observation(view)
    }

    /// What is seen at a time.
    private struct View {
        var time: Double
        var color: FramePlane<RGB<UInt8>>
        /// Empty if unknown.
        var depth: FramePlane<Float>
        var hasUnit: Bool
        var calibration: CameraCalibration?
        var pose: CameraPose?
    }

    private mutating func start(_ frame: borrowing View) {
        isStarted = true
        depth = measure(frame, around: nil)
        firstDepth = depth
        firstOutline = outline(frame)
        silhouette = DepthSilhouette(box, depth, in: frame.depth, of: frame.color.size)
        appearance = appearance(frame, box, depthGate)
        read(frame, Look(center: box.center, scale: 1, gate: depthGate))
        filter.train()
        confidence = 1
    }

    private var confidence = 0.0

    /// Where the object is looked for.
    private struct Look {
        var center: (x: Double, y: Double)
        /// The size relative to the first one.
        var scale: Double
        /// The distances that can be the object's; `nil` without depth.
        var gate: ClosedRange<Float>?
        /// Multiplies the correlation peak.
        var penalty: Float = 1
        /// Whether only the silhouette found the object here, so that its appearance must confirm it.
        var isElsewhere = false
    }

    /// Where the object may be in the next frame.
    private func looks(_ frame: borrowing View) -> [Look] {
        let usual = Look(
            center: (x: box.center.x + velocity.x, y: box.center.y + velocity.y), scale: scale,
            gate: depthGate)
        guard isLost else {
            // Depth determines the object's size; without it three sizes are tried.
            let sizes = depth == nil ? [1 - Self.growth, 1 + Self.growth] : []
            return [usual]
                + sizes.map {
                    Look(
                        center: usual.center, scale: scale * $0, gate: usual.gate,
                        penalty: Self.growthPenalty)
                }
        }
        guard lostFrames % Self.searchInterval == 0 else { return [usual] }
        let far = Self.searchReach
        let around = [(-far, 0.0), (far, 0), (0, -far), (0, far)].map { x, y in
            Look(
                center: (usual.center.x + x * box.width, usual.center.y + y * box.height), scale: scale,
                gate: usual.gate)
        }
        return [usual] + around
            + (silhouette?.places(in: frame.depth, of: frame.color.size) ?? [])
            .compactMap { look(at: $0, frame) }
    }

    /// Compares a position at any distance, at the scale that its depth implies.
    private func look(at place: DepthSilhouette.Place, _ frame: borrowing View) -> Look? {
        guard let firstDepth else { return nil }
        let wide = gate(around: place.distance)
        let known = samples(frame, place.box).filter(wide.contains).sorted()
        guard !known.isEmpty else { return nil }
        let distance = known[known.count / 2]
        return Look(
            center: place.box.center, scale: bounded(Double(firstDepth / distance), in: frame),
            gate: gate(around: distance), isElsewhere: true)
    }

    private func appearance(
        _ frame: borrowing View, _ box: TrackingBox, _ gate: ClosedRange<Float>?
    ) -> ObjectAppearance? {
        let kind = classifier(frame, gate)
        return ObjectAppearance(of: frame.color, in: box) { [.object, .unknown].contains(kind($0, $1)) }
    }

    /// Whether a box shows the object's pattern and colors.
    private func isSimilar(
        _ frame: borrowing View, _ box: TrackingBox, _ look: Look
    ) -> Bool {
        // Without depth of the object in the first frame, only the filter knows its appearance.
        guard let appearance else { return !look.isElsewhere }
        guard let seen = self.appearance(frame, box, look.gate) else { return false }
        let least = look.isElsewhere ? Self.leastPatternSimilarityElsewhere : Self.leastPatternSimilarity
        return appearance.colorSimilarity(to: seen) >= Self.leastColorSimilarity
            && appearance.patternSimilarity(to: seen) >= least
    }

    /// The box at the correlation's peak.
    private func box(at answer: CorrelationFilter.Answer, _ look: Look) -> TrackingBox {
        let (width, height) = (firstSize.width * look.scale, firstSize.height * look.scale)
        return TrackingBox(
            center: (
                look.center.x + answer.x * width * CorrelationFilter.padding,
                look.center.y + answer.y * height * CorrelationFilter.padding
            ), width: width, height: height)
    }

    private mutating func find(_ frame: borrowing View) {
        var best: (answer: CorrelationFilter.Answer, look: Look)?
        for look in looks(frame) {
            read(frame, look)
            let answer = filter.answer()
            if isLost, !isSimilar(frame, box(at: answer, look), look) { continue }
            if best.map({ answer.peak * look.penalty > $0.answer.peak }) ?? true { best = (answer, look) }
        }
        guard let best else { return lose() }
        let candidate = box(at: best.answer, best.look)
        let center = candidate.center
        let isClear = best.answer.clearness > Self.leastClearness * (isLost ? Self.clearnessOfLost : 1)
        let isInside =
            center.x > 0 && center.y > 0 && center.x < Double(frame.color.width)
            && center.y < Double(frame.color.height)
        let gate = best.look.gate
        let (hidden, present) = shares(frame, candidate, gate)
        confidence = min(1, best.answer.clearness / Self.fullClearness) * (1 - min(1, hidden))
        guard isClear, isInside, present >= Self.leastPresent,
            hidden <= (isLost ? Self.mostHiddenOfLost : Self.mostHidden)
        else { return lose() }
        let moved = (x: center.x - box.center.x, y: center.y - box.center.y)
        let (new, old) = (Self.newVelocity, 1 - Self.newVelocity)
        velocity = isLost ? (0, 0) : (velocity.x * old + moved.x * new, velocity.y * old + moved.y * new)
        box = candidate
        scale = bounded(best.look.scale, in: frame)
        (isLost, lostFrames) = (false, 0)
        if let measured = measure(frame, around: gate) {
            depth = measured
            if let firstDepth {
                let ratio = Double(firstDepth) / Double(measured)
                scale = bounded(scale + (ratio - scale) * Self.scalePull, in: frame)
            }
        }
        // A model that learns the occluder forgets the object.
        guard hidden < Self.mostHiddenToLearn else { return }
        if hidden < Self.mostHiddenOfOutline { pullToOutline(frame) }
        read(frame, Look(center: box.center, scale: scale, gate: depthGate))
        filter.train()
        if let seen = appearance(frame, box, depthGate) { appearance?.learn(seen) }
    }

    private func bounded(_ scale: Double, in frame: borrowing View) -> Double {
        Self.bounded(scale, of: max(firstSize.width, firstSize.height), in: frame.color.size)
    }

    /// Limits a scale so that an object of a size in pixels is at least one pixel and at most four pictures large: depth that
    /// halves from frame to frame would make it grow without end.
    static func bounded(_ scale: Double, of size: Double, in picture: PixelSize) -> Double {
        let most = 4 * Double(max(picture.width, picture.height))
        return min(max(scale, min(1 / size, 1)), max(most / size, 1))
    }

    /// Moves the box by a fraction toward its first position relative to the object's outline.
    private mutating func pullToOutline(_ frame: borrowing View) {
        guard let firstOutline, let now = outline(frame) else { return }
        box.left += Self.pull * (now.x - firstOutline.x) * box.width
        box.top += Self.pull * (now.y - firstOutline.y) * box.height
    }

    private func outline(_ frame: borrowing View) -> DepthOutline? {
        guard let gate = depthGate else { return nil }
        return DepthOutline(
            of: box, in: frame.depth, gate, width: frame.color.width, height: frame.color.height)
    }

    private mutating func lose() {
        isLost = true
        lostFrames += 1
        // The box keeps moving for a moment.
        if lostFrames <= Self.coastingFrames {
            box.left += velocity.x
            box.top += velocity.y
        }
        velocity = (velocity.x * Self.keptVelocity, velocity.y * Self.keptVelocity)
        speed = nil
        position = nil
    }

    /// The distances that can be the object's; `nil` without depth.
    private var depthGate: ClosedRange<Float>? {
        // While it is hidden, it may come nearer or move away.
        depth.map { gate(around: $0, widenedBy: 0.01 * $0 * Float(min(lostFrames, 30))) }
    }

    private func gate(around depth: Float, widenedBy width: Float = 0) -> ClosedRange<Float> {
        let margin = max(4 * spread, 0.1 * depth) + width
        return max(depth - margin, 0)...depth + margin
    }

    private mutating func read(_ frame: borrowing View, _ look: Look) {
        filter.read(
            frame.color, around: look.center, width: firstSize.width * look.scale,
            height: firstSize.height * look.scale, classify: classifier(frame, look.gate))
    }

    /// The kind of a point of the picture by its depth.
    private func classifier(
        _ frame: borrowing View, _ gate: ClosedRange<Float>?
    ) -> (Double, Double) -> CorrelationFilter.Point {
        let (columns, rows) = (frame.depth.width, frame.depth.height)
        guard let gate, columns > 0 else { return { _, _ in .unknown } }
        let (scaleX, scaleY) = (
            Double(columns) / Double(frame.color.width), Double(rows) / Double(frame.color.height)
        )
        let depth = frame.depth.samples
        return { x, y in
            let column = min(max(Int((x + 0.5) * scaleX), 0), columns - 1)
            let row = min(max(Int((y + 0.5) * scaleY), 0), rows - 1)
            let distance = depth[row * columns + column]
            // A distance that is `nan` is unknown.
            return distance < gate.lowerBound
                ? .hidden
                : distance <= gate.upperBound ? .object : distance > gate.upperBound ? .behind : .unknown
        }
    }

    /// The samples of the depth in the middle of a box: 60 % of it in both directions.
    private func samples(_ frame: borrowing View, _ box: TrackingBox) -> [Float] {
        let (columns, rows) = (frame.depth.width, frame.depth.height)
        guard columns > 0, rows > 0, !frame.color.isEmpty else { return [] }
        let (scaleX, scaleY) = (
            Double(columns) / Double(frame.color.width), Double(rows) / Double(frame.color.height)
        )
        func range(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
            // Doubles are clamped before conversion to integers.
            let first = Int(min(max(low, 0), Double(count - 1)))
            return first..<max(Int(min(max(high, 0), Double(count))), first + 1)
        }
        let depth = frame.depth.samples.span
        let across = range(
            (box.left + box.width * 0.2) * scaleX, (box.left + box.width * 0.8) * scaleX, columns)
        let down = range((box.top + box.height * 0.2) * scaleY, (box.top + box.height * 0.8) * scaleY, rows)
        var samples: [Float] = []
        samples.reserveCapacity(across.count * down.count)
        for row in down {
            for column in across { samples.append(depth[row * columns + column]) }
        }
        return samples
    }

    /// Two fractions for the middle of a box: of samples that are nearer than the object, and of known samples that can
    /// belong to the object.
    private func shares(
        _ frame: borrowing View, _ box: TrackingBox, _ gate: ClosedRange<Float>?
    ) -> (hidden: Double, present: Double) {
        guard let gate, !frame.depth.isEmpty else { return (0, 1) }
        let samples = samples(frame, box)
        let known = samples.count { $0 > 0 }
        // If the sensor sees nothing, only the appearance decides.
        guard known * 10 > samples.count else { return (0, 1) }
        let nearer = samples.count { $0 > 0 && $0 < gate.lowerBound }
        return (
            Double(nearer) / Double(samples.count),
            Double(samples.count(where: gate.contains)) / Double(known)
        )
    }

    /// The median and spread of the object's depth in the box; `nil` if too little of it is known.
    private mutating func measure(_ frame: borrowing View, around gate: ClosedRange<Float>?)
        -> Float?
    {
        var samples = samples(frame, box)
        let total = samples.count
        samples.removeAll { !($0 > 0 && $0 < .infinity) || !(gate?.contains($0) ?? true) }
        guard samples.count * 10 >= total, !samples.isEmpty else { return nil }
        samples.sort()
        // At first, the object is the near part of the box: the median of all may be the wall behind it.
        let median = samples[gate == nil ? samples.count * 4 / 10 : samples.count / 2]
        for index in samples.indices { samples[index] = abs(samples[index] - median) }
        samples.sort()
        let deviation = 1.4826 * samples[samples.count / 2]
        spread =
            gate == nil
            ? min(deviation, 0.05 * median) : spread + (min(deviation, 0.05 * median) - spread) * 0.1
        return median
    }

    private mutating func observation(_ frame: borrowing View) -> Observation {
        if !isLost { measureSpeed(frame) }
        return Observation(
            time: frame.time, box: box, distance: isLost ? nil : depth,
            speed: isLost ? nil : speed, confidence: confidence, isLost: isLost)
    }

    /// The speed of the object's middle: in the world if the camera's pose is known, else relative to the camera.
    private mutating func measureSpeed(_ frame: borrowing View) {
        guard let depth, frame.hasUnit,
            let camera = frame.calibration?.scaled(toWidth: frame.color.width, height: frame.color.height)
        else { return }
        let seen = camera.point(
            at: SIMD2(box.center.x - 0.5, box.center.y - 0.5), distance: Double(depth))
        let point = frame.pose?.world(seen) ?? seen
        defer { if position == nil { position = (point, frame.time) } }
        guard let former = position, frame.time - former.time >= 0.1 else { return }
        let way = point - former.point
        let now = (way * way).sum().squareRoot() / (frame.time - former.time)
        speed = speed.map { $0 * 0.5 + now * 0.5 } ?? now
        position = (point, frame.time)
    }
}
