import DepthMaps
import DepthTypes
import Glibc
import Scenes
import TestFrames
import Testing

@testable import Effects

@Suite("Following an object")
struct TrackingTests {
    private func follow(_ count: Int, hasBar: Bool, withDepth: Bool = true) -> [ObjectTracker.Observation] {
        var tracker = ObjectTracker(MovingSquare.object(0).box)
        var frame = TestFrame()
        return (0..<count).map { index in
            MovingSquare.fill(index, hasBar: hasBar, &frame)
            if !withDepth { frame.depth.clear() }
            (frame.index, frame.time) = (index, Double(index) / 30)
            return tracker.follow(frame)
        }
    }

    @Test("The box stays on an object that moves, and its distance is right")
    func plain() {
        for (index, seen) in follow(90, hasBar: false).enumerated() {
            #expect(!seen.isLost)
            #expect(seen.box.overlap(with: MovingSquare.object(index).box) > 0.8)
            #expect(seen.distance == 2)
        }
    }

    /// A checkerboard of 12 pixels on one of 14: shifted by a step, both look the same, and only the depth
    /// distinguishes the steps.
    @Test("A pattern that repeats does not slip by a step", arguments: [3.0, 7.0, 11.0])
    func repeating(speed: Double) {
        let (width, height) = (320, 240)
        func place(_ index: Int) -> TrackingBox {
            // To and fro: steps of up to `speed` pixels.
            TrackingBox(left: 130 + 60 * sin(Double(index) * speed / 60), top: 90, width: 60, height: 60)
        }
        var tracker = ObjectTracker(place(0))
        var frame = TestFrame()
        var errors: [Double] = []
        for index in 0..<90 {
            let box = place(index)
            func isObject(_ x: Double, _ y: Double) -> Bool {
                x >= box.left && x < box.left + box.width && y >= box.top && y < box.top + box.height
            }
            frame.color.overwrite(width: width, height: height, fill: .black) { pixels in
                for y in 0..<height {
                    for x in 0..<width {
                        let (u, v) = (Double(x) + 0.5, Double(y) + 0.5)
                        let isDark =
                            isObject(u, v)
                            ? (Int((u - box.left) / 12) + Int((v - box.top) / 12)) % 2 == 0
                            : (x / 14 + y / 14) % 2 == 0
                        let gray: UInt8 = isDark ? 60 : 190
                        pixels[y * width + x] = RGB(red: gray, green: gray, blue: gray)
                    }
                }
            }
            frame.depth.overwrite(width: width / 2, height: height / 2, fill: 0) { depth in
                for row in 0..<height / 2 {
                    for column in 0..<width / 2 {
                        depth[row * width / 2 + column] =
                            isObject(Double(column) * 2 + 1, Double(row) * 2 + 1) ? 2 : 4
                    }
                }
            }
            (frame.index, frame.time) = (index, Double(index) / 30)
            let seen = tracker.follow(frame)
            #expect(!seen.isLost, "frame \(index)")
            errors.append(hypot(seen.box.center.x - box.center.x, seen.box.center.y - box.center.y))
        }
        #expect(errors.reduce(0, +) / Double(errors.count) < 1)
        #expect((errors.max() ?? .infinity) < 3)
    }

