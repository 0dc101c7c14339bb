package import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Effects

extension Diagnostic {
    /// The file does not declare whether white or black is near in a gray picture; this quantity was assumed.
    static func assumedNearSide(_ quantity: DepthQuantity, hasUnit: Bool = false) -> Diagnostic {
        let unit = hasUnit ? "" : ", no unit"
        return quantity == .disparity
            ? .note(.assumedWhiteNear, "assuming white = near\(unit)")
            : .note(.assumedWhiteFar, "assuming white = far\(unit)")
    }
}

extension DepthScene {
    /// A warning if the near side was assumed and the picture contradicts it; `nil` otherwise.
    ///
    /// Two rules nearly always hold. The ground is nearer than what is above it: the median of the bottom quarter of
    /// the picture is nearer than the median of the top quarter. A face that the camera marked is nearer than most of
    /// the picture. Evidence needs a difference of a quarter of the spread between the 5th and the 95th percentile.
    package func doubtOfNearSide() throws -> Diagnostic? {
        guard description.depth?.isNearSideAssumed == true else { return nil }
        let map = try disparity().finiteOnly
        guard let evidence = map.evidenceAgainstNearSide(face: description.faces.first) else { return nil }
        return .warning(.doubtfulNearSide, "\(evidence), so near and far may be swapped")
    }
}

extension DisparityMap {
    /// Evidence that near and far are swapped, as a clause, by the rules of ``DepthScene/doubtOfNearSide()``; `nil` if
    /// not found. All samples are finite or `nan`.
    func evidenceAgainstNearSide(face: NormalizedPoint? = nil) -> String? {
        guard let spread = percentiles([0.05, 0.5, 0.95]), spread[2] > spread[0] else { return nil }
        let margin = (spread[2] - spread[0]) / 4
        if let face, let disparity = focusDisparity(at: face), disparity < spread[1] - margin {
            return "a face comes out farther than most of the picture"
        }
        let quarter = height / 4
        guard quarter > 0, let top = median(ofRows: 0..<quarter),
            let bottom = median(ofRows: height - quarter..<height), top > bottom + margin
        else { return nil }
        return "the top of the picture comes out nearer than its bottom"
    }

    /// The median of the known samples of these rows; `nil` if all are unknown.
    fileprivate func median(ofRows rows: Range<Int>) -> Float? {
        replacing(
            samples: Array(reciprocalMeters[rows.lowerBound * width..<rows.upperBound * width]), width: width,
            height: rows.count
        ).percentiles([0.5])?.first
    }
}
