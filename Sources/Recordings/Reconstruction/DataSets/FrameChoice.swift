internal import Recordings
internal import Scenes

/// The frames of a recording that a data set or a texture is made of.
struct FrameChoice {
    /// Their indices in the recording.
    private(set) var indices: [Int]
    /// Skipped frames without a pose.
    private(set) var unposedCount = 0
    /// Skipped frames without a picture.
    private(set) var unseenCount = 0

    /// Chooses frames. Decodes pictures only to find the sharpest.
    init(
        _ recording: Recording, needsPictureAndPose: Bool, _ options: DataSetOptions
    ) throws {
        var every = options.selection
        if options.takesSharpest { every.step = 1 }
        indices = every.indices(in: recording)
        if needsPictureAndPose {
            let frames = recording.frames
            unposedCount = indices.count { frames[$0].pose == nil }
            indices.removeAll { frames[$0].pose == nil }
            unseenCount = indices.count { !frames[$0].hasColor }
            indices.removeAll { !frames[$0].hasColor }
        }
        let all = indices
        let step = options.takesSharpest ? options.selection.step : 1
        let count = min(options.maximumFrames ?? .max, (all.count + step - 1) / step)
        // As many equal parts; of each the middle, or the sharpest.
        guard options.takesSharpest else {
            if count < all.count { indices = (0..<count).map { all[(2 * $0 + 1) * all.count / (2 * count)] } }
            return
        }
        let energies = try Sharpness(recording.keeping(all)).energies
        indices = (0..<count).compactMap { part in
            (part * all.count / count..<(part + 1) * all.count / count).max { energies[$0] < energies[$1] }
        }.map { all[$0] }
    }
}
