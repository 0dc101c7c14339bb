import Bytes
import DepthMaps
import DepthTypes
import Foundation
import MovieWriting
import TestSupport
import Testing

@testable import Movies
@testable import Scenes

/// Text formats whose demuxers in FFmpeg open files or sockets, beside a movie that they name.
enum HostileMovies {
    static let texts: [(name: String, text: String)] = [
        ("concat", "ffconcat version 1.0\nfile real.mp4\n"),
        ("concat with a folder", "ffconcat version 1.0\nfile ./real.mp4\nduration 1\n"),
        (
            "sdp",
            """
            v=0
            o=- 0 0 IN IP4 127.0.0.1
            s=x
            c=IN IP4 127.0.0.1
            t=0 0
            m=video 45014 RTP/AVP 96
            a=rtpmap:96 H264/90000

            """
        ),
        ("hls", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nreal.mp4\n#EXT-X-ENDLIST\n"),
        ("hls over HTTP", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:45015/a.ts\n"),
        (
            "dash",
            """
            <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" \
            type="static" mediaPresentationDuration="PT1S"><Period><AdaptationSet><Representation id="1" mimeType="video/mp4" \
            bandwidth="1"><BaseURL>real.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>
            """
        ),
        (
            "imf",
            #"<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"></CompositionPlaylist>"#
        ),
        ("rtsp", "rtsp://127.0.0.1:45016/a\n"),
        (
            "svg",
            #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="real.png"/></svg>"#
        ),
    ]
}

@Suite("Movies that name other files")
struct HostileMovieTests {
    private func picture(_ time: Double) -> RenderedFrame {
        var frame = RenderedFrame()
        frame.picture = FramePlane(width: 32, height: 32, samples: Array(repeating: .white, count: 1024))
        frame.time = time
        return frame
    }

    /// Runs where `real.mp4` is a movie, and its folder the current one of no other test: names are resolved below it.
    private func folder() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try folder.writeMovie((0..<3).map { picture(Double($0) / 30) }, to: "real.mp4")
        return folder
    }

    @Test(
        "are refused by what they are", .needsFFmpeg,
        arguments: HostileMovies.texts.map(\.text))
    func pictures(text: String) throws {
        let folder = try folder()
        let path = try folder.write(text.utf8, to: "a.mp4")
        let error = try #require(throws: MovieError.self) {
            try MovieSource(contentsOf: path, limits: DecodingLimits())
        }
        #expect("\(error)".contains("this is not a movie that can be read"))
        // The movie itself can be read.
        #expect(throws: Never.self) {
            try MovieSource(contentsOf: folder.file("real.mp4"), limits: DecodingLimits())
        }
    }

    @Test(
        "give no sound, and the movie says why",
        .needsFFmpeg,
        arguments: HostileMovies.texts.map(\.text))
    func sound(text: String) throws {
        let folder = try folder()
        try folder.write([], to: "out.mp4")
        let file = try FileHandle(forUpdating: URL(filePath: folder.file("out.mp4")))
        let sink = MovieSink(
            descriptor: file.fileDescriptor, format: .mp4, codec: nil, rate: 30,
            sound: { SequenceSound(in: .bytes(Array(text.utf8)), start: 0) })
        var frame = picture(0)
        try sink.write(&frame)
        try sink.finish()
        guard case .unreadable(let reason)? = sink.missingSound else {
            Issue.record("sound was read")
            return
        }
        #expect(reason.contains("this is not a movie that can be read"))
    }

    @Test(
        "A recording of pictures at a time that no number of ticks holds is written",
        .needsFFmpeg)
    func times() throws {
        let folder = try folder()
        try folder.writeMovie([0, 1e300, -1e300].map(picture), to: "out.mkv", rate: .infinity)
    }
}
