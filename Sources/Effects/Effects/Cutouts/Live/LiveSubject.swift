package import DepthMaps

/// The subjects of frames: steady over time, and cut out along the picture's edges by a guided filter. The live quality of
/// ``DepthMask`` and of refined mattes.
package struct LiveSubject {
    private var subject: SubjectMatte
    private var stored = StoredMatte()
    private var filter = GuidedMatte()

    /// For mattes that are stored, or cut from depth. Distances are in the unit of the depth; without any, the subject is everything
    /// nearer than the best split of the depth. `softness` is the width of the ramp beyond either end.
    package init(near: Float? = nil, far: Float? = nil, softness: Float? = nil) {
        subject = SubjectMatte(near: near, far: far, softness: softness)
    }

    /// The subject of a frame in sRGB, cut from its depth. `confidence` is on the grid of the depth.
    package mutating func cutout(
        _ depth: DepthMap, confidence: [UInt8], of picture: ColorImage, at time: Double
    ) -> LiveCutout {
        let guide = FramePlane(picture)
        subject.add(depth, confidence: confidence, guide, at: time)
        filter.set(subject.coverage, guide: guide)
        return LiveCutout(picture, GuidedRuns(filter, guide))
    }

    /// The subject of a frame in sRGB, by the matte that is stored with it, or the union of several.
    package mutating func cutout(_ matte: Matte, of picture: ColorImage, at time: Double) -> LiveCutout {
        let guide = FramePlane(picture)
        stored.add(matte, of: guide, at: time)
        filter.set(stored.coverage, guide: guide)
        return LiveCutout(picture, GuidedRuns(filter, guide))
    }
}

/// A frame and the coverage of its subject, ready to be composited: the live quality of ``Cutout``.
package struct LiveCutout: Sendable {
    private let compositing: Compositing<GuidedRuns>

    fileprivate init(_ picture: ColorImage, _ runs: GuidedRuns) {
        compositing = Compositing(photo: picture, runs: runs, curve: .sRGB)
    }

    /// The subject over a background, as ``Cutout/over(_:in16Bits:)``.
    package func over(_ background: Background) throws(CompositingError) -> ColorImage {
        try compositing.over(background)
    }
}

/// What hides a layer in frames: the live quality of ``SceneVisibility``.
package struct LiveVisibility {
    private var hidden = FramePlane<Float>()
    private var lastKnown = LastKnown()
    private var filter = GuidedMatte()

    /// No frame yet.
    package init() {}

    /// The fraction of each pixel of a frame that is nearer than a layer at a distance. Unknown samples keep their state for a
    /// moment, while the picture is unchanged there, and then are farther.
    package mutating func hidden(
        atDistance distance: Float, _ depth: DepthMap, in picture: ColorImage, at time: Double
    ) -> Matte {
        let guide = FramePlane(picture)
        lastKnown.add(depth, guide, at: time)
        let (samples, states, kept) = (depth.meters.span, lastKnown.holds, lastKnown.kept)
        hidden.overwrite(width: depth.width, height: depth.height, fill: 0) { hidden in
            let holds = states.span
            for index in samples.indices {
                let value = samples[index]
                hidden[index] =
                    value > 0
                    ? 1 - SceneVisibility.share(ofLayerAt: 1 / distance, at: 1 / value)
                    : holds[index] == 1 ? hidden[index] * kept : 0
            }
        }
        filter.set(hidden, guide: guide)
        return GuidedRuns(filter, guide).matte
    }
}
