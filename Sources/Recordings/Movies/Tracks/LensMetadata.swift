internal import Bytes
internal import DepthTypes
internal import Scenes

/// The lens of each frame of a movie in Cinematic mode, from its tracks of timed metadata.
struct LensMetadata: Sendable {
    private let file: any ByteSource
    private let limits: DecodingLimits
    private var tracks: [(keys: LensKeys, samples: [SampleTable.Sample])] = []

    /// Lists the samples of all tracks about the lens; `nil` if missing.
    init?(_ structure: MovieStructure, in file: any ByteSource, limits: DecodingLimits)
        throws(ContainerError)
    {
        (self.file, self.limits) = (file, limits)
        for track in structure.tracks where !track.lensKeys.isEmpty {
            tracks.append((track.lensKeys, try track.samples.samples(limits: limits)))
        }
        if tracks.isEmpty { return nil }
    }

    /// The lens at a time in seconds since the first frame: a sample holds until the next one starts.
    func lens(at seconds: Double) throws(ContainerError) -> RecordedLens {
        var lens = RecordedLens()
        for track in tracks {
            // Times of frames are rounded to the ticks of another track.
            let next = track.samples.partitioningIndex { $0.time > seconds + 0.001 }
            guard next > 0 else { continue }
            let range = track.samples[next - 1].range
            try limits.check(.metadataBytes, range.count, at: range.lowerBound)
            try track.keys.read(file.read(range), at: range.lowerBound, into: &lens)
        }
        return lens
    }
}
