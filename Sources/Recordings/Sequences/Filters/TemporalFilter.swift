/// Smooths each sample over time while it changes by less than δ, and keeps lost samples for a while.
///
/// A sample becomes α times itself plus 1 − α times the stored one. An unknown sample gets the stored value if it was
/// known often enough in the last eight frames, which are recorded as one bit each.
final class TemporalFilter: DepthFilter {
    private let alpha: Float
    private let delta: Float
    private let persistence: Int
    private var kept: [Float] = []
    private var history: [UInt8] = []
    private var number = 0
    /// Whether a lost sample is kept, by its history; the lowest bit is the frame before.
    private let credible: [Bool]

    init(alpha: Float, delta: Float, persistence: Int) {
        (self.alpha, self.delta, self.persistence) = (alpha, delta, persistence)
        credible = (0..<256).map { Self.isCredible(UInt8($0), persistence) }
    }

    /// Whether a sample that was known in these of the last eight frames is kept; the lowest bit is the frame before. The
    /// modes are librealsense's.
    private static func isCredible(_ seen: UInt8, _ mode: Int) -> Bool {
        func count(_ frames: Int) -> Int {
            (seen & UInt8(truncatingIfNeeded: (1 << frames) - 1)).nonzeroBitCount
        }
        return switch mode {
        case 1: count(8) == 8
        case 2: count(3) >= 2
        case 3: count(4) >= 2
        case 4: count(8) >= 2
        case 5: count(2) >= 1
        case 6: count(5) >= 1
        case 7: count(8) >= 1
        case 8: true
        default: false
        }
    }

    func apply(to frame: inout SequenceFrame) {
        let count = frame.depth.samples.count
        if kept.count != count {
            kept = [Float](repeating: .nan, count: count)
            history = [UInt8](repeating: 0, count: count)
        }
        let (alpha, rest, delta) = (alpha, 1 - alpha, delta)
        let bit = UInt8(1) << UInt8(number & 7)
        let phase = number & 7
        number += 1
        // SAFETY: all buffers have as many samples as the depth.
        unsafe frame.depth.samples.withUnsafeMutableBufferPointer { samples in
            unsafe kept.withUnsafeMutableBufferPointer { kept in
                unsafe history.withUnsafeMutableBufferPointer { history in
                    for index in 0..<count {
                        let (value, last) = unsafe (samples[index], kept[index])
                        let isKnown = value > 0
                        let isClose = abs(value - last) < delta
                        let smooth = isClose ? value * alpha + last * rest : value
                        let seen = unsafe history[index]
                        unsafe kept[index] = isKnown ? smooth : last
                        // A jump starts a new history.
                        unsafe history[index] = isKnown ? (isClose ? seen | bit : bit) : seen
                        unsafe samples[index] = smooth
                    }
                    for index in 0..<count where unsafe !(samples[index] > 0) {
                        let seen = unsafe history[index]
                        // Rotated so that the lowest bit is the previous frame, and the highest bit the frame eight
                        // frames ago.
                        let turned = Self.mirrored(seen, phase)
                        if credible[Int(turned)] { unsafe samples[index] = unsafe kept[index] }
                        unsafe history[index] = seen & ~bit
                    }
                }
            }
        }
    }

    /// History with the frame before this one in the lowest bit.
    @inline(__always)
    private static func mirrored(_ seen: UInt8, _ phase: Int) -> UInt8 {
        // Bit phase − k is the frame k frames ago; the current bit still belongs to the frame eight frames ago.
        let turned = UInt8(truncatingIfNeeded: (Int(seen) | Int(seen) << 8) >> phase)
        // Now bit 8 − k is k frames ago: reverses the order.
        return reversed[Int(turned)]
    }

    private static let reversed: [UInt8] = (0..<256).map { (value: Int) -> UInt8 in
        var result: UInt8 = 0
        for bit in 0..<8 where value >> bit & 1 == 1 { result |= 0x80 >> UInt8(bit) }
        return result
    }
}
