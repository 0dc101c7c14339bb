import DepthCore
import Testing

@testable import Sequences

@Suite("Following an object")
struct TrackingTests {
    private func follow(_ count: Int, hasBar: Bool, withDepth: Bool = true) -> [ObjectTracker.Observation] {
        var tracker = ObjectTracker(MovingSquare.object(0).box)
        var frame = SequenceFrame()
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

    @Test("The speed is that of the object: two pixels and half a pixel a frame, 2 m away")
    func speed() throws {
        // 300 pixels of focal length: √(2² + 0.5²) · 30 · 2 / 300 m/s
        let speed = try #require(follow(60, hasBar: false)[59].speed)
        #expect(abs(speed - 0.4123) < 0.05)
    }

    @Test("A point finds the box of what stands out of the depth there")
    func point() throws {
        var frame = SequenceFrame()
        MovingSquare.fill(10, hasBar: false, &frame)
        let truth = MovingSquare.object(10).box
        let point = (x: 110.0 / Double(MovingSquare.width), y: 105.0 / Double(MovingSquare.height))
        let box = try #require(
            ObjectTracker.box(at: point, frame.depth, width: MovingSquare.width, height: MovingSquare.height))
        #expect(box.overlap(with: truth) > 0.9)
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
