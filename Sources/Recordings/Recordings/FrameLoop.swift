internal import Bytes
internal import DepthMaps
package import DepthTypes
package import Sequences
internal import Synchronization

/// Decodes frames of a recording a few at a time, into buffers that are reused: separate files on all cores, and a movie in
/// order by one decoder.
package struct FrameLoop {
    private let recording: Recording
    private let parts: FrameParts
    private let colorSize: PixelSize?

    /// Parts of frames, at their stored sizes and orientation. With `colorSize`, color pictures in separate files may be
    /// reduced to at least that size, if that is faster.
    package init(_ recording: Recording, _ parts: FrameParts, colorAtLeast colorSize: PixelSize? = nil) {
        (self.recording, self.parts, self.colorSize) = (recording, parts, colorSize)
    }

    /// A frame that is decoded together with others.
    private struct Slot<Output: Sendable>: Sendable {
        var decoder: FrameDecoder
        var frame = SequenceFrame()
        var movieError: (any Error)?
        var result: Result<Output, any Error>?
    }

    /// Passes each frame to `body`, in order, with the result of `process`, or the error of decoding or processing it. Its planes
    /// that can be decoded are there even then. Stops when the user stops the program, see ``Interruption``.
    ///
    /// - Parameters:
    ///   - indices: The indices of frames in the recording, in ascending order.
    ///   - process: Called for several frames at the same time.
    /// - Throws: Errors of `body`.
    package func forEach<Output: Sendable, Failure: Error>(
        _ indices: [Int],
        _ process:
            @Sendable (
                _ index: Int, _ frame: SequenceFrame, _ decoder: inout FrameDecoder
            ) throws -> Output,
        _ body: (Int, SequenceFrame, Result<Output, any Error>) throws(Failure) -> Void
    ) throws(Failure) {
        let size = recording.framesAtOnce(8)
        var movie = FrameDecoder(recording)
        let slots = (0..<min(size, indices.count)).map { _ in
            MutexBox(Slot<Output>(decoder: FrameDecoder(recording)))
        }
        for first in stride(from: 0, to: indices.count, by: size) where !Interruption.isRequested {
            let batch = indices[first..<min(first + size, indices.count)]
            for (slot, index) in zip(slots, batch) {
                slot.content.withLock { readMovie(index, &movie, &$0) }
            }
            parallelFor(count: batch.count, minimum: 1) { band in
                for place in band {
                    slots[place].content.withLock { finish(batch[batch.startIndex + place], process, &$0) }
                }
            }
            for (slot, index) in zip(slots, batch) where !Interruption.isRequested {
                try slot.content.withLock { (slot) throws(Failure) in
                    if let result = slot.result { try body(index, slot.frame, result) }
                }
            }
        }
    }

    /// Passes each frame to `body`, in order, with its error if it cannot be decoded completely; otherwise as above.
    package func forEach<Failure: Error>(
        _ indices: [Int], _ body: (Int, SequenceFrame, (any Error)?) throws(Failure) -> Void
    ) throws(Failure) {
        try forEach(indices) { _, _, _ in
        } _: { (index, frame, result) throws(Failure) in
            var failure: (any Error)?
            if case .failure(let error) = result { failure = error }
            try body(index, frame, failure)
        }
    }

    private func readMovie<Output>(_ index: Int, _ decoder: inout FrameDecoder, _ slot: inout Slot<Output>) {
        slot.frame.clear()
        slot.movieError = nil
        guard let part = recording.frames[index].movie else { return }
        do {
            try decoder.readMovie(parts, of: part, into: &slot.frame)
        } catch {
            slot.movieError = error
        }
    }

    private func finish<Output>(
        _ index: Int, _ process: (Int, SequenceFrame, inout FrameDecoder) throws -> Output,
        _ slot: inout Slot<Output>
    ) {
        slot.result = Result {
            try slot.decoder.readFiles(parts, ofFrameAt: index, colorAtLeast: colorSize, into: &slot.frame)
            if let error = slot.movieError { throw error }
            return try process(index, slot.frame, &slot.decoder)
        }
    }
}

extension Recording {
    /// Opens the movie with the pictures beside depth, and closes it again. Throws if it cannot be opened.
    package func checkMovie() throws {
        var decoder = FrameDecoder(self)
        if !layout.isMovie { try decoder.openMovie() }
    }
}
