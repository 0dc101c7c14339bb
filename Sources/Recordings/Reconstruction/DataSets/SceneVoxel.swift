internal import Recordings
internal import Sequences

/// The edge of voxels for a data set's cloud: about a hundredth of the usual distance, so that a view has about ten thousand
/// points, rounded down to 1, 2 or 5 times a power of ten.
struct SceneVoxel {
    /// Meters.
    let size: Float

    /// The largest number of frames that are looked at.
    private static let mostFrames = 9

    /// For the frames of a recording; `nil` if no depth can be read.
    init?(_ recording: ListedRecording) {
        var decoder = FrameDecoder(recording)
        var frame = SequenceFrame()
        var medians: [Float] = []
        let count = recording.frames.count
        for index in stride(from: 0, to: count, by: max(1, count / Self.mostFrames)) {
            guard (try? decoder.read(.depth, ofFrameAt: index, into: &frame)) != nil else { continue }
            if let median = Self.median(frame.depth.samples) { medians.append(median) }
        }
        guard let distance = Self.median(medians) else { return nil }
        self.init(distance: distance)
    }

    /// For depth in meters; `nil` if nothing is known.
    init?(_ meters: [Float]) {
        guard let distance = Self.median(meters) else { return nil }
        self.init(distance: distance)
    }

    private init(distance: Float) {
        var power: Float = 1000
        while power > distance / 100, power > 1e-6 { power /= 10 }
        size = [5, 2].map { $0 * power }.first { $0 <= distance / 100 } ?? power
    }

    private static func median(_ values: [Float]) -> Float? {
        let known = values.filter { $0 > 0 && $0.isFinite }.sorted()
        return known.isEmpty ? nil : known[known.count / 2]
    }
}
