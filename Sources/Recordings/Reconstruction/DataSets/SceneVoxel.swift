internal import DepthMaps
package import Recordings
package import Scenes

/// The edge of voxels where none is given: about a hundredth of the usual distance, so that a view has about ten thousand
/// points, rounded down to 1, 2 or 5 times a power of ten.
package struct SceneVoxel {
    /// Meters.
    package let size: Float

    /// About this many frames of a recording are examined.
    static let frameCount = 9

    /// For depth in meters, or the medians of frames; `nil` if nothing is known.
    init?(_ meters: [Float]) {
        guard let distance = Self.median(meters) else { return nil }
        self.init(distance: distance)
    }

    /// For the frames of a recording, of which a few are decoded; `nil` if nothing is known.
    package init?(of recording: Recording, _ selection: FrameSelection) {
        let indices = selection.indices(in: recording)
        let step = max(1, indices.count / Self.frameCount)
        let medians = stride(from: 0, to: indices.count, by: step).compactMap { place in
            (try? recording.scene(at: indices[place]).depth()).flatMap { Self.median($0.meters) }
        }
        self.init(medians)
    }

    private init(distance: Float) {
        var power: Float = 1000
        while power > distance / 100, power > 1e-6 { power /= 10 }
        size = [5, 2].map { $0 * power }.first { $0 <= distance / 100 } ?? power
    }

    /// The median of the known ones; `nil` without any.
    static func median(_ values: [Float]) -> Float? {
        let known = values.filter { $0 > 0 && $0.isFinite }.sorted()
        return known.isEmpty ? nil : known[known.count / 2]
    }
}
