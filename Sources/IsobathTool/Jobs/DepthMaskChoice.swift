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
    /// Without near, far and focus, the first face in the photo's metadata is the focus.
    func selection(for photo: DepthInput, _ map: DisparityMap) throws -> (DepthSelection, words: String?) {
        if let focus { return (.focus(focus), "behind the focus") }
        let softness = softness ?? Self.usualSoftness
        switch (near, far) {
        case (nil, nil):
            if let face = photo.faces.first { return (.focus(face), "behind the face") }
            return (.bestSplit, "where the depth splits best")
        case (.percent?, .meters?), (.meters?, .percent?):
            throw MaskError.mixedBounds
        case (.percent, _), (_, .percent):
            return (.shares(near: near?.share, far: far?.share, softness: 0.02), nil)
        default:
            guard photo.depthHasUnit else {
                throw MaskError.noUnit(.shares)
            }
            return (.meters(near: near?.meters, far: far?.meters, softness: softness), nil)
        }
    }

    /// The width of ramps in meters, unless another is given.
    private static let usualSoftness: Float = 0.05
}

/// Why a depth mask cannot be cut as asked.
enum MaskError: Error, Hashable, CustomStringConvertible {
    /// A distance in meters is given, and the depth has no unit; the flags that help.
    case noUnit(Remedy)
    /// One bound is in meters, the other a share.
    case mixedBounds
    /// At this distance in meters, the default width is not a number.
    case noWidth(distance: Float)

    /// What can be given in place of meters.
    enum Remedy: Hashable {
        case shares
        case focus
        case scale
    }

    var description: String {
        switch self {
        case .noUnit: "this depth map has no unit, so a distance in meters cannot be used"
        case .mixedBounds: "--near and --far must both be meters or both be shares"
        case .noWidth(let distance): "at \(distance) m the default width is out of range"
        }
    }
}
