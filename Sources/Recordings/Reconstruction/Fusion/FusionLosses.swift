internal import Bytes
internal import DepthTypes
internal import Recordings
internal import Scenes

/// The parts of a fused recording that could not be decoded.
struct FusionLosses {
    /// Skipped frames, by their indices.
    var frames: [(index: Int, error: ContainerError)] = []
    /// Frames without colors, because their picture in the movie cannot be read.
    var pictures: [(index: Int, error: any Error)] = []
    /// Why the movie cannot be opened; `nil` if it can, or without a movie.
    var movie: (any Error)?

    private static let most = 5

    /// Adds the error of a frame. Returns whether the frame can be used: a picture in a movie beside depth affects only its colors.
    mutating func add(_ error: any Error, _ index: Int, in recording: Recording, hasDepth: Bool) -> Bool {
        if hasDepth, !recording.layout.isMovie, recording.frames[index].isInMovie {
            pictures.append((index, error))
            return true
        }
        let known = error as? ContainerError
        frames.append((index, known ?? ContainerError(.damaged(detail: "\(error)"))))
        return false
    }

    /// Passes each frame to `body`, in order, until the user stops the program; `nil` for one whose depth cannot be decoded. Lenses
    /// are corrected; with `ofSurface`, frames are those of the camera that measured the depth.
    mutating func forEach(
        _ indices: [Int], of recording: Recording, ofSurface: Bool = false,
        _ body: (DepthScene?) throws(FusionError) -> Void
    ) throws(FusionError) {
        var planes = Set<PlaneID>.measured
        do {
            try recording.checkMovie()
        } catch {
            // Without the movie, points have no colors.
            movie = error
            planes.remove(.picture)
        }
        // Colors are needed at the resolution of the depth.
        let frames = RecordingReader(
            recording, indices: indices, ofSurface: ofSurface || !recording.isRegistered,
            colorAtLeast: recording.depthSize)
        var failure: FusionError?
        do {
            try SceneLoop().forEach(frames, planes) { decoded in
                var frame: DepthScene? = decoded.scene
                if case .failure(let error) = decoded.result {
                    let hasDepth = (try? decoded.scene.depth()) != nil
                    if !add(error, decoded.index, in: recording, hasDepth: hasDepth) { frame = nil }
                }
                do throws(FusionError) {
                    try body(frame)
                } catch {
                    failure = error
                    throw error
                }
            }
        } catch {
            if let failure { throw failure }
            _ = add(error, indices.last ?? 0, in: recording, hasDepth: false)
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
