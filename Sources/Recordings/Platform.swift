internal import Glibc

/// The functions of `math.h` that Swift itself does not have. No other file of this module imports the C library.
enum Trigonometry {
    static func sine(_ angle: Double) -> Double { sin(angle) }
    static func cosine(_ angle: Double) -> Double { cos(angle) }
}
