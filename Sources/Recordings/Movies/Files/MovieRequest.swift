internal import CMovieShims
internal import DepthTypes
internal import Scenes

extension isobath_movie_request {
    /// What the structure of a movie shows and FFmpeg does not find.
    init(_ structure: MovieStructure) {
        self.init()
        if let track = structure.depthTrack {
            // "vide" and "hvc1" instead of "auxv" and "dish".
            codes.0 = isobath_code(offset: Int64(track.handlerOffset), text: (0x76, 0x69, 0x64, 0x65))
            codes.1 = isobath_code(offset: Int64(track.entryOffset), text: (0x68, 0x76, 0x63, 0x31))
            depth_track = Int32(clamping: track.number)
        }
        right_track = Int32(clamping: structure.rightEyeTrack?.number ?? 0)
        is_layered = structure.spatialTrack?.isLayered ?? false ? 1 : 0
        let mattes = PlaneKind.mattesOfFrames.map { Int32(clamping: structure.matteTrack($0)?.number ?? 0) }
        matte_tracks = (mattes[0], mattes[1], mattes[2])
    }
}
