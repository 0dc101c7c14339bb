/// How a coding block is divided and predicted (H.265 §7.3.8.4 and §7.3.8.5).
indirect enum CodingTree {
    /// Four blocks of half the size; `nil` for those outside the plane.
    case split([CodingTree?])
    /// A coding unit: one prediction mode, and one block of differences.
    case unit(mode: Int)
}
