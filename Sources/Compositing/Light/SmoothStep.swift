/// 3t² − 2t³ between 0 and 1, and t clamped beyond; 1 of what is not a number.
@inline(__always)
func smoothStep(_ t: Float) -> Float {
    guard !(t <= 0) else { return 0 }
    guard t < 1 else { return 1 }
    return t * t * (3 - 2 * t)
}
