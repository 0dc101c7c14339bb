/// How a coding block is divided and predicted (H.265 §7.3.8.4 to §7.3.8.8).
indirect enum CodingTree {
    /// Four blocks of half the size; `nil` for those outside the plane.
    case split([CodingTree?])
    case unit(CodingUnit)
}

/// A coding unit: one mode, or four for blocks of 4 × 4.
struct CodingUnit {
    /// The modes of its parts, one or four.
    var modes: [Int]
    /// Its transform tree; if there are four parts, each is one block.
    var transform: TransformTree
}

/// How a block of differences is divided.
indirect enum TransformTree {
    case split([TransformTree])
    /// One block, and whether it has differences that are not zero.
    case block(isCoded: Bool)
}
