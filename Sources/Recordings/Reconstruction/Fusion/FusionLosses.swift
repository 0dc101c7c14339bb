internal import Bytes
internal import DepthTypes
internal import Recordings
internal import Sequences

/// The parts of a fused recording that could not be decoded.
struct FusionLosses {
    /// Skipped frames, by their indices.
    var frames: [(index: Int, error: ContainerError)] = []
    /// Frames without colors, because their picture in the movie cannot be read.
    var pictures: [(index: Int, error: any Error)] = []
    /// Why the movie cannot be opened; `nil` if it can, or without a movie.
    var movie: (any Error)?

    private static let most = 5

    /// Adds the error of a frame. A picture in a movie beside depth affects only the frame's colors.
    mutating func add(_ error: any Error, _ index: Int, in recording: Recording, hasDepth: Bool) {
        let isBeside = !recording.layout.isMovie && recording.frames[index].isInMovie
        if hasDepth, isBeside { return pictures.append((index, error)) }
        let known = error as? ContainerError
        frames.append((index, known ?? ContainerError(.damaged(detail: "\(error)"))))
    }

    /// Passes each frame to `body`, in order, until the user stops the program. A frame that cannot be decoded has no depth.
    mutating func forEach(
        _ indices: [Int], of recording: Recording, _ body: (SequenceFrame) throws(FusionError) -> Void
    ) throws(FusionError) {
        var parts = FrameParts.all
        do {
            try recording.checkMovie()
        } catch {
            // Without the movie, points have no colors.
            movie = error
            parts.remove(.color)
        }
        // Colors are needed at the resolution of the depth.
        let loop = FrameLoop(recording, parts, colorAtLeast: recording.depthSize)
        try loop.forEach(indices) { (index, frame, error) throws(FusionError) in
            guard let error else { return try body(frame) }
            var usable = frame
            add(error, index, in: recording, hasDepth: !frame.depth.isEmpty)
            if frames.last?.index == index { usable.depth.clear() }
            usable.color.clear()
            try body(usable)
        }
    }

    /// A warning for each of the first few, and the total number.
    var diagnostics: [Diagnostic] {
        var diagnostics = frames.prefix(Self.most).map { index, error in
            Diagnostic.warning(.unreadablePlane, "frame \(index) cannot be decoded and is skipped: \(error)")
        }
        if frames.count > Self.most {
            diagnostics.append(
                .warning(.unreadablePlane, "\(frames.count) frames cannot be decoded and are skipped"))
        }
        if let movie {
            diagnostics.append(
                .warning(.unreadablePlane, "the movie with the pictures cannot be opened: \(movie)"))
        }
        if let (index, error) = pictures.first {
            let what =
                pictures.count == 1
                ? "the picture of frame \(index)"
                : "the pictures of \(pictures.count) frames, the first is \(index),"
            diagnostics.append(
                .warning(
                    .unreadablePlane, "\(what) cannot be decoded: \(error); points take no color from there"))
        }
        return diagnostics
    }
}
