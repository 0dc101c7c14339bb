internal import Isobath

/// Where a mask is cut from depth.
struct DepthMaskChoice: Codable, Sendable {
    var near: DistanceBound?
    var far: DistanceBound?
    /// Meters.
    var softness: Float?
    var focus: NormalizedPoint?

    /// What the flags select in a map, and how the cut was found where they do not name it.
    ///
    /// Without near, far and focus, the first face that the photo's metadata tells of is the focus.
    func selection(for photo: DepthInput, _ map: DisparityMap) throws -> (DepthSelection, words: String?) {
        if let focus { return (.focus(focus), "behind the focus") }
        let softness = softness ?? Self.usualSoftness
        switch (near, far) {
        case (nil, nil):
            if let face = photo.faces.first { return (.focus(face), "behind the face") }
            return (.bestSplit, "where the depth splits best")
        case (.percent?, .meters?), (.meters?, .percent?):
            throw MaskError("--near and --far must both be meters or both be shares")
        case (.percent, _), (_, .percent):
            return (.shares(near: near?.share, far: far?.share, softness: 0.02), nil)
        default:
            guard photo.depthHasUnit else {
                throw MaskError("its depth has no unit, so meters say nothing; use shares such as --near 30%")
            }
            return (.meters(near: near?.meters, far: far?.meters, softness: softness), nil)
        }
    }

    /// The width of ramps in meters, unless another is given.
    private static let usualSoftness: Float = 0.05
}

/// Why a depth mask cannot be cut as asked.
struct MaskError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
