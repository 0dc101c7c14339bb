internal import Bytes
internal import DepthMaps
internal import Recordings
internal import Sequences
internal import Synchronization

/// Decodes the frames of a recording on all cores, a few at a time.
struct DecodedFrames {
    private let recording: ListedRecording
    /// Whether frames without a pose are skipped: not those that are to be followed, or could not be.
    private let needsPoses: Bool

    init(_ recording: ListedRecording) {
        self.recording = recording
        needsPoses = recording.poseCount > 0 && !recording.hasEstimatedPoses
    }

    /// How many frames are decoded at a time.
    private var batchSize: Int { recording.framesAtOnce(8) }

    /// A frame that is decoded together with others.
    private struct Slot: Sendable {
        var decoder: FrameDecoder
        var frame = SequenceFrame()
        var error: ContainerError?

        mutating func read(_ index: Int, _ recording: ListedRecording, needsPose: Bool) {
            error = nil
            guard !needsPose || recording.frames[index].pose != nil else { return frame.clear() }
            do throws(ContainerError) {
                // Colors are needed at the resolution of the depth.
                try decoder.read(.all, ofFrameAt: index, colorAtLeast: recording.depthSize, into: &frame)
            } catch {
                self.error = error
                frame.depth.clear()
            }
        }
    }

    /// Passes each frame to `body`, in order, until the user stops the program. A frame that cannot be decoded has no depth.
    func forEach(
        _ indices: [Int], _ losses: inout FusionLosses,
        _ body: (SequenceFrame) throws(FusionError) -> Void
    ) throws(FusionError) {
        let batchSize = batchSize
        let slots = (0..<min(batchSize, indices.count)).map { _ in
            Place(Slot(decoder: FrameDecoder(recording)))
        }
        // Without the movie, points have no colors.
        var color: MovieColor?
        do {
            color = try MovieColor(recording)
        } catch {
            losses.movie = error
        }
        for first in stride(from: 0, to: indices.count, by: batchSize)
        where !Interruption.isRequested {
            let batch = indices[first..<min(first + batchSize, indices.count)]
            parallelFor(count: batch.count, minimum: 1) { band in
                for place in band {
                    slots[place].content.withLock {
                        $0.read(batch[batch.startIndex + place], recording, needsPose: needsPoses)
                    }
                }
            }
            for place in 0..<batch.count {
                let index = batch[batch.startIndex + place]
                try slots[place].content.withLock { (slot) throws(FusionError) in
                    if let error = slot.error { losses.frames.append((index, error)) }
                    do {
                        try color?.read(recording.frames[index], into: &slot.frame.color)
                    } catch {
                        // A damaged picture affects only its own frame.
                        slot.frame.color.clear()
                        losses.pictures.append((index, error))
                    }
                    try body(slot.frame)
                }
            }
        }
    }
}
