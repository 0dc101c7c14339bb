import DepthMaps
import DepthTypes
import Effects
import Glibc
import Scenes
import TestFrames

/// A square of 30 cm with a pattern, before a wall 4 m away. It moves from 1 m to 2.5 m, is hidden by a board for ten frames,
/// and comes back somewhere else.
struct ReappearingSquare {
    /// The distance at which it comes back.
    var distance: Float
    /// Whether other squares of the same size and with other colors are there.
    var hasOthers = false
    /// Whether it stands on a floor.
    var hasFloor = false

    static let (width, height, focalLength) = (320, 240, 280.0)
    static let side = 0.3
    /// The frames before the square is hidden, and the first in which it is back.
    static let hidden = 30
    static let back = 40
    static let count = 60

    /// The middle of the square, in meters; `nil` while it is hidden.
    func middle(_ index: Int) -> SIMD3<Double>? {
        if index < Self.hidden {
            let share: Double = Double(index) / Double(Self.hidden - 1)
            let (x, y, z): (Double, Double, Double) = (
                -0.25 + 0.5 * share, 0.02 * sin(Double(index) / 5), 1 + 1.5 * share
            )
            return SIMD3(x, y, z)
        }
        guard index >= Self.back else { return nil }
        let first = Double(distance)
        let (x, z): (Double, Double) = (-0.2 * first, first + 0.004 * Double(index - Self.back))
        return SIMD3(x, 0.05, z)
    }

    static func box(_ middle: SIMD3<Double>) -> TrackingBox {
        let scale: Double = focalLength / middle.z
        let (x, y): (Double, Double) = (
            Double(width) / 2 + middle.x * scale, Double(height) / 2 + middle.y * scale
        )
        let size: Double = side * scale
        return TrackingBox(left: x - size / 2, top: y - size / 2, width: size, height: size)
    }

    /// One of eight colors that a square of 8 × 8 fields has.
    private static func color(_ u: Double, _ v: Double, seed: Int) -> RGB<UInt8> {
        let field = Int(u * 8) * 8 + Int(v * 8) + seed
        let code: Int = (field * 2_654_435_761) >> 7
        let (first, second, third): (Int, Int, Int) = (code % 5, code / 5 % 5, code / 25 % 5)
        let blue: Int = seed == 0 ? 15 : 50
        let green: Int = second * 40 / (1 + seed)
        return RGB(red: UInt8(30 + first * 48), green: UInt8(30 + green), blue: UInt8(20 + third * blue))
    }

    func fill(_ index: Int, _ frame: inout TestFrame) {
        let (width, height, f) = (Self.width, Self.height, Self.focalLength)
        var squares: [(middle: SIMD3<Double>, seed: Int)] = []
        if hasOthers { squares = [(SIMD3(0.7, -0.3, 2.2), 1), (SIMD3(-0.2, -0.33, 1.9), 2)] }
        if let middle = middle(index) { squares.append((middle, 0)) }
        var colors: [RGB<UInt8>] = []
        var depths: [Float] = []
        for row in 0..<height {
            let y = (Double(row) + 0.5 - Double(height) / 2) / f
            for column in 0..<width {
                let x = (Double(column) + 0.5 - Double(width) / 2) / f
                let gray = UInt8(100 + (column / 16 * 3 + row / 16 * 5) % 7 * 10)
                var (color, depth) = (RGB<UInt8>(red: gray, green: gray, blue: gray), 4.0)
                if hasFloor, y > 0.125 { depth = 0.5 / y }
                for (middle, seed) in squares where middle.z < depth {
                    let u = (x * middle.z - middle.x) / Self.side + 0.5
                    let v = (y * middle.z - middle.y) / Self.side + 0.5
                    guard u >= 0, u < 1, v >= 0, v < 1 else { continue }
                    (color, depth) = (Self.color(u, v, seed: seed), middle.z)
                }
                // The board covers all places where the square was last.
                if (Self.hidden..<Self.back).contains(index), abs(x - 0.1) < 0.3 {
                    (color, depth) = (RGB(red: 70, green: 70, blue: 90), 0.8)
                }
                colors.append(color)
                depths.append(Float(depth))
            }
        }
        frame.color = FramePlane(width: width, height: height, samples: colors)
        frame.depth = FramePlane(width: width, height: height, samples: depths)
        (frame.index, frame.time, frame.scale) = (index, Double(index) / 30, .absolute)
    }
}
