internal import Isobath

extension SceneMatte {
    /// A description of the matte.
    var words: String {
        switch origin {
        case .given: "matte of \(matte.width) × \(matte.height)"
        case .kinds(let kinds):
            kinds == [.matte] ? "portrait matte" : kinds.map(\.rawValue).joined(separator: " + ")
        case .depth: "depth mask"
        }
    }

    /// Where a mask is cut, and a warning if it selects nothing.
    var remarks: [String] {
        guard case .depth(let mask, let cutOrigin) = origin else { return [] }
        let unit = mask.scale.hasUnit ? " m" : ""
        let scale = mask.scale.hasUnit ? mask.scale.words : ""
        var remarks: [String] = []
        if let cutOrigin, mask.scale == .affine {
            remarks.append("depth mask cut \(cutOrigin.words)")
        } else if let cutOrigin {
            let bounds = [mask.nearDistance, mask.farDistance].compactMap { $0?.short }
                .joined(separator: " and ")
            let cut = bounds.isEmpty ? "without bounds" : "cut at \(bounds)\(unit)\(scale)"
            remarks.append("depth mask \(cut), \(cutOrigin.words)")
        }
        guard mask.selectedShare < 0.001 || mask.selectedShare > 0.999 else { return remarks }
        let range = "\(mask.distances.lowerBound.short) to \(mask.distances.upperBound.short)\(unit)"
        let what = mask.selectedShare < 0.5 ? "nothing" : "everything"
        return remarks + ["warning: the depth mask selects \(what); the depth goes from \(range)\(scale)"]
    }
}

extension CutOrigin {
    fileprivate var words: String {
        switch self {
        case .focus: "behind the focus"
        case .network: "around the network's subject"
        case .face: "around the face"
        case .mark: "around the camera's focus"
        case .middle: "around the middle"
        case .standout: "around the object that stands out most"
        }
    }
}

extension DepthScale {
    /// The text after a distance in meters: empty, or how accurate it is.
    var words: String { self == .absolute ? "" : " (\(accuracy.rawValue) scale)" }
}
