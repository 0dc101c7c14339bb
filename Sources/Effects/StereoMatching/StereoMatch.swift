package import DepthMaps

/// The result of matching a stereo pair.
package struct StereoMatch: Sendable {
    /// Samples in a row: the pixels of the left picture, or a half, a quarter … of them if the pair was matched at a
    /// smaller size.
    package let width: Int
    /// The number of rows.
    package let height: Int
    /// How much farther right an object is in the left picture than in the right one: xₗ − xᵣ, in samples of this plane;
    /// `nan` where nothing matches.
    package let disparity: [Float]
    /// How distinct the best match is from the next: 1…255, and 0 where nothing matches.
    package let confidence: SamplePlane
    /// Pixels of the picture per sample, across: 1, 2, 4 …
    package let reduction: Int
    /// The disparities that were searched, in samples.
    package let searched: Range<Int>
    /// The alignment of the right picture's rows to the left one's; `nil` if they were aligned already.
    package let alignment: VerticalAlignment?

    /// The fraction of samples that have a disparity, 0…1.
    package var coverage: Double {
        guard !disparity.isEmpty else { return 0 }
        return Double(disparity.count { $0 == $0 }) / Double(disparity.count)
    }
}

/// Why two pictures cannot be matched.
package enum StereoError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The pictures have different sizes.
    case differentSizes(left: SIMD2<Int>, right: SIMD2<Int>)
    /// Nothing, or almost nothing, of one picture was found in the other.
    case noMatch
    /// Everything that matched is at infinity.
    case allAtInfinity

    /// What is wrong.
    package var description: String {
        switch self {
        case .differentSizes(let left, let right):
            "the left picture is \(left.x) × \(left.y) and the right one \(right.x) × \(right.y): a pair has one size"
        case .noMatch: "the two pictures have nothing in common that could be matched"
        case .allAtInfinity:
            "every sample of the pair that matched is at infinity: both pictures show the same view, their eyes are swapped, or they are stored turned without saying so"
        }
    }
}
