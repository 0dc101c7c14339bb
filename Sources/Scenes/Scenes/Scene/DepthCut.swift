internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
public import Effects

/// Where to cut a mask from depth.
public enum DepthCut: Hashable, Sendable {
    /// Around one object: the one that a network's matte covers, otherwise the one at the largest face that the camera marked, otherwise at its point of focus, otherwise in
    /// the middle of the picture. It has a near and a far bound, no islands, and no small holes.
    case automatic
    /// The object at this point and everything nearer.
    case focus(NormalizedPoint)
    /// Between two distances in meters, for depth with a unit; `nil` is unbounded. `softness` is the width of the ramp at
    /// either distance, in meters; `nil` is 0.05.
    case meters(near: Float? = nil, far: Float? = nil, softness: Float? = nil)
    /// Between two percentiles of all samples, in order of distance: 0…100; `nil` is unbounded.
    case percent(near: Float? = nil, far: Float? = nil)
}

/// How a cut was found that is not given in numbers.
package enum CutOrigin: Hashable, Sendable {
    /// Behind the given focus.
    case focus
    /// Around the object that a network found.
    case network
    /// Around a face that the camera marked.
    case face
    /// Around the point of focus that the camera marked.
    case mark
    /// Around the middle of the picture, or of the area that the camera recorded.
    case middle
    /// Around the object that stands out most.
    case standout
}

extension DepthScene {
    /// The mask of a cut, how it was found, and a warning if the camera's marks are outside of it.
    ///
    /// Throws ``DepthScaleError`` if meters are given for depth without a unit, and errors of decoding.
    func mask(_ cut: DepthCut) throws -> SceneMatte {
        let scale = try requireDepth().scale
        let selection: DepthSelection
        switch cut {
        case .automatic: return try subjectMask()
        case .focus(let point): selection = .focus(point)
        case .meters(let near, let far, let softness):
            try scale.requireMeters()
            selection = .meters(near: near, far: far, softness: softness ?? DepthSelection.usualSoftness)
        case .percent(let near, let far):
            selection = .shares(near: Self.share(near), far: Self.share(far), softness: 0.02)
        }
        let mask = try disparity().mask(selection, guidedBy: color())
        let origin: CutOrigin? = if case .focus = cut { .focus } else { nil }
        return SceneMatte(matte: mask.matte, origin: .depth(mask, origin))
    }

    private static func share(_ percent: Float?) -> Double? { percent.map { Double($0) / 100 } }

    private func subjectMask() throws -> SceneMatte {
        let (seed, origin) = try seed()
        let mask = try disparity().mask(of: seed, guidedBy: color())
        return SceneMatte(
            matte: mask.matte, origin: .depth(mask, mask.isElsewhere ? .standout : origin),
            diagnostics: [mask.doubt, description.doubt(of: mask)].compactMap(\.self))
    }

    private func seed() throws -> (SubjectSeed, CutOrigin) {
        if description.hasCoarseMatte, let matte = try matte() { return (.matte(matte), .network) }
        if let face = description.faces.first { return (.face(face), .face) }
        if let focus = description.focusMarks.first { return (.mark(focus), .mark) }
        let marks = description.subjectMarks
        let mark = marks.count > 1 ? try disparity().focusDisparity(atMarks: marks)?.point : marks.first
        return (.around(mark ?? NormalizedPoint(x: 0.5, y: 0.5)), .middle)
    }
}

extension DepthMask {
    /// A warning if the mask may not be the subject; `nil` otherwise, and if it selects all or nothing.
    fileprivate var doubt: Diagnostic? {
        guard let confidence, confidence < Self.leastConfidence, 0.001...0.999 ~= selectedShare else {
            return nil
        }
        let reason =
            selectedShare < 0.01
            ? "it covers less than 1 % of the picture"
            : "it is clearly in front of what is beside it along \(Int(confidence * 100)) % of its outline"
        return .warning(.doubtfulSubject, "the depth mask may not be the subject: \(reason)")
    }
}

extension SceneDescription {
    /// A warning if faces or the focus that the camera marked are outside a mask; `nil` otherwise.
    fileprivate func doubt(of mask: DepthMask) -> Diagnostic? {
        let missed = faces.count { !mask.covers($0) }
        let marks = focusMarks.isEmpty ? subjectMarks : Array(focusMarks.prefix(1))
        let subject: String
        if missed > 0 {
            subject = faces.count == 1 ? "the face is" : "\(missed) of the \(faces.count) faces are"
        } else if faces.isEmpty, !marks.isEmpty, !marks.contains(where: mask.covers) {
            subject = "the camera's focus is"
        } else {
            return nil
        }
        return .warning(.focusOutsideSubject, "\(subject) outside the depth mask")
    }
}
