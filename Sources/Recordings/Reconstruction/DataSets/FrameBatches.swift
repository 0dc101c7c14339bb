internal import Bytes
internal import DepthMaps
internal import Recordings
internal import Sequences
internal import Synchronization

/// Decodes and processes frames of a recording on all cores, a few at a time.
struct FrameBatches {
    private let recording: ListedRecording
    private let parts: FrameParts

    /// Parts of all frames of a recording, at their stored sizes and orientation.
    init(_ recording: ListedRecording, _ parts: FrameParts) {
        (self.recording, self.parts) = (recording, parts)
    }

    /// A frame that is processed at the same time as others.
    private struct Slot<Output: Sendable>: Sendable {
        var decoder: FrameDecoder
        var frame = SequenceFrame()
        var result: Result<Output, any Error>?
    }

    private var batchSize: Int { recording.framesAtOnce(8) }

    /// Passes the result of `process` for each frame to `body`, in order, or the error of decoding or processing it. `index` is
    /// the frame's among those of the recording.
    ///
    /// Throws errors of `body` and of opening a movie, and `FusionError.interrupted` if the user stops the program.
    func forEach<Output: Sendable>(
        _ process:
            @Sendable (
                _ index: Int, _ frame: SequenceFrame, _ decoder: inout FrameDecoder
            ) throws -> Output,
        _ body: (_ index: Int, Result<Output, any Error>) throws -> Void
    ) throws {
        let count = recording.frames.count
        let batchSize = batchSize
        let slots = (0..<min(batchSize, count)).map { _ in
            Place(Slot<Output>(decoder: FrameDecoder(recording)))
        }
        var movie = try MovieColor(recording)
        for first in stride(from: 0, to: count, by: batchSize) {
            let batch = min(batchSize, count - first)
            parallelFor(count: batch, minimum: 1) { band in
                for place in band { slots[place].content.withLock { read(first + place, &$0) } }
            }
            if movie != nil, parts.contains(.color) {
                for place in 0..<batch {
                    slots[place].content.withLock { slot in
                        do {
                            try movie?.read(recording.frames[first + place], into: &slot.frame.color)
                        } catch {
                            slot.result = .failure(error)
                        }
                    }
                }
            }
            parallelFor(count: batch, minimum: 1) { band in
                for place in band {
                    slots[place].content.withLock { slot in
                        guard slot.result == nil else { return }
                        slot.result = Result { try process(first + place, slot.frame, &slot.decoder) }
                    }
                }
            }
            for place in 0..<batch {
                guard !Interruption.isRequested else { throw FusionError.interrupted }
                if let result = slots[place].content.withLock(\.result) { try body(first + place, result) }
            }
        }
    }

    private func read<Output>(_ index: Int, _ slot: inout Slot<Output>) {
        slot.result = nil
        do throws(ContainerError) {
            try slot.decoder.read(parts, ofFrameAt: index, into: &slot.frame)
        } catch {
            slot.result = .failure(error)
        }
    }
}
