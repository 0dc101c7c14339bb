internal import Glibc

/// The functions of `math.h` that Swift lacks. Other files of this module do not import the C library.
enum Trigonometry {
    static func sine(_ angle: Double) -> Double { sin(angle) }
    static func cosine(_ angle: Double) -> Double { cos(angle) }
}
