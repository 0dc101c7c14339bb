/// 3t² − 2t³ of t clamped to 0…1; 1 for `nan`.
@inline(__always)
func smoothStep(_ t: Float) -> Float {
    guard !(t <= 0) else { return 0 }
    guard t < 1 else { return 1 }
    return t * t * (3 - 2 * t)
}