    @Test(
        "A patch without an index in the picture shows nothing",
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e19])
    func patchOutside(number: Double) {
        let filter = CorrelationFilter()
        var frame = TestFrame()
        MovingSquare.fill(0, hasBar: false, &frame)
        filter.read(frame.color, around: (20, 20), width: 10, height: 10) { _, _ in .object }
        filter.train()
        for (x, size) in [(number, 10), (20, number), (number, number)] {
            filter.read(frame.color, around: (x, 20), width: size, height: size) { _, _ in .object }
            let answer = filter.answer()
            #expect(answer.peak.isFinite && answer.x.isFinite && abs(answer.x) <= 1)
        }
    }

    @Test(
        "An object is at least a pixel and at most four pictures large, whatever its depth says",
        arguments: [(2 / 1e-45, 16.0), (1e-45 / 2, 1.0 / 16), (1.25, 1.25), (.infinity, 16)])
    func scaleBounds(scale: Double, bounded: Double) {
        // 4 · 64 / 16 and 1 / 16.
        #expect(ObjectTracker.bounded(scale, of: 16, in: PixelSize(width: 64, height: 48)) == bounded)
    }

    @Test(
        "A box that is outside of the picture, or larger than four of it, is refused",
        arguments: [
            TrackingBox(left: 0, top: 0, width: 1e300, height: 1e300),
            TrackingBox(left: 1e300, top: 0, width: 10, height: 10),
            TrackingBox(left: -20, top: 0, width: 10, height: 10),
            TrackingBox(left: .nan, top: 0, width: 10, height: 10),
        ])
    func boxOutside(box: TrackingBox) {
        var frame = TestFrame()
        MovingSquare.fill(0, hasBar: false, &frame)
        let view = FrameEffect.following(draws: true, find: { _ in box }, report: { _, _ in })
        var output = RenderedFrame()
        let size = PixelSize(width: MovingSquare.width, height: MovingSquare.height)
        #expect(throws: SequenceError.boxOutside(size)) { try view.render(frame, into: &output) }
    }

    @Test("Without depth, the look alone is followed")
    func withoutDepth() {
        let seen = follow(60, hasBar: false, withDepth: false)
        #expect(seen.allSatisfy { !$0.isLost && $0.distance == nil })
        #expect(seen[59].box.overlap(with: MovingSquare.object(59).box) > 0.6)
    }

    @Test("What passes before the object hides it, does not take it along, and gives it back")
    func hidden() {
        let seen = follow(90, hasBar: true)
        #expect(seen.contains { $0.isLost })
        for (index, seen) in seen.enumerated() where !seen.isLost {
            #expect(seen.box.overlap(with: MovingSquare.object(index).box) > 0.5, "frame \(index)")
        }
        #expect(!seen[89].isLost)
        #expect(seen[89].distance == 2)
    }

    @Test(
        "An object that was hidden is found at another distance, which is right within 1 %",
        arguments: [0.8, 1.3, 2.5, 3.2] as [Float], [(false, false), (true, false), (true, true)])
    func reappearing(distance: Float, scene: (hasOthers: Bool, hasFloor: Bool)) throws {
        let square = ReappearingSquare(
            distance: distance, hasOthers: scene.hasOthers, hasFloor: scene.hasFloor)
        var tracker = ObjectTracker(ReappearingSquare.box(try #require(square.middle(0))))
        var frame = TestFrame()
        for index in 0..<ReappearingSquare.count {
            square.fill(index, &frame)
            let seen = tracker.follow(frame)
            guard let middle = square.middle(index) else {
                #expect(seen.isLost, "frame \(index)")
                continue
            }
            // Every third frame without the object is searched completely.
            if seen.isLost, ReappearingSquare.back..<ReappearingSquare.back + 3 ~= index { continue }
            #expect(!seen.isLost, "frame \(index)")
            #expect(abs(Double(seen.distance ?? 0) / middle.z - 1) < 0.01, "frame \(index)")
            #expect(seen.box.overlap(with: ReappearingSquare.box(middle)) > 0.75, "frame \(index)")
        }
    }

    /// A square with the same pattern in other colors, at another distance.
    @Test("An object in other colors is not taken for the lost one")
    func otherColors() throws {
        let square = ReappearingSquare(distance: 1.3)
        var tracker = ObjectTracker(ReappearingSquare.box(try #require(square.middle(0))))
        var frame = TestFrame()
        for index in 0..<ReappearingSquare.count {
            square.fill(index, &frame)
            if index >= ReappearingSquare.back {
                for place in frame.color.samples.indices {
                    let color = frame.color.samples[place]
                    frame.color.samples[place] = RGB(red: color.blue, green: color.green, blue: color.red)
                }
            }
            let seen = tracker.follow(frame)
            if index >= ReappearingSquare.back { #expect(seen.isLost, "frame \(index)") }
        }
    }

    @Test("The speed is that of the object: two pixels and half a pixel a frame, 2 m away")
    func speed() throws {
        // 300 pixels of focal length: √(2² + 0.5²) · 30 · 2 / 300 m/s
        let speed = try #require(follow(60, hasBar: false)[59].speed)
        #expect(abs(speed - 0.4123) < 0.05)
    }

    @Test("A point finds the box of what stands out of the depth there")
    func point() throws {
        var frame = TestFrame()
        MovingSquare.fill(10, hasBar: false, &frame)
        let truth = MovingSquare.object(10).box
        let point = NormalizedPoint(
            x: 110.0 / Double(MovingSquare.width), y: 105.0 / Double(MovingSquare.height))
        let map = try #require(frame.map)
        let box = try #require(ObjectTracker.box(at: point, map, in: frame.color.size))
        #expect(box.overlap(with: truth) > 0.9)
    }

    @Test("Nothing is at a point outside the picture", arguments: [-0.01, 1.01, -1e300, .nan])
    func outside(x: Double) throws {
        var frame = TestFrame()
        MovingSquare.fill(10, hasBar: false, &frame)
        let map = try #require(frame.map)
        let point = NormalizedPoint(x: x, y: 0.5)
        #expect(ObjectTracker.box(at: point, map, in: frame.color.size) == nil)
    }

    @Test("A spectrum turns back into what it was made of")
    func transform() {
        let numbers = (0..<ComplexSquare.count).map { (index: Int) -> Float in Float((index * 7919) % 101) }
        let square = ComplexSquare()
        square.set(numbers)
        let transform = FourierTransform()
        transform.transform(square)
        // The first is the sum of all.
        #expect(abs(square.values[0] - numbers.reduce(0, +)) < 1)
        transform.invert(square)
        #expect(zip(square.values, numbers).allSatisfy { abs($0 - $1) < 1e-3 })
    }

    @Test("A pattern along the rows has its power down the columns, since rows and columns are exchanged")
    func exchange() {
        let square = ComplexSquare()
        square.set((0..<ComplexSquare.count).map { (index: Int) -> Float in index % 16 == 0 ? 1 : 0 })
        FourierTransform().transform(square)
        // An impulse every 16 columns in all rows: 256 at multiples of 4 across, and 0 down.
        #expect(abs(square.values[4 * 64] - 256) < 1e-2)
        #expect(abs(square.values[4]) < 1e-2)
    }
}

extension ComplexSquare {
    // SAFETY: there are as many numbers as the square has.
    fileprivate func set(_ numbers: [Float]) {
        for (index, number) in numbers.enumerated() {
            unsafe real[index] = number
            unsafe imaginary[index] = 0
        }
    }

    fileprivate var values: [Float] { (0..<Self.count).map { unsafe real[$0] } }
}
